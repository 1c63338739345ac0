//! The states on the path to an error, for the explorer: each as its difference to the one before.

use crate::place;
use crate::trace;
use crate::walk::{Offer, Walk};
use crate::words::waits_for;
use impasse_machine::base::fault::Awaited;
use impasse_machine::machine::names::contents::Cells;
use impasse_machine::machine::record::Event;
use impasse_machine::state::journal::Journal;
use impasse_machine::system::System;
use impasse_machine::system::step::View;
use impasse_report::{Exploration, Frame, ObjectState, Snapshot, ThreadState, Wait};
use impasse_transition_system::{Emission, HangRegion, Path};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Transitions of a hang that are shown, at most.
const LONGEST_CYCLE: usize = 60;

/// Returns the states on a path of a system, and what follows if it leads to a hang with this
/// region.
pub fn exploration(system: &System, path: &Path, region: Option<&HangRegion>) -> Exploration {
    let mut explorer = Explorer {
        system,
        walk: Walk::along(system, path),
        threads: BTreeMap::new(),
        objects: BTreeMap::new(),
        found: Exploration::default(),
    };
    for &ordinal in path.ordinals() {
        match explorer.walk.offer(ordinal) {
            Some(offer) => explorer.take(offer),
            None => break,
        }
    }
    if let Some(region) = region {
        explorer.add_cycle(region);
    }
    explorer.found
}

struct Explorer<'s> {
    system: &'s System,
    walk: Walk<'s>,
    /// The threads in the present state, by numbers in reports.
    threads: BTreeMap<u32, ThreadState>,
    objects: BTreeMap<String, ObjectState>,
    found: Exploration,
}

impl<'s> Explorer<'s> {
    fn take(&mut self, offer: Offer<'s>) {
        self.walk.take(offer);
        let mut snapshot = Snapshot::default();
        if let Some((threads, objects)) = self.state() {
            snapshot.threads = difference(&self.threads, &threads);
            snapshot.objects = difference(&self.objects, &objects);
            (self.threads, self.objects) = (threads, objects);
        }
        self.found.snapshots.push(snapshot);
    }

    fn state(&mut self) -> Option<(BTreeMap<u32, ThreadState>, BTreeMap<String, ObjectState>)> {
        let system = self.system;
        let (mut view, journal) = self.walk.view()?;
        let alive = (0..view.thread_count()).filter(|&thread| view.is_alive(thread));
        let alive: Vec<usize> = alive.collect();
        let values = view.values();
        let own = alive.iter();
        let own = own.map(|&thread| (thread, values.locals_of(thread), values.delayed_by(thread)));
        let own: Vec<_> = own.collect();
        let contents = values.contents();
        let mut threads = BTreeMap::new();
        for (thread, locals, delayed) in own {
            let state = ThreadState {
                delayed,
                ..thread_state(system, &mut view, &journal, thread, &locals)
            };
            threads.insert(journal.thread(thread), state);
        }
        let objects = contents.into_iter().map(|it| {
            let state = ObjectState {
                kind: it.kind.into(),
                name: it.name,
                cells: it.cells,
            };
            (it.identity, state)
        });
        Some((threads, objects.collect()))
    }

    /// Follows what the threads do in the region of a hang, until a state comes again.
    fn add_cycle(&mut self, region: &HangRegion) {
        let inside: HashSet<&Vec<u8>> = region.states.iter().collect();
        let lasting: HashSet<&Vec<u8>> = region.terminal.iter().collect();
        let mut visited: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut events: Vec<Event> = Vec::new();
        for _ in 0..LONGEST_CYCLE {
            let number = self.found.snapshots.len() as u32;
            let Some(state) = self.walk.state.clone() else {
                break;
            };
            visited.insert(state, number);
            // A state that was not visited, and one of those that come again and again, comes first.
            let rank = |offer: &Offer<'_>| match &offer.emission {
                Emission::Edge(edge) if inside.contains(&edge.target) => Some((
                    visited.contains_key(&edge.target),
                    !lasting.contains(&edge.target),
                )),
                _ => None,
            };
            let offers = self.walk.offers().all.into_iter();
            let ranked = offers.filter_map(|offer| Some((rank(&offer)?, offer)));
            let Some((_, mut offer)) = ranked.min_by_key(|(rank, _)| *rank) else {
                break;
            };
            let own = std::mem::take(&mut offer.events).into_iter();
            events.extend(own.map(|event| Event {
                transition: number,
                ..event
            }));
            self.take(offer);
            let known = self
                .walk
                .state
                .as_ref()
                .and_then(|state| visited.get(state));
            if let Some(&known) = known {
                self.found.repeats_from = Some(known);
                break;
            }
        }
        let mut steps = trace::steps(self.system, &events);
        steps.retain(|step| step.line > 0);
        self.found.cycle = steps;
    }
}

fn thread_state(
    system: &System,
    view: &mut View<'_, '_>,
    journal: &Journal,
    thread: usize,
    locals: &[Cells],
) -> ThreadState {
    let mut stack = place::frames_with_locals(system, &view.frames_of(thread), locals);
    let is_own = |frame: &Frame| !frame.library && frame.line > 0;
    if stack.iter().any(is_own) {
        stack.retain(is_own);
    } else {
        stack.truncate(1);
    }
    let held = view.held_by(thread).iter().flatten();
    let locks = held.filter(|held| held.kind.is_lock());
    let holds = locks.map(|held| view.name_of(held)).collect();
    let blocked = view.why_blocked(thread);
    ThreadState {
        stack,
        blocked: (blocked.until != Awaited::Unknown).then(|| Wait {
            text: waits_for(&blocked, thread as u32, |it| journal.thread(it as usize)),
            on: blocked
                .on
                .iter()
                .map(|&it| journal.thread(it as usize))
                .collect(),
            resource: blocked.resource,
        }),
        holds,
        delayed: Vec::new(),
    }
}

/// What is new, changed or gone.
fn difference<K: Ord + Clone, V: PartialEq + Clone>(
    before: &BTreeMap<K, V>,
    after: &BTreeMap<K, V>,
) -> BTreeMap<K, Option<V>> {
    let changed = after
        .iter()
        .filter(|(key, value)| before.get(key) != Some(value));
    let changed = changed.map(|(key, value)| (key.clone(), Some(value.clone())));
    let gone = before.keys().filter(|key| !after.contains_key(key));
    changed.chain(gone.map(|key| (key.clone(), None))).collect()
}
