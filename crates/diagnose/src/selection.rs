//! Counterexample selection: which of the sections that can never end Impasse reports.
//!
//! The search returns the nearest state from which some section cannot end. Other sections may hang
//! in that state too, and the program may enter further ones in the region of the hang: a thread
//! that holds a lock can never unlock it because it is about to lock it once more. Impasse reports
//! the section that says most, with the path to the first state from which *that section* cannot
//! end.
//!
//! *Time.* The machine's clocks show few values and then stand still, so a program may wait forever
//! for a time limit that would pass. So the region is computed with clocks that may show a later
//! value at each read: what cannot end even then never ends. Otherwise the verdict is inconclusive.
//!
//! *Inputs.* Where inputs are followed symbolically, the search takes them for an adversary who may
//! decide late. So the region is computed with inputs that favour the end: what cannot end even
//! then never ends, whatever their values are (`docs/internals/symbolic.md`). If the section can
//! end from the state that the search has found, a later one is looked for from which it cannot.

use impasse_machine::base::section_type::SectionType;
use impasse_machine::state::section::Section;
use impasse_machine::system::System;
use impasse_machine::system::step::Stepper;
use impasse_search::hang_region;
use impasse_transition_system::{Emission, Emissions, HangRegion, Key, TransitionSystem};
use std::collections::{HashMap, VecDeque};

/// States of a region that are expanded, at most.
const LIMIT: usize = 5_000;

/// The same if a later time may end the section.
const LIMIT_OF_TIME: usize = 200_000;

/// Sections begun later that are checked, at most.
const TRIES: usize = 100;

/// The types of sections, from the one that says most.
const RANKS: [SectionType; 11] = [
    SectionType::User,
    SectionType::Condition,
    SectionType::Semaphore,
    SectionType::Barrier,
    SectionType::Once,
    SectionType::Atomic,
    SectionType::Mutex,
    SectionType::ReaderWriter,
    SectionType::Critical,
    SectionType::Join,
    SectionType::Thread,
];

/// The section to report, and the path to it from the state that the search has found.
pub struct Selected {
    /// The section.
    pub section: Key,
    /// The ordinals of the transitions to the first state from which it cannot end.
    pub suffix: Vec<u32>,
    /// What is reachable from there.
    pub region: HangRegion,
}

/// Returns the section to report, given one that cannot end from `state` while clocks stand still,
/// or `None` if it may end as time passes.
pub fn select(system: &System, section: Key, state: &[u8]) -> Option<Selected> {
    Selector::new(system).select(section, state)
}

/// Returns the region of a section that cannot end from `state` while clocks stand still. Panics if
/// it can.
pub fn region_with_stopped_clocks(system: &System, section: Key, state: &[u8]) -> HangRegion {
    let found = hang_region(&system, &mut system.worker(), state, section, LIMIT);
    found.expect("the search has shown that the section cannot end")
}

/// Returns the most informative section open in `state`, or `None` if none is open.
pub fn first_open(system: &System, state: &[u8]) -> Option<Key> {
    let open = Selector::new(system).open_sections(state);
    open.into_iter().min_by_key(|&key| rank(key))
}

/// Explores what follows a state. The workers keep their step caches.
struct Selector<'s> {
    system: &'s System,
    worker: Stepper<'s>,
    /// Computes regions: time passes.
    region_worker: Stepper<'s>,
}

impl<'s> Selector<'s> {
    fn new(system: &'s System) -> Self {
        let mut region_worker = system.worker();
        region_worker.let_time_pass();
        region_worker.let_inputs_cooperate();
        Selector {
            system,
            worker: system.worker(),
            region_worker,
        }
    }

    fn select(&mut self, section: Key, state: &[u8]) -> Option<Selected> {
        let Some(mut found) = self.region(section, state, LIMIT) else {
            // Once an adversary has decided, it may not end for any input.
            return self
                .path_to(section, state)
                .filter(|_| self.system.terms.is_some());
        };
        if !found.complete && (self.region_worker.has_read_late() || self.system.terms.is_some()) {
            found = self
                .region(section, state, LIMIT_OF_TIME)
                .filter(|found| found.complete)?;
        }
        let (best, region) = self.select_here(section, state, &found);
        let mut later = self.always_open(&found);
        later.retain(|&key| rank(key).0 < rank(best).0);
        later.sort_by_key(|&key| rank(key));
        // Sections begun later say more, if they cannot end either.
        let terminal = found.terminal.first();
        let selected = later.into_iter().find_map(|key| {
            self.hang(key, terminal?)?;
            self.path_to(key, state)
        });
        Some(selected.unwrap_or(Selected {
            section: best,
            suffix: Vec::new(),
            region: region.unwrap_or(found),
        }))
    }

    /// Returns the section that says most of those open in a state that cannot end. If it is not
    /// the given one, also returns its region.
    fn select_here(
        &mut self,
        section: Key,
        state: &[u8],
        found: &HangRegion,
    ) -> (Key, Option<HangRegion>) {
        let mut here = self.open_sections(state);
        here.retain(|&key| found.complete && rank(key) < rank(section));
        here.sort_by_key(|&key| rank(key));
        let mut stuck = here
            .into_iter()
            .filter_map(|key| Some((key, Some(self.hang(key, state)?))));
        stuck.next().unwrap_or((section, None))
    }

    /// The sections that are open in all states of the terminal component, if it is known.
    fn always_open(&mut self, found: &HangRegion) -> Vec<Key> {
        let Some((first, others)) = found.terminal.split_first().filter(|_| found.complete) else {
            return Vec::new();
        };
        let mut open = self.open_sections(first);
        for state in others {
            let here = self.open_sections(state);
            open.retain(|key| here.contains(key));
        }
        open
    }

    /// The path from a state to the nearest one from which a section cannot end, if there is one
    /// nearby.
    fn path_to(&mut self, section: Key, state: &[u8]) -> Option<Selected> {
        let mut found: HashMap<Vec<u8>, Option<(Vec<u8>, u32)>> =
            HashMap::from([(state.to_vec(), None)]);
        let mut queue = VecDeque::from([state.to_vec()]);
        let mut tries = TRIES;
        while let Some(state) = queue.pop_front() {
            if self.open_sections(&state).contains(&section) {
                if let Some(region) = self.hang(section, &state) {
                    let mut suffix = Vec::new();
                    let mut last = &state;
                    while let Some((before, ordinal)) = &found[last] {
                        suffix.push(*ordinal);
                        last = before;
                    }
                    suffix.reverse();
                    return Some(Selected {
                        section,
                        suffix,
                        region,
                    });
                }
                tries = tries.checked_sub(1)?;
            }
            if found.len() > LIMIT {
                return None;
            }
            for (ordinal, target) in self.targets(&state).into_iter().enumerate() {
                let Some(target) = target.filter(|target| !found.contains_key(target)) else {
                    continue;
                };
                found.insert(target.clone(), Some((state.clone(), ordinal as u32)));
                queue.push_back(target);
            }
        }
        None
    }

    /// The region of a section that can never end from a state; `None` if that takes long to find
    /// out.
    fn hang(&mut self, section: Key, state: &[u8]) -> Option<HangRegion> {
        self.region(section, state, LIMIT)
            .filter(|region| region.complete)
    }

    /// The region of a section that cannot end from a state, up to a limit of states.
    fn region(&mut self, section: Key, state: &[u8], limit: usize) -> Option<HangRegion> {
        hang_region(&self.system, &mut self.region_worker, state, section, limit)
    }

    fn open_sections(&mut self, state: &[u8]) -> Vec<Key> {
        let mut open = Vec::new();
        self.system
            .open_sections(&mut self.worker, state, &mut open);
        open
    }

    /// Where the transitions of a state lead, by ordinal; nowhere if to a fault.
    fn targets(&mut self, state: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut emissions = Emissions::new();
        self.system
            .successors(&mut self.worker, state, &mut emissions);
        let emissions = emissions.0.into_iter();
        let targets = emissions.filter_map(|emission| match emission {
            Emission::Edge(edge) => Some(Some(edge.target)),
            Emission::Fault(_) => Some(None),
            Emission::Omission(_) => None,
        });
        targets.collect()
    }
}

fn rank(key: Key) -> (usize, u32, Section) {
    let section = Section::from_key(key);
    // Where a lock is held and wanted once more, wanting it was begun later, and says more.
    let earliness = match section {
        Section::Held {
            kind: SectionType::ReaderWriter,
            slot,
            ..
        } => u32::MAX - slot,
        _ => 0,
    };
    let ranked = RANKS
        .iter()
        .position(|&ranked| Some(ranked) == section.kind());
    (ranked.unwrap_or(RANKS.len()), earliness, section)
}
