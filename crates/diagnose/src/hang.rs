//! The reason for a hang: what can never end, and what each thread does instead.

use crate::fault::at_first;
use crate::place::{frames_with_locals, spot};
use crate::region::{self, Kept, Loop, ThreadInRegion, ThreadStatus};
use crate::selection::first_open;
use crate::words::{ending, waits_for};
use impasse_machine::base::fault::{Awaited, Blocked, ErrorKind};
use impasse_machine::base::section_type::SectionType;
use impasse_machine::machine::names::thread_name;
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::state::HeldKind;
use impasse_machine::state::section::Section;
use impasse_machine::system::System;
use impasse_machine::system::replay::Replay;
use impasse_report::{
    ErrorReport, HangReport, HungThread, Reading, RegionReport, SectionReport, Spot, ThreadReport,
    ThreadStatus as Reported,
};
use impasse_transition_system::{HangRegion, Key};
use std::collections::BTreeSet;

/// Returns the error that a section can never end from the last state of a path. `region` is the
/// region of that state.
pub fn error(system: &System, section: Key, region: &HangRegion, replay: &Replay) -> ErrorReport {
    let threads = region::threads(system, region, replay);
    let section = Section::from_key(section);
    let hang = Hang {
        system,
        replay,
        region,
        subject: Subject::new(section, &threads),
        section,
        threads,
    };
    let kind = ErrorKind::Hang.name();
    at_first(kind, hang.message(), hang.stacks(), Some(hang.report()))
}

/// Returns the error that no thread can continue in the last state of a path: a hang whose region
/// is that state.
pub fn deadlock(system: &System, replay: &Replay) -> ErrorReport {
    let region = HangRegion {
        terminal: vec![replay.state.clone()],
        states: vec![replay.state.clone()],
        complete: true,
    };
    let section = first_open(system, &replay.state);
    let section = section.unwrap_or(Section::Program.key());
    error(system, section, &region, replay)
}

/// Returns why Impasse cannot tell whether this hang is one: it ends if more time passes than the
/// machine's clocks show.
pub fn unless_time_passes(error: &ErrorReport) -> String {
    let ErrorReport {
        message,
        file,
        line,
        ..
    } = error;
    format!("{message} ({file}:{line}) unless more time passes than the machine's clocks show")
}

/// Returns why a hang of a program whose inputs are followed symbolically is not certain.
pub fn unless_inputs_differ(error: &ErrorReport) -> String {
    let ErrorReport {
        message,
        file,
        line,
        ..
    } = error;
    format!(
        "{message} ({file}:{line}) if inputs have certain values, or it may end for each of them in \
         another way: give the values to try with --nondet LOW..HIGH, or look for other errors only \
         with --hangs off"
    )
}

/// A section that can never end.
struct Hang<'a> {
    system: &'a System,
    replay: &'a Replay,
    region: &'a HangRegion,
    section: Section,
    subject: Subject,
    threads: Vec<ThreadInRegion>,
}

/// What a section is about.
#[derive(Default)]
struct Subject {
    /// Its name in the program; empty if that is the program itself.
    resource: String,
    /// What is held, if it is that something is held.
    held: Option<HeldKind>,
    /// Whether it is a function of a library that is waited in.
    in_call: bool,
}

impl Subject {
    fn new(section: Section, threads: &[ThreadInRegion]) -> Subject {
        let mut threads = threads.iter();
        let hung = threads.find(|hung| Some(hung.thread) == section.thread());
        match (section, hung.map(|hung| (hung, &hung.status))) {
            (Section::Held { slot, .. }, Some((hung, _))) => {
                let mut holds = hung.holds.iter();
                let kept = holds.find(|kept| kept.slot == slot);
                kept.map_or(Subject::default(), |kept| Subject {
                    resource: kept.name.clone(),
                    held: Some(kept.kind),
                    in_call: false,
                })
            }
            (_, Some((_, ThreadStatus::Blocked(blocked)))) => Subject {
                resource: blocked.resource.clone(),
                held: None,
                in_call: blocked.until == Awaited::Return,
            },
            _ => Subject::default(),
        }
    }
}

impl Hang<'_> {
    /// What happened, in one sentence, with who the thread is that is to be joined, or where the
    /// lock that cannot be given up was locked.
    fn message(&self) -> String {
        let message = match self.section.thread() {
            None => self.program_never_ends(),
            Some(thread) => self.thread_can_never(&self.name(thread)),
        };
        if let Section::Held { thread, slot, .. } = self.section
            && self.subject.held.is_some_and(HeldKind::is_lock)
            && let Some(spot) = self.begun(thread, slot)
        {
            return format!("{message} (locked at {}:{})", spot.file, spot.line);
        }
        let joined = self.threads.iter().find(|thread| {
            self.reported(thread.thread) > 0 && self.name(thread.thread) == self.subject.resource
        });
        let Some(thread) = joined else {
            return message;
        };
        let started = self.start_of(thread.thread);
        let started = started.map(|spot| format!("started at {}:{}", spot.file, spot.line));
        let routine = thread.routine(self.system);
        let known: Vec<String> = routine.into_iter().chain(started).collect();
        match known.is_empty() {
            true => message,
            false => format!("{message} ({})", known.join(", ")),
        }
    }

    fn program_never_ends(&self) -> String {
        let mut moves = self.threads.iter().filter_map(ThreadInRegion::moves);
        let why = match moves.next() {
            None => ": no thread can continue",
            Some(first) if [first].into_iter().chain(moves).all(Loop::changes_nothing) => {
                ": no thread changes anything any more"
            }
            Some(_) => "",
        };
        format!("the program can never end{why}")
    }

    fn thread_can_never(&self, who: &str) -> String {
        let Subject {
            resource,
            held,
            in_call,
        } = &self.subject;
        let itself = self.section.kind() == Some(SectionType::Join) && resource == who;
        let never = match (self.section, held) {
            (Section::Thread { .. }, _) => "end".into(),
            _ if *in_call => format!("return from {resource}"),
            _ if itself => "finish joining itself".into(),
            (_, Some(HeldKind::Operation(kind))) => ending(*kind, resource),
            (_, Some(HeldKind::Exclusive)) => format!("leave its section on {resource}"),
            (_, Some(HeldKind::Event)) => format!("finish its wait for {resource}"),
            (_, Some(HeldKind::Function)) => format!("return from {resource}"),
            (_, Some(_)) => format!("unlock {resource}"),
            (Section::Waiting { kind, .. }, None) => ending(kind, resource),
            _ => "continue".into(),
        };
        format!("{who} can never {never}")
    }

    /// The stacks of the living threads: first the one whose section it is, or else one that runs
    /// forever.
    fn stacks(&self) -> Vec<ThreadReport> {
        let mut living: Vec<&ThreadInRegion> = self.threads.iter().collect();
        living.retain(|thread| !matches!(thread.status, ThreadStatus::Ended));
        let first = match self.section.thread() {
            Some(number) => living.iter().position(|thread| thread.thread == number),
            None => living.iter().position(|thread| thread.moves().is_some()),
        };
        if let Some(first) = first {
            living[..=first].rotate_right(1);
        }
        let stack = |thread: &ThreadInRegion| ThreadReport {
            thread: self.reported(thread.thread),
            waits: match &thread.status {
                ThreadStatus::Blocked(blocked) => Some(self.waits_for(thread, blocked)),
                _ => None,
            },
            stack: frames_with_locals(self.system, &thread.frames, &thread.locals),
        };
        living.into_iter().map(stack).collect()
    }

    fn report(&self) -> HangReport {
        let moves = self.threads.iter().filter_map(ThreadInRegion::moves);
        let changed: BTreeSet<&String> = moves.flat_map(|moves| moves.writes.keys()).collect();
        let threads = self.threads.iter();
        let threads: Vec<HungThread> = threads.map(|hung| self.hung(hung, &changed)).collect();
        let section = self.section.kind().zip(self.section.thread());
        HangReport {
            section: section.map(|(kind, thread)| SectionReport {
                kind: kind.name().into(),
                resource: self.subject.resource.clone(),
                thread: self.reported(thread),
                begun: self.section_begun(),
            }),
            region: RegionReport {
                states: self.region.states.len() as u64,
                complete: self.region.complete,
                cycle: cycle(&threads),
                threads,
            },
        }
    }

    /// What a thread does in the region. `changed` is what any thread changes again and again.
    fn hung(&self, hung: &ThreadInRegion, changed: &BTreeSet<&String>) -> HungThread {
        let holds = hung.holds.iter().filter(|kept| kept.is_exclusive());
        let holds: Vec<&Kept> = holds.collect();
        let since = holds.iter().map(|kept| self.begun(hung.thread, kept.slot));
        let report = HungThread {
            thread: self.reported(hung.thread),
            routine: hung.routine(self.system),
            started: self.start_of(hung.thread),
            state: Reported::Ended,
            waits: None,
            resource: None,
            waits_for: Vec::new(),
            places: spot(self.system, &hung.frames).into_iter().collect(),
            reads: Vec::new(),
            writes: Vec::new(),
            does: Vec::new(),
            holds: holds.iter().map(|kept| kept.name.clone()).collect(),
            holds_since: since.collect(),
        };
        match &hung.status {
            ThreadStatus::Ended => report,
            ThreadStatus::Blocked(blocked) => HungThread {
                state: Reported::Blocked,
                ..self.waiting(report, hung, blocked)
            },
            ThreadStatus::Runs { moves, waits } => {
                let report = self.running(report, moves, changed);
                match waits {
                    Some(blocked) => self.waiting(report, hung, blocked),
                    None => report,
                }
            }
        }
    }

    /// Adds what a thread waits for.
    fn waiting(&self, report: HungThread, hung: &ThreadInRegion, blocked: &Blocked) -> HungThread {
        let on = blocked.on.iter().map(|&thread| self.reported(thread));
        HungThread {
            waits: Some(self.waits_for(hung, blocked)),
            resource: Some(blocked.resource.clone()),
            waits_for: on.collect(),
            ..report
        }
    }

    /// What a thread waits for, in words.
    fn waits_for(&self, hung: &ThreadInRegion, blocked: &Blocked) -> String {
        waits_for(blocked, hung.thread, |thread| self.reported(thread))
    }

    /// Adds what a thread does that runs forever.
    fn running(&self, report: HungThread, moves: &Loop, changed: &BTreeSet<&String>) -> HungThread {
        let places = moves.places.iter().filter_map(|p| spot(self.system, p));
        let names: BTreeSet<&String> = moves.writes.values().collect();
        let named = names.into_iter().filter(|name| !name.is_empty());
        HungThread {
            state: Reported::Running,
            places: places.collect::<BTreeSet<Spot>>().into_iter().collect(),
            reads: readings(moves, changed),
            writes: named.cloned().collect(),
            does: moves.does.iter().cloned().collect(),
            ..report
        }
    }

    /// Where a thread was started last.
    fn start_of(&self, thread: u32) -> Option<Spot> {
        let thread = self.reported(thread);
        let starts = |event: &&Event| matches!(&event.action, Action::Start { thread: t, .. } if *t == thread);
        let event = self.replay.events.iter().rev().find(starts)?;
        spot(self.system, &event.frames)
    }

    /// Where a thread has begun to hold what is in a slot at the end.
    fn begun(&self, thread: u32, slot: u32) -> Option<Spot> {
        let thread = self.reported(thread);
        let is_it =
            |event: &&Event| event.thread == thread && event.action == Action::Begin { slot };
        let event = self.replay.begun.iter().rev().find(is_it)?;
        spot(self.system, &event.frames)
    }

    /// Where the section has begun: a wait where the thread is.
    fn section_begun(&self) -> Option<Spot> {
        match self.section {
            Section::Program => None,
            Section::Thread { thread } => self.start_of(thread),
            Section::Held { thread, slot, .. } => self.begun(thread, slot),
            Section::Waiting { thread, .. } => {
                let mut threads = self.threads.iter();
                let hung = threads.find(|hung| hung.thread == thread)?;
                spot(self.system, &hung.frames)
            }
        }
    }

    /// The number of a thread in reports.
    fn reported(&self, thread: u32) -> u32 {
        self.replay.journal.thread(thread as usize)
    }

    /// The name of a thread in messages.
    fn name(&self, thread: u32) -> String {
        thread_name(self.reported(thread))
    }
}

/// What a thread reads, by names: what has the same name is taken together.
fn readings(moves: &Loop, changed: &BTreeSet<&String>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for (identity, read) in moves.reads.iter().filter(|(_, read)| !read.name.is_empty()) {
        let changes = changed.contains(identity);
        match readings
            .iter_mut()
            .find(|known| known.variable == read.name)
        {
            Some(known) => {
                known.changes |= changes;
                known.values.extend(read.values.iter().cloned());
                known.values.sort();
                known.values.dedup();
            }
            None => readings.push(Reading {
                variable: read.name.clone(),
                values: read.values.iter().cloned().collect(),
                changes,
            }),
        }
    }
    readings.sort_by(|a, b| a.variable.cmp(&b.variable));
    readings
}

/// Threads that wait for each other in a cycle, if there are any.
fn cycle(threads: &[HungThread]) -> Vec<u32> {
    let next = |number: u32| {
        let thread = threads.iter().find(|t| t.thread == number)?;
        thread.waits_for.first().copied()
    };
    for start in threads {
        let mut path = vec![start.thread];
        while let Some(thread) = path.last().copied().and_then(next) {
            if let Some(back) = path.iter().position(|&t| t == thread) {
                return path.split_off(back);
            }
            path.push(thread);
        }
    }
    Vec::new()
}
