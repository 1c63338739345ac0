//! All that leaves the few states of which the witnesses do not say enough: these are expanded once more.

use super::keys::{KnownLists, Lists};
use super::pass::Pass;
use super::sections::Known;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Branch, Edge, Ends, Sink, TransitionSystem};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::thread;

/// States for which it is worth to wake up one more thread.
const SHARE: usize = 32;

/// What leaves some states, by state.
#[derive(Default)]
pub(super) struct Exits {
    of: FxHashMap<Id, Range<u32>>,
    exits: Vec<Exit>,
}

/// What leaves a state.
#[derive(Clone, Copy)]
struct Exit {
    branch: Branch,
    end: End,
}

#[derive(Clone, Copy)]
enum End {
    /// Everything ends, or may for all that is known.
    All,
    /// A state, the keys of a list having ended.
    State { target: Id, ended: Id },
}

impl Exits {
    /// Whether it is known what leaves a state.
    pub(super) fn has(&self, state: Id) -> bool {
        self.of.contains_key(&state)
    }

    /// The states of which it is.
    pub(super) fn states(&self) -> impl Iterator<Item = Id> {
        self.of.keys().copied()
    }

    /// Where a state leads to.
    pub(super) fn targets(&self, state: Id) -> impl Iterator<Item = Id> {
        let exits = self.get(state).iter();
        exits.filter_map(|exit| match exit.end {
            End::All => None,
            End::State { target, .. } => Some(target),
        })
    }

    fn get(&self, state: Id) -> &[Exit] {
        let range = &self.of[&state];
        &self.exits[range.start as usize..range.end as usize]
    }

    /// Adds what leaves some states, unless that is there already.
    pub(super) fn add<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        lists: &Lists,
        states: &[Id],
    ) {
        let wanted = states.iter().copied();
        let wanted: Vec<Id> = wanted
            .filter(|state| !self.of.contains_key(state))
            .collect();
        let share = wanted.len().div_ceil(known.workers.len()).max(SHARE);
        let (system, store) = (known.system, known.states);
        if wanted.len() <= share {
            let expanded = expand(system, known.workers[0], store, lists, &wanted);
            self.insert(expanded);
            return;
        }
        let expanded: Vec<Vec<(Id, Vec<Exit>)>> = thread::scope(|scope| {
            let shares = wanted.chunks(share).zip(&mut known.workers);
            let threads = shares.map(|(share, worker)| {
                scope.spawn(move || expand(system, worker, store, lists, share))
            });
            let threads: Vec<_> = threads.collect();
            let results = threads.into_iter().map(|thread| thread.join());
            results
                .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        expanded.into_iter().for_each(|part| self.insert(part));
    }

    fn insert(&mut self, expanded: Vec<(Id, Vec<Exit>)>) {
        for (state, exits) in expanded {
            let first = self.exits.len() as u32;
            self.exits.extend(exits);
            self.of.insert(state, first..self.exits.len() as u32);
        }
    }

    /// Which of the `wanted` keys can end from a state: those for which, in some group, each edge
    /// ends the section or leads to where it can end.
    pub(super) fn ending(&self, pass: &Pass<'_>, lists: &Lists, state: Id, wanted: u16) -> u16 {
        let mut ending = 0;
        for group in self
            .get(state)
            .chunk_by(|_, next| next.branch == Branch::Input)
        {
            let missing = wanted & !ending;
            ending |= group.iter().fold(missing, |keys, exit| match exit.end {
                End::All => keys,
                End::State { target, ended } => {
                    keys & (pass.among(lists, ended) | pass.through(target))
                }
            });
            if ending == wanted {
                break;
            }
        }
        ending
    }
}

fn expand<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    store: &Interner,
    lists: &Lists,
    states: &[Id],
) -> Vec<(Id, Vec<Exit>)> {
    let mut known = KnownLists::default();
    let expand = |&state: &Id| {
        let mut sink = ExitSink {
            store,
            lists,
            known: &mut known,
            exits: Vec::new(),
        };
        system.successors(worker, store.get(state), &mut sink);
        (state, sink.exits)
    };
    states.iter().map(expand).collect()
}

/// Takes the transitions of one state.
struct ExitSink<'s> {
    store: &'s Interner,
    lists: &'s Lists,
    known: &'s mut KnownLists,
    exits: Vec<Exit>,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for ExitSink<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        if edge.branch == Branch::NonProgress {
            return;
        }
        let end = match edge.ends {
            Ends::Program => End::All,
            Ends::Sections(keys) => End::State {
                target: self.store.intern(edge.target).id,
                ended: self.known.list(self.lists, keys),
            },
        };
        self.exits.push(Exit {
            branch: edge.branch,
            end,
        });
    }

    fn fault(&mut self, _fault: S::Fault) {}

    fn omission(&mut self, _reason: S::Omission) {
        self.exits.push(Exit {
            branch: Branch::Schedule,
            end: End::All,
        });
    }
}
