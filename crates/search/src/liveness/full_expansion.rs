//! Full expansion: the outgoing transitions of the few states whose successor hints do not suffice.

use super::context::{SearchContext, has_reached};
use super::key_lists::ListWriter;
use super::outgoing::OutgoingSink;
use super::successor_hints::SuccessorHints;
use impasse_store::{Column, Id, Interner};
use impasse_transition_system::{Branch, Ends, TransitionSystem};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::thread;

/// States for each further thread, at least.
const SHARE: usize = 32;

/// The outgoing transitions of some states.
#[derive(Default)]
pub(super) struct OutgoingTransitions {
    of: FxHashMap<Id, Range<u32>>,
    transitions: Vec<(Branch, Target)>,
}

/// What a transition leads to.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// The end of every section, or possibly so.
    End,
    /// A state, and the list of the keys that end on the path.
    State { state: Id, ended: Id },
}

impl OutgoingTransitions {
    /// Whether a state was expanded.
    pub(super) fn has(&self, state: Id) -> bool {
        self.of.contains_key(&state)
    }

    /// The states that were expanded.
    pub(super) fn states(&self) -> impl Iterator<Item = Id> {
        self.of.keys().copied()
    }

    /// The successors of an expanded state.
    pub(super) fn successors(&self, state: Id) -> impl Iterator<Item = Id> {
        let transitions = self.transitions(state).iter();
        transitions.filter_map(|(_, target)| match *target {
            Target::End => None,
            Target::State { state, .. } => Some(state),
        })
    }

    /// The transitions of an expanded state, those of each group in a row.
    pub(super) fn transitions(&self, state: Id) -> &[(Branch, Target)] {
        let range = &self.of[&state];
        &self.transitions[range.start as usize..range.end as usize]
    }

    /// Expands the states that were not expanded yet.
    pub(super) fn expand<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        hints: &SuccessorHints,
        states: &[Id],
    ) {
        let wanted = states.iter().copied();
        let wanted: Vec<Id> = wanted
            .filter(|state| !self.of.contains_key(state))
            .collect();
        let share = wanted.len().div_ceil(context.workers.len()).max(SHARE);
        let (system, store) = (context.system, context.states);
        let part = Scope {
            store,
            hints,
            within: context.reduced.then_some(context.places),
        };
        if wanted.len() <= share {
            let expanded = expand(system, context.workers[0], part, &wanted);
            self.insert(expanded);
            return;
        }
        let expanded: Vec<Vec<Expanded>> = thread::scope(|scope| {
            let shares = wanted.chunks(share).zip(&mut context.workers);
            let threads = shares
                .map(|(share, worker)| scope.spawn(move || expand(system, worker, part, share)));
            let threads: Vec<_> = threads.collect();
            let results = threads.into_iter().map(|thread| thread.join());
            results
                .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        expanded.into_iter().for_each(|part| self.insert(part));
    }

    fn insert(&mut self, expanded: Vec<Expanded>) {
        for (state, transitions) in expanded {
            let first = self.transitions.len() as u32;
            self.transitions.extend(transitions);
            self.of.insert(state, first..self.transitions.len() as u32);
        }
    }
}

/// A state and its outgoing transitions.
type Expanded = (Id, Vec<(Branch, Target)>);

/// What expansions need besides a worker.
#[derive(Clone, Copy)]
struct Scope<'a> {
    store: &'a Interner,
    hints: &'a SuccessorHints,
    /// The places of the reduced graph, if only transitions within it count.
    within: Option<&'a Column<AtomicU64>>,
}

fn expand<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    scope: Scope<'_>,
    states: &[Id],
) -> Vec<Expanded> {
    let mut writer = ListWriter::default();
    let Scope {
        store,
        hints,
        within,
    } = scope;
    let expand = |&source: &Id| {
        let mut sink = OutgoingSink::new(Target::End, |edge| match edge.ends {
            Ends::Program => Target::End,
            Ends::Sections(keys) => {
                let state = store.intern(edge.target).id;
                match within.is_some_and(|places| !has_reached(places, state)) {
                    // As good as none: no section ends by staying in a state.
                    true => Target::State {
                        state: source,
                        ended: writer.list(&hints.lists, &[]),
                    },
                    false => Target::State {
                        state,
                        ended: writer.list(&hints.lists, keys),
                    },
                }
            }
        });
        system.successors(worker, store.get(source), &mut sink);
        (source, sink.transitions)
    };
    states.iter().map(expand).collect()
}
