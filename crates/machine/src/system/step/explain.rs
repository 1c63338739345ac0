//! The reason for a hang: what the threads do in its region.
//!
//! The region of a hang holds the states reachable from where the section cannot end any more. Its
//! nearest terminal strongly connected component is the lasting situation. A thread that takes no
//! step there is blocked forever or has ended. A thread that takes steps runs forever; it waits in
//! vain for what it reads there and no thread changes.

use super::Stepper;
use crate::base::fault::{Blocked, CodePlace, ErrorKind, Fault, Halt, ThreadStack};
use crate::base::section_type::SectionType;
use crate::machine::record::{Action, Detail, Event};
use crate::machine::system::System;
use crate::state::journal::Journal;
use crate::state::section::Section;
use crate::state::thread::{Held, HeldKind, Thread};
use impasse_program::address::Address;
use impasse_program::word::Word;
use impasse_transition_system::{Emission, Emissions, HangRegion};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A section that can never end, and why.
#[derive(Clone, Debug)]
pub struct Hang {
    /// The section.
    pub section: Section,
    /// What it is about, in the program's names; empty if that is the program itself.
    pub resource: String,
    /// Whether it is that a lock is held.
    pub is_lock: bool,
    /// What happened, in one sentence.
    pub message: String,
    /// All threads that have not been forgotten, by number.
    pub threads: Vec<ThreadInRegion>,
    /// How many states the region has.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
}

/// A thread in the region of a hang.
#[derive(Clone, Debug)]
pub struct ThreadInRegion {
    /// Its number.
    pub thread: u32,
    /// The function of the program that it runs, if it still does.
    pub routine: Option<String>,
    /// Its frames in the first terminal state, innermost first.
    pub frames: Vec<CodePlace>,
    /// What becomes of it.
    pub status: ThreadStatus,
    /// The operation of a library in which it runs forever, if it is in one.
    pub operation: Option<Blocked>,
    /// The locks that it holds forever, or has held when it ended.
    pub holds: Vec<Kept>,
}

/// A lock, or a section with something exclusive, that is not given up.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// Its place among what the thread holds.
    pub slot: u32,
}

/// The status of a thread in the region of a hang.
#[derive(Clone, Debug)]
pub enum ThreadStatus {
    /// It is blocked forever.
    Blocked(Blocked),
    /// It runs forever.
    Runs(Loop),
    /// It has ended.
    Ended,
}

/// What a thread that runs forever does.
#[derive(Clone, Default, Debug)]
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
#[derive(Clone, Default, Debug)]
pub struct Read {
    /// Its name.
    pub name: String,
    /// All values that are found there; none if it is part of something of a library, which has the
    /// name.
    pub values: BTreeSet<String>,
}

/// Returns why a section can never end, given its region at the end of a path.
pub fn explain(system: &System, section: Section, region: &HangRegion, journal: &Journal) -> Hang {
    let mut stepper = Stepper::new(system);
    stepper.record(Detail::default());
    stepper.go_on_with(Arc::new(journal.of_threads()));
    let mut terminal = TerminalMoves::default();
    for state in &region.terminal {
        stepper.note_moves(state, &mut terminal);
    }
    let first = region.terminal.first().or(region.states.first());
    let mut threads = Vec::new();
    if let Some(state) = first {
        stepper.load(state);
        threads = stepper.hung(terminal);
    }
    let subject = stepper.subject(section, &threads);
    let who = section.thread().map(|n| stepper.machine.thread_name(n));
    let who = who.unwrap_or_default();
    Hang {
        section,
        is_lock: subject.held.is_some_and(HeldKind::is_lock),
        message: message(section, &who, &subject, &threads),
        resource: subject.resource,
        threads,
        states: region.states.len(),
        complete: region.complete,
    }
}

/// What is noted in the terminal states.
#[derive(Default)]
struct TerminalMoves {
    /// By thread, for those that move.
    loops: BTreeMap<usize, Loop>,
    /// Threads and slots of what is held in all of them.
    kept: Option<BTreeSet<(usize, usize)>>,
}

/// What a section is about.
struct Subject {
    resource: String,
    held: Option<HeldKind>,
    /// Whether it is a function of a library that is waited in.
    in_call: bool,
}

fn message(section: Section, who: &str, subject: &Subject, threads: &[ThreadInRegion]) -> String {
    let resource = &subject.resource;
    if section.thread().is_none() {
        let mut runs = threads.iter().filter_map(|thread| match &thread.status {
            ThreadStatus::Runs(runs) => Some(runs),
            _ => None,
        });
        let why = match runs.next() {
            None => ": no thread can continue",
            Some(first) if [first].into_iter().chain(runs).all(changes_nothing) => {
                ": no thread changes anything any more"
            }
            Some(_) => "",
        };
        return format!("the program can never end{why}");
    }
    let itself = section.kind() == Some(SectionType::Join) && resource == who;
    let never = match (section, subject.held) {
        (Section::Thread { .. }, _) => "end".into(),
        _ if subject.in_call => format!("return from {resource}"),
        _ if itself => "finish joining itself".into(),
        (_, Some(HeldKind::Operation(kind))) => ending(kind, resource),
        (_, Some(HeldKind::Exclusive)) => format!("leave its section on {resource}"),
        (_, Some(HeldKind::Event)) => format!("finish its wait for {resource}"),
        (_, Some(HeldKind::Function)) => format!("return from {resource}"),
        (_, Some(_)) => format!("unlock {resource}"),
        (Section::Waiting { kind, .. }, None) => ending(kind, resource),
        _ => "continue".into(),
    };
    format!("{who} can never {never}")
}

fn changes_nothing(runs: &Loop) -> bool {
    runs.writes.is_empty() && runs.does.is_empty()
}

/// What is done when waiting comes to its end.
fn ending(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("be woken from its wait for {resource}"),
        SectionType::Join => format!("finish joining {resource}"),
        SectionType::Barrier => format!("get past {resource}"),
        SectionType::Semaphore => format!("take {resource}"),
        SectionType::Once => format!("finish the initialisation of {resource}"),
        SectionType::Atomic => format!("finish its wait for {resource} to change"),
        _ => format!("lock {resource}"),
    }
}

/// What an operation that is blocked waits for.
fn waiting(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("for {resource}"),
        SectionType::Barrier => format!("for others to arrive at {resource}"),
        SectionType::Semaphore => format!("for a unit of {resource}"),
        SectionType::Once => format!("for the initialisation of {resource}"),
        SectionType::Atomic => format!("for {resource} to change"),
        _ => format!("to lock {resource}"),
    }
}

impl<'s> Stepper<'s> {
    /// Decodes a state.
    fn load(&mut self, state: &[u8]) {
        let globals = self.machine.program.mutable_globals() as usize;
        self.base.read(state, globals);
        self.restore_base();
        self.machine.stack.clear();
    }

    /// Takes all steps from a state, and notes what each thread does in them.
    fn note_moves(&mut self, state: &[u8], terminal: &mut TerminalMoves) {
        let loops = &mut terminal.loops;
        let mut emissions = Emissions::new();
        self.successors(state, &mut emissions);
        let movers: Vec<u32> = emissions.0.into_iter().filter_map(mover).collect();
        let recorded = self.recorded();
        for (thread, events) in movers.iter().zip(&recorded) {
            let noted = loops.entry(*thread as usize).or_default();
            for event in &events.events {
                noted.note(event);
            }
        }
        self.load(state);
        for thread in movers {
            let place = self.machine.frames_of(thread as usize);
            loops
                .entry(thread as usize)
                .or_default()
                .places
                .insert(place);
        }
        let slots = self
            .base
            .threads
            .iter()
            .enumerate()
            .flat_map(|(n, thread)| {
                let held = thread.held.iter().enumerate();
                held.filter_map(move |(slot, held)| held.map(|_| (n, slot)))
            });
        let slots: BTreeSet<(usize, usize)> = slots.collect();
        match &mut terminal.kept {
            Some(kept) => kept.retain(|slot| slots.contains(slot)),
            None => terminal.kept = Some(slots),
        }
    }

    /// All threads of the loaded state, the first of the terminal ones.
    fn hung(&mut self, mut terminal: TerminalMoves) -> Vec<ThreadInRegion> {
        let kept = terminal.kept.take().unwrap_or_default();
        let numbers = (0..self.base.threads.len()).filter(|&n| {
            let thread = &self.base.threads[n];
            thread.is_alive() || !thread.held.is_empty()
        });
        let numbers: Vec<usize> = numbers.collect();
        let hung = numbers.into_iter().map(|number| {
            let alive = self.base.threads[number].is_alive();
            let status = match terminal.loops.remove(&number) {
                _ if !alive => ThreadStatus::Ended,
                Some(noted) => ThreadStatus::Runs(noted),
                None => ThreadStatus::Blocked(self.why_blocked_for_users(number)),
            };
            self.restore_base();
            self.machine.stack.clear();
            let frames = self.machine.frames_of(number);
            let operation = match (&status, self.operation_of(number)) {
                (ThreadStatus::Runs(_), Some((slot, kind, held)))
                    if kept.contains(&(number, slot)) =>
                {
                    Some(self.waiting_in(number, kind, &held))
                }
                _ => None,
            };
            let mut held = self.base.threads[number].held.clone();
            for (slot, held) in held.iter_mut().enumerate() {
                *held = held.filter(|_| kept.contains(&(number, slot)));
            }
            ThreadInRegion {
                thread: number as u32,
                routine: self.routine(&frames),
                frames,
                status,
                operation,
                holds: self.kept(&held),
            }
        });
        hung.collect()
    }

    /// The outermost function of the program's own code on a stack.
    fn routine(&self, frames: &[CodePlace]) -> Option<String> {
        let system = self.machine.system;
        let own = |place: &&CodePlace| system.own[place.function.0 as usize];
        let outermost = frames.iter().rev().find(own)?;
        Some(system.program.info(outermost.function).display_name.clone())
    }

    /// The locks and sections with something exclusive among what is held.
    fn kept(&self, held: &[Option<Held>]) -> Vec<Kept> {
        let holds = |held: &Held| held.kind == HeldKind::Exclusive || held.kind.is_lock();
        let held = held.iter().zip(0..);
        let held = held.filter_map(|(held, slot)| Some((held.as_ref()?, slot)));
        let kept = held
            .filter(|(held, _)| holds(held))
            .map(|(held, slot)| Kept {
                name: self.name_of_held(held),
                slot,
            });
        kept.collect()
    }

    fn name_of_held(&self, held: &Held) -> String {
        match held.address.bits() {
            0 => "what is gone".into(),
            bits => self.machine.name_of(Word::pointer(bits)),
        }
    }

    /// What a section of the loaded state is about.
    fn subject(&self, section: Section, threads: &[ThreadInRegion]) -> Subject {
        let thread = threads.iter().find(|t| Some(t.thread) == section.thread());
        let none = Subject {
            resource: String::new(),
            held: None,
            in_call: false,
        };
        let (Some(hung), Some(number)) = (thread, section.thread()) else {
            return none;
        };
        match section {
            Section::Held { slot, .. } => {
                let held = self.base.threads[number as usize].held.get(slot as usize);
                let Some(held) = held.copied().flatten() else {
                    return none;
                };
                let resource = match held.kind {
                    HeldKind::Function => self.function_of(&held, hung),
                    _ => self.name_of_held(&held),
                };
                Subject {
                    resource,
                    held: Some(held.kind),
                    in_call: false,
                }
            }
            _ => match &hung.status {
                ThreadStatus::Blocked(blocked) => Subject {
                    resource: blocked.resource.clone(),
                    held: None,
                    in_call: blocked.in_call,
                },
                _ => none,
            },
        }
    }

    fn function_of(&self, held: &Held, hung: &ThreadInRegion) -> String {
        let mut frames = hung.frames.iter().rev();
        let place = frames.nth(held.frame as usize);
        let name = place.map(|p| self.machine.program.info(p.function).display_name.clone());
        name.unwrap_or_default()
    }

    /// What a thread that is blocked in the base state waits for: if it is in one of the libraries'
    /// operations, that one.
    fn why_blocked_for_users(&mut self, thread: usize) -> Blocked {
        let mut blocked = self.why_blocked(thread);
        self.restore_base();
        self.machine.stack.clear();
        if let Some((_, kind, held)) = self.operation_of(thread) {
            blocked = self.waiting_in(thread, kind, &held);
        }
        blocked
    }

    /// The operation of a library that a thread of the base state is in, not counting those that
    /// have called the program's own code; and its slot.
    fn operation_of(&self, thread: usize) -> Option<(usize, SectionType, Held)> {
        let frames = self.machine.frames_of(thread);
        let own = |place: &CodePlace| self.machine.system.own[place.function.0 as usize];
        let first_own = frames.iter().position(own).unwrap_or(0);
        let outside = frames.len() - first_own;
        let held = self.base.threads[thread].held.iter().enumerate();
        let mut held = held.filter_map(|(slot, held)| Some((slot, (*held)?)));
        held.find_map(|(slot, held)| match held.kind {
            HeldKind::Operation(kind) if held.frame as usize >= outside => Some((slot, kind, held)),
            _ => None,
        })
    }

    /// What a thread waits for that is in an operation of a library.
    fn waiting_in(&self, thread: usize, kind: SectionType, held: &Held) -> Blocked {
        let resource = self.name_of_held(held);
        let (who, on) = self.who_has(kind, held.address, thread);
        Blocked {
            reason: waiting(kind, &resource) + &who,
            resource,
            on,
            in_call: false,
        }
    }

    /// Who has what an operation of a library waits for, in words and as numbers, as far as that is
    /// known.
    fn who_has(&self, kind: SectionType, address: Address, waiting: usize) -> (String, Vec<u32>) {
        let threads = self.base.threads.iter().enumerate();
        let has = |number: usize, thread: &Thread| match kind {
            SectionType::Once => number != waiting && self.initialises(number, address),
            SectionType::Mutex | SectionType::ReaderWriter => {
                let kinds = [HeldKind::Mutex, HeldKind::ReadLock, HeldKind::WriteLock];
                let mut held = thread.held.iter().flatten();
                held.any(|held| held.address == address && kinds.contains(&held.kind))
            }
            _ => false,
        };
        let on = threads.filter(|(number, thread)| has(*number, thread));
        let on: Vec<u32> = on.map(|(number, _)| number as u32).collect();
        let names: Vec<String> = on.iter().map(|&n| self.machine.thread_name(n)).collect();
        let words = match (kind, on.as_slice()) {
            (_, []) => String::new(),
            (SectionType::Once, _) => format!(", which {} has begun", names.join(" and ")),
            (_, &[one]) if one as usize == waiting => ", which it holds itself".into(),
            (_, [_]) => format!(", which {} holds", names[0]),
            _ => format!(", which {} hold", names.join(" and ")),
        };
        (words, on)
    }

    /// Whether a thread is in an initialisation with a flag at an address, and runs the program's
    /// own code there.
    fn initialises(&self, thread: usize, flag: Address) -> bool {
        let operation = HeldKind::Operation(SectionType::Once);
        let mut held = self.base.threads[thread].held.iter().flatten();
        let Some(held) = held.find(|held| held.kind == operation && held.address == flag) else {
            return false;
        };
        let frames = self.machine.frames_of(thread);
        let inside = frames.len().saturating_sub(held.frame as usize);
        let own = |place: &CodePlace| self.machine.system.own[place.function.0 as usize];
        frames.iter().take(inside).any(own)
    }

    /// What a thread that is blocked in the base state waits for.
    fn why_blocked(&mut self, thread: usize) -> Blocked {
        self.restore_base();
        self.machine.explaining = true;
        self.machine.visible = false;
        self.machine.restore_context(thread);
        let mut result = self.machine.execute();
        while let Err(halt) = &result
            && let Halt::Choice(..) = **halt
        {
            self.machine.script.push(0);
            self.machine.scripted = 0;
            result = self.machine.execute();
        }
        self.machine.explaining = false;
        match result.map_err(|halt| *halt) {
            Err(Halt::Blocked(blocked)) => blocked,
            _ => Blocked::default(),
        }
    }

    /// The error that all threads are blocked in the base state.
    pub(super) fn deadlock(&mut self, blocked: Vec<usize>) -> Fault {
        let blocked: Vec<(usize, String)> = blocked
            .into_iter()
            .map(|thread| (thread, self.why_blocked(thread).reason))
            .collect();
        self.restore_base();
        self.machine.stack.clear();
        let machine = &self.machine;
        let stacks: Vec<ThreadStack> = blocked
            .iter()
            .map(|(thread, reason)| ThreadStack {
                thread: *thread as u32,
                waits: Some(reason.clone()),
                frames: machine.frames_of(*thread),
            })
            .collect();
        let message = match blocked.as_slice() {
            [(thread, reason)] => {
                let who = machine.thread_name(*thread as u32);
                format!("{who} waits {reason}, forever")
            }
            _ => format!("all {} threads wait forever", blocked.len()),
        };
        Fault {
            kind: ErrorKind::Hang,
            message,
            thread: stacks.first().map_or(0, |s| s.thread),
            stacks,
        }
    }
}

impl Loop {
    /// Adds what an event tells. Writing what is there already changes nothing.
    fn note(&mut self, event: &Event) {
        match &event.action {
            Action::Read { variable, value }
            | Action::Fail {
                variable, value, ..
            } => self.read(event, variable, value),
            Action::Write {
                variable,
                old,
                value,
            } if old == value => self.read(event, variable, value),
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
