//! Which of the sections that hang together is told.
//!
//! The search names the nearest state in which some section can end no more. There others may be as stuck, and further on in the
//! trap sections are begun that are: a thread that holds a lock can never unlock it, since it is about to
//! lock it once more. The one that says most is told, with the way to the first state from which *it* cannot end.
//!
//! *Time.* The machine's clocks show few times and then stand still, so that a program may wait forever for a time limit that would pass. So what a section
//! can come to is looked at with clocks that may show a later time at each look: what cannot end even so never ends. Where it can, nobody knows.

use impasse_machine::base::section_type::SectionType;
use impasse_machine::state::section::Section;
use impasse_machine::system::System;
use impasse_machine::system::step::Stepper;
use impasse_search::hang_region;
use impasse_transition_system::{Emission, Emissions, HangRegion, Key, TransitionSystem};
use std::collections::{HashMap, VecDeque};

/// How many states of a trap are looked at.
const LIMIT: usize = 5_000;

/// How many, where it must be found out whether time makes it end.
const LIMIT_OF_TIME: usize = 200_000;

/// How often it is tried whether a section begun later can end.
const TRIES: usize = 100;

/// From what says much to what says little.
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

/// A section to tell of, and the way to it from the state that was looked at.
pub struct Telling {
    /// The section.
    pub section: Key,
    /// The transitions to the first state from which it cannot end.
    pub way: Vec<u32>,
    /// What can be reached from there.
    pub trap: HangRegion,
}

/// The section that says most, given one that cannot end in a state while clocks stand still; none if it may end as time goes on.
pub fn most_telling(system: &System, section: Key, state: &[u8]) -> Option<Telling> {
    Teller::new(system).most_telling(section, state)
}

/// What a section that cannot end in a state while clocks stand still comes to.
pub fn standing_still(system: &System, section: Key, state: &[u8]) -> HangRegion {
    let found = hang_region(&system, &mut system.worker(), state, section, LIMIT);
    found.expect("the search has shown that the section cannot end")
}

/// The first in the order of telling of the sections open in a state.
pub fn first_open(system: &System, state: &[u8]) -> Option<Key> {
    let open = Teller::new(system).open_sections(state);
    open.into_iter().min_by_key(|&key| rank(key))
}

/// Looks at what can follow a state, time and again: workers remember the steps.
struct Teller<'s> {
    system: &'s System,
    worker: Stepper<'s>,
    /// For what sections come to: time goes on.
    trapper: Stepper<'s>,
}

impl<'s> Teller<'s> {
    fn new(system: &'s System) -> Self {
        let mut trapper = system.worker();
        trapper.let_time_go_on();
        Teller {
            system,
            worker: system.worker(),
            trapper,
        }
    }

    fn most_telling(&mut self, section: Key, state: &[u8]) -> Option<Telling> {
        let mut found = self.trap(section, state, LIMIT)?;
        if !found.complete && self.trapper.has_looked_late() {
            found = self
                .trap(section, state, LIMIT_OF_TIME)
                .filter(|found| found.complete)?;
        }
        let (best, trap) = self.most_telling_here(section, state, &found);
        let mut later = self.open_where_settled(&found);
        later.retain(|&key| rank(key).0 < rank(best).0);
        later.sort_by_key(|&key| rank(key));
        // Those that were begun later say more, if they cannot end either.
        let settled = found.terminal.first();
        let told = later.into_iter().find_map(|key| {
            self.hang(key, settled?)?;
            self.way_to(key, state)
        });
        Some(told.unwrap_or(Telling {
            section: best,
            way: Vec::new(),
            trap: trap.unwrap_or(found),
        }))
    }

    /// Of the sections open in a state that cannot end the one that says most, and its trap, if it is another one than the given one.
    fn most_telling_here(
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

    /// The sections that are open in all states that a trap settles into, if that is known.
    fn open_where_settled(&mut self, found: &HangRegion) -> Vec<Key> {
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

    /// The way from a state to the nearest one from which a section cannot end, if there is one not far away.
    fn way_to(&mut self, section: Key, state: &[u8]) -> Option<Telling> {
        let mut found: HashMap<Vec<u8>, Option<(Vec<u8>, u32)>> =
            HashMap::from([(state.to_vec(), None)]);
        let mut queue = VecDeque::from([state.to_vec()]);
        let mut tries = TRIES;
        while let Some(state) = queue.pop_front() {
            if self.open_sections(&state).contains(&section) {
                if let Some(trap) = self.hang(section, &state) {
                    let mut way = Vec::new();
                    let mut last = &state;
                    while let Some((before, ordinal)) = &found[last] {
                        way.push(*ordinal);
                        last = before;
                    }
                    way.reverse();
                    return Some(Telling { section, way, trap });
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

    /// The trap of a section that can never end from a state; none if that would take long to tell.
    fn hang(&mut self, section: Key, state: &[u8]) -> Option<HangRegion> {
        self.trap(section, state, LIMIT)
            .filter(|trap| trap.complete)
    }

    /// The trap of a section that cannot end from a state, as far as that is looked at.
    fn trap(&mut self, section: Key, state: &[u8], limit: usize) -> Option<HangRegion> {
        hang_region(&self.system, &mut self.trapper, state, section, limit)
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
