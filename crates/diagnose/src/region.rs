//! What the threads do in the region of a hang.
//!
//! The region holds the states reachable from where the section cannot end any more. Its nearest
//! terminal strongly connected component is the lasting situation. A thread that takes no step
//! there is blocked forever or has ended. A thread that takes steps runs forever; it waits in vain
//! for what it reads there and no thread changes.

use impasse_machine::base::fault::{Awaited, Blocked, CodePlace, ErrorKind};
use impasse_machine::base::section_type::SectionType;
use impasse_machine::machine::names::contents::Cells;
use impasse_machine::machine::record::{Action, Detail, Event};
use impasse_machine::state::journal::Journal;
use impasse_machine::state::{Held, HeldKind};
use impasse_machine::system::System;
use impasse_machine::system::replay::Replay;
use impasse_machine::system::step::{Stepper, View};
use impasse_program::address::Address;
use impasse_transition_system::{Emission, Emissions, HangRegion};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// A thread in the region of a hang.
pub struct ThreadInRegion {
    /// Its number in the states.
    pub thread: u32,
    /// Its frames in the first terminal state, innermost first.
    pub frames: Vec<CodePlace>,
    /// The local variables of each frame.
    pub locals: Vec<Cells>,
    /// What it does.
    pub status: ThreadStatus,
    /// What it holds forever, or held when it ended.
    pub holds: Vec<Kept>,
}

/// What is not given up.
pub struct Kept {
    /// Its place among what the thread holds.
    pub slot: u32,
    /// What kind of thing it is.
    pub kind: HeldKind,
    /// Its name; of a function that is not left, the function's.
    pub name: String,
}

/// The status of a thread in the region of a hang.
pub enum ThreadStatus {
    /// It is blocked forever.
    Blocked(Blocked),
    /// It runs forever.
    Runs {
        /// What it does.
        moves: Loop,
        /// What it waits for, if it runs in an operation of a library.
        waits: Option<Blocked>,
    },
    /// It has ended.
    Ended,
}

/// In so many states of a region, allocated objects have the names that they have on the path.
const MOST_FOLLOWED: usize = 2_000;

/// What a thread that runs forever does.
#[derive(Default)]
pub struct Loop {
    /// Where it passes by: stacks, innermost frame first.
    pub places: BTreeSet<Vec<CodePlace>>,
    /// What it reads, by what does not change its name.
    pub reads: BTreeMap<String, Read>,
    /// What it changes, by what does not change its name; and its name.
    pub writes: BTreeMap<String, String>,
    /// Its operations on locks and the like, as in "locks m".
    pub does: BTreeSet<String>,
}

/// Something that a thread reads again and again.
#[derive(Default)]
pub struct Read {
    /// Its name.
    pub name: String,
    /// All values that are found there; none if it is part of something of a library, which has the
    /// name.
    pub values: BTreeSet<String>,
}

/// Returns the threads in the region of a hang at the end of a path, in the order of their numbers:
/// the living ones, and those that ended while they held something.
pub fn threads(system: &System, region: &HangRegion, replay: &Replay) -> Vec<ThreadInRegion> {
    let mut stepper = Stepper::new(system);
    stepper.record(Detail::default());
    let journals = journals(&mut stepper, region, replay);
    let unknown = Arc::new(replay.journal.of_threads());
    let mut terminal = Terminal::default();
    let continue_at = |stepper: &mut Stepper<'_>, state: &Vec<u8>| {
        let known = journals.get(state).unwrap_or(&unknown);
        stepper.continue_with(Arc::clone(known));
    };
    for state in &region.terminal {
        continue_at(&mut stepper, state);
        terminal.add(&mut stepper, state);
    }
    let first = region.terminal.first().or(region.states.first());
    let view = first.map(|state| {
        continue_at(&mut stepper, state);
        stepper.view(state)
    });
    let threads = view.map(|view| Lasting {
        system,
        view,
        terminal,
    });
    threads.map_or(Vec::new(), Lasting::threads)
}

/// What is known of the past in the terminal states of a region: followed from the end of a path on
/// a shortest way to each. Not all of a large region are looked at.
fn journals<'s>(
    stepper: &mut Stepper<'s>,
    region: &HangRegion,
    replay: &Replay,
) -> HashMap<Vec<u8>, Arc<Journal>> {
    let inside: HashSet<&Vec<u8>> = region.states.iter().chain(&region.terminal).collect();
    let mut unseen: HashSet<&Vec<u8>> = region.terminal.iter().collect();
    let mut known = HashMap::from([(replay.state.clone(), Arc::clone(&replay.journal))]);
    let mut queue = VecDeque::from([replay.state.clone()]);
    unseen.remove(&replay.state);
    while let Some(state) = queue.pop_front().filter(|_| !unseen.is_empty()) {
        stepper.continue_with(Arc::clone(&known[&state]));
        let mut emissions = Emissions::<&'s System>::new();
        stepper.successors(&state, &mut emissions);
        let emissions = emissions.0.into_iter();
        let all = emissions.filter(|it| !matches!(it, Emission::Omission(_)));
        for (emission, recorded) in all.zip(stepper.recorded()) {
            let Emission::Edge(edge) = emission else {
                continue;
            };
            let is_new = inside.contains(&edge.target) && !known.contains_key(&edge.target);
            if is_new && known.len() < MOST_FOLLOWED {
                unseen.remove(&edge.target);
                queue.push_back(edge.target.clone());
                known.insert(edge.target, recorded.journal);
            }
        }
    }
    known
}

impl ThreadInRegion {
    /// Returns what the thread does over and over, or `None` if it does not run forever.
    pub fn moves(&self) -> Option<&Loop> {
        match &self.status {
            ThreadStatus::Runs { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// Returns the outermost function of the program's own code on the thread's stack, or `None` if
    /// there is none.
    pub fn routine(&self, system: &System) -> Option<String> {
        let own = |place: &&CodePlace| system.own[place.function.0 as usize];
        let outermost = self.frames.iter().rev().find(own)?;
        Some(function_name(system, outermost))
    }
}

impl Kept {
    /// Returns whether this is a lock, or a section that only one thread can be in.
    pub fn is_exclusive(&self) -> bool {
        self.kind == HeldKind::Exclusive || self.kind.is_lock()
    }
}

fn function_name(system: &System, place: &CodePlace) -> String {
    system.program.info(place.function).display_name.clone()
}

/// What is noted in the terminal states.
#[derive(Default)]
struct Terminal {
    /// By thread, for those that move.
    loops: BTreeMap<usize, Loop>,
    /// Threads and slots of what is held in all of them.
    kept: Option<BTreeSet<(usize, usize)>>,
}

impl Terminal {
    /// Takes all steps from a state, and notes what each thread does in them.
    fn add<'s>(&mut self, stepper: &mut Stepper<'s>, state: &[u8]) {
        let mut emissions = Emissions::<&'s System>::new();
        stepper.successors(state, &mut emissions);
        let movers: Vec<u32> = emissions.0.into_iter().filter_map(mover).collect();
        for (thread, recorded) in movers.iter().zip(stepper.recorded()) {
            let moves = self.loops.entry(*thread as usize).or_default();
            recorded.events.iter().for_each(|event| moves.note(event));
        }
        let view = stepper.view(state);
        for thread in movers {
            let moves = self.loops.entry(thread as usize).or_default();
            moves.places.insert(view.frames_of(thread as usize));
        }
        let slots = (0..view.thread_count()).flat_map(|number| {
            let held = view.held_by(number).iter().enumerate();
            held.filter_map(move |(slot, held)| held.map(|_| (number, slot)))
        });
        let slots: BTreeSet<(usize, usize)> = slots.collect();
        match &mut self.kept {
            Some(kept) => kept.retain(|slot| slots.contains(slot)),
            None => self.kept = Some(slots),
        }
    }
}

impl Loop {
    /// Returns whether the thread changes nothing that others could see.
    pub fn changes_nothing(&self) -> bool {
        self.writes.is_empty() && self.does.is_empty()
    }

    /// Adds an event. Writing what is there already changes nothing.
    fn note(&mut self, event: &Event) {
        match &event.action {
            // What a copy reads is not known.
            Action::Read { value, .. } if value.is_empty() => {}
            Action::Read { variable, value }
            | Action::Fail {
                variable, value, ..
            } => self.read(event, variable, value),
            Action::Write {
                variable,
                old,
                value,
            } if old == value && !old.is_empty() => self.read(event, variable, value),
            Action::Write { variable, .. } => {
                let name = event.library.as_ref().unwrap_or(variable);
                let name = name.clone();
                self.writes.insert(event.identity.clone(), name);
            }
            Action::Operation { text } if event.library.is_none() => {
                self.does.insert(text.clone());
            }
            _ => {}
        }
        self.places.insert(event.frames.clone());
    }

    fn read(&mut self, event: &Event, variable: &str, value: &str) {
        let read = self.reads.entry(event.identity.clone()).or_default();
        match &event.library {
            Some(whole) => read.name = whole.clone(),
            None => {
                read.name = variable.into();
                read.values.insert(value.into());
            }
        }
    }
}

/// The thread that takes a step; none takes a deadlock.
fn mover(emission: Emission<&System>) -> Option<u32> {
    match emission {
        Emission::Edge(edge) => Some(edge.label),
        Emission::Fault(fault) if fault.kind != ErrorKind::Hang => Some(fault.thread),
        Emission::Fault(_) | Emission::Omission(_) => None,
    }
}

/// The first terminal state, and what is known of all of them.
struct Lasting<'v, 's> {
    system: &'s System,
    view: View<'v, 's>,
    terminal: Terminal,
}

impl Lasting<'_, '_> {
    fn threads(mut self) -> Vec<ThreadInRegion> {
        let numbers = 0..self.view.thread_count();
        let concerns =
            |view: &View<'_, '_>, n: usize| view.is_alive(n) || !view.held_by(n).is_empty();
        let numbers: Vec<usize> = numbers.filter(|&n| concerns(&self.view, n)).collect();
        let threads = numbers.into_iter().map(|number| {
            let status = self.status(number);
            let frames = self.view.frames_of(number);
            ThreadInRegion {
                thread: number as u32,
                holds: self.kept(number, &frames),
                locals: self.view.values().locals_of(number),
                frames,
                status,
            }
        });
        threads.collect()
    }

    fn status(&mut self, number: usize) -> ThreadStatus {
        if !self.view.is_alive(number) {
            return ThreadStatus::Ended;
        }
        let moves = self.terminal.loops.remove(&number);
        let operation = self.operation_of(number);
        match moves {
            None => {
                let blocked = self.view.why_blocked(number);
                let operation =
                    operation.map(|(_, kind, held)| self.waiting_in(number, kind, &held));
                ThreadStatus::Blocked(operation.unwrap_or(blocked))
            }
            Some(moves) => {
                let lasts = operation.filter(|(slot, ..)| self.is_kept(number, *slot));
                ThreadStatus::Runs {
                    moves,
                    waits: lasts.map(|(_, kind, held)| self.waiting_in(number, kind, &held)),
                }
            }
        }
    }

    fn is_kept(&self, thread: usize, slot: usize) -> bool {
        let kept = self.terminal.kept.as_ref();
        kept.is_some_and(|kept| kept.contains(&(thread, slot)))
    }

    /// What a thread holds in all terminal states.
    fn kept(&self, thread: usize, frames: &[CodePlace]) -> Vec<Kept> {
        let held = self.view.held_by(thread).iter().enumerate();
        let held = held.filter_map(|(slot, held)| Some((slot, (*held)?)));
        let kept = held.filter(|(slot, _)| self.is_kept(thread, *slot));
        let kept = kept.map(|(slot, held)| Kept {
            slot: slot as u32,
            kind: held.kind,
            name: match held.kind {
                HeldKind::Function => {
                    let place = frames.iter().rev().nth(held.frame as usize);
                    place.map_or(String::new(), |place| function_name(self.system, place))
                }
                _ => self.view.name_of(&held),
            },
        });
        kept.collect()
    }

    /// The operation of a library that a thread is in, not counting those that have called the
    /// program's own code; and its slot.
    fn operation_of(&self, thread: usize) -> Option<(usize, SectionType, Held)> {
        let frames = self.view.frames_of(thread);
        let first_own = frames.iter().position(|place| self.is_own(place));
        let outside = frames.len() - first_own.unwrap_or(0);
        let mut held = self.view.held_by(thread).iter().enumerate();
        held.find_map(|(slot, held)| match (*held)? {
            held @ Held {
                kind: HeldKind::Operation(kind),
                ..
            } if held.frame as usize >= outside => Some((slot, kind, held)),
            _ => None,
        })
    }

    /// What a thread waits for that is in an operation of a library.
    fn waiting_in(&self, thread: usize, kind: SectionType, held: &Held) -> Blocked {
        Blocked {
            until: Awaited::Operation(kind),
            resource: self.view.name_of(held),
            on: self.who_has(kind, held.address, thread),
        }
    }

    /// The threads that have what an operation of a library waits for, as far as that is known.
    fn who_has(&self, kind: SectionType, address: Address, waiting: usize) -> Vec<u32> {
        let has = |number: usize| match kind {
            SectionType::Once => number != waiting && self.initialises(number, address),
            SectionType::Mutex | SectionType::ReaderWriter => {
                let kinds = [HeldKind::Mutex, HeldKind::ReadLock, HeldKind::WriteLock];
                let mut held = self.view.held_by(number).iter().flatten();
                held.any(|held| held.address == address && kinds.contains(&held.kind))
            }
            _ => false,
        };
        let numbers = (0..self.view.thread_count()).filter(|&number| has(number));
        numbers.map(|number| number as u32).collect()
    }

    /// Whether a thread is in an initialisation with a flag at an address, and runs the program's
    /// own code there.
    fn initialises(&self, thread: usize, flag: Address) -> bool {
        let operation = HeldKind::Operation(SectionType::Once);
        let mut held = self.view.held_by(thread).iter().flatten();
        let Some(held) = held.find(|held| held.kind == operation && held.address == flag) else {
            return false;
        };
        let frames = self.view.frames_of(thread);
        let inside = frames.len().saturating_sub(held.frame as usize);
        frames.iter().take(inside).any(|place| self.is_own(place))
    }

    fn is_own(&self, place: &CodePlace) -> bool {
        self.system.own[place.function.0 as usize]
    }
}
