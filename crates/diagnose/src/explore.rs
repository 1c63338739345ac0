//! The states on the path to an error, for the explorer: each as its difference to the one before.

use crate::present::{Present, present};
use crate::trace;
use crate::walk::{Offer, Walk};
use impasse_machine::machine::record::Event;
use impasse_machine::system::System;
use impasse_report::{Exploration, Snapshot};
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
        now: Present::default(),
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
    now: Present,
    found: Exploration,
}

impl<'s> Explorer<'s> {
    fn take(&mut self, offer: Offer<'s>) {
        self.walk.take(offer);
        let mut snapshot = Snapshot::default();
        if let Some(now) = present(self.system, &mut self.walk) {
            snapshot.threads = difference(&self.now.threads, &now.threads);
            snapshot.objects = difference(&self.now.objects, &now.objects);
            self.now = now;
        }
        self.found.snapshots.push(snapshot);
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
            // A state that was not visited, and one of those that come again and again, comes
            // first.
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
