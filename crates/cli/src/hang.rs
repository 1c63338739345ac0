//! From the region of a hang to a report: what can never end, and why.

use crate::selection::first_open;
use crate::trace::{all_frames, own_frame};
use impasse_machine::base::fault::{CodePlace, ErrorKind};
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::state::journal::Journal;
use impasse_machine::state::section::Section;
use impasse_machine::system::System;
use impasse_machine::system::replay::Replay;
use impasse_machine::system::step::{Hang, Loop, ThreadInRegion, ThreadStatus, explain};
use impasse_report::{
    ErrorReport, Frame, HangReport, HungThread, Reading, RegionReport, SectionReport, Spot,
    ThreadReport, ThreadStatus as Reported,
};
use impasse_transition_system::{HangRegion, Key};
use std::collections::BTreeSet;

/// Returns the error that a section can never end from the last state of a path. `region` is the
/// region of that state.
pub fn error(system: &System, section: Key, region: &HangRegion, replay: &Replay) -> ErrorReport {
    let section = Section::from_key(section);
    let hang = explain(system, section, region, &replay.journal);
    in_words(system, &hang, replay)
}

/// The error that no thread can continue in the state at the end of a path.
pub fn deadlock(system: &System, replay: &Replay) -> ErrorReport {
    let found = HangRegion {
        terminal: vec![replay.state.clone()],
        states: vec![replay.state.clone()],
        complete: true,
    };
    let section = first_open(system, &replay.state).map_or(Section::Program, Section::from_key);
    let hang = explain(system, section, &found, &replay.journal);
    in_words(system, &hang, replay)
}

/// Why it is unknown whether that is an error.
pub fn unless_time_passes(error: &ErrorReport) -> String {
    let ErrorReport {
        message,
        file,
        line,
        ..
    } = error;
    format!("{message} ({file}:{line}) unless more time passes than the machine's clocks show")
}

fn in_words(system: &System, hang: &Hang, replay: &Replay) -> ErrorReport {
    let threads = stacks(system, hang, &replay.journal);
    let frame = threads.first().and_then(|t| own_frame(&t.stack)).cloned();
    let frame = frame.unwrap_or_else(nowhere);
    ErrorReport {
        kind: ErrorKind::Hang.name().into(),
        message: named(system, hang, replay),
        file: frame.file,
        line: frame.line,
        column: frame.column,
        function: frame.function,
        thread: threads.first().map_or(0, |t| t.thread),
        threads,
        hang: Some(report(system, hang, replay)),
    }
}

fn nowhere() -> Frame {
    Frame {
        function: String::new(),
        file: String::new(),
        line: 0,
        column: 0,
        library: false,
    }
}

/// The message, with who the thread is that is to be joined, or where the lock that cannot be given
/// up was locked.
fn named(system: &System, hang: &Hang, replay: &Replay) -> String {
    if let Section::Held { thread, slot, .. } = hang.section
        && hang.is_lock
        && let Some(spot) = begun(system, thread, slot, replay)
    {
        return format!("{} (locked at {}:{})", hang.message, spot.file, spot.line);
    }
    let joined = hang.threads.iter().find(|thread| {
        let number = replay.journal.thread(thread.thread as usize);
        number > 0 && impasse_machine::machine::names::thread_name(number) == hang.resource
    });
    let Some(thread) = joined else {
        return hang.message.clone();
    };
    let started = start_of(system, thread.thread, replay);
    let started = started.map(|spot| format!("started at {}:{}", spot.file, spot.line));
    let known: Vec<String> = thread.routine.clone().into_iter().chain(started).collect();
    match known.is_empty() {
        true => hang.message.clone(),
        false => format!("{} ({})", hang.message, known.join(", ")),
    }
}

/// The stacks of the living threads: first the one whose section it is, or else one that runs
/// forever.
fn stacks(system: &System, hang: &Hang, journal: &Journal) -> Vec<ThreadReport> {
    let mut living: Vec<&ThreadInRegion> = hang.threads.iter().collect();
    living.retain(|thread| !matches!(thread.status, ThreadStatus::Ended));
    let runs = |thread: &&ThreadInRegion| matches!(thread.status, ThreadStatus::Runs(_));
    let first = match hang.section.thread() {
        Some(number) => living.iter().position(|thread| thread.thread == number),
        None => living.iter().position(runs),
    };
    if let Some(first) = first {
        living[..=first].rotate_right(1);
    }
    let stack = |thread: &ThreadInRegion| ThreadReport {
        thread: journal.thread(thread.thread as usize),
        waits: match &thread.status {
            ThreadStatus::Blocked(blocked) => Some(blocked.reason.clone()),
            _ => None,
        },
        stack: all_frames(system, &thread.frames),
    };
    living.into_iter().map(stack).collect()
}

fn report(system: &System, hang: &Hang, replay: &Replay) -> HangReport {
    let changed: BTreeSet<&String> = hang.threads.iter().flat_map(writes).collect();
    let threads: Vec<HungThread> = hang
        .threads
        .iter()
        .map(|thread| hung(system, thread, &changed, replay))
        .collect();
    let section = hang.section.kind().zip(hang.section.thread());
    HangReport {
        section: section.map(|(kind, thread)| SectionReport {
            kind: kind.name().into(),
            resource: hang.resource.clone(),
            thread: replay.journal.thread(thread as usize),
            begun: begun_at(system, hang, replay),
        }),
        region: RegionReport {
            states: hang.states as u64,
            complete: hang.complete,
            cycle: cycle(&threads),
            threads,
        },
    }
}

/// What a thread that runs forever changes, by what does not change its name.
fn writes(thread: &ThreadInRegion) -> impl Iterator<Item = &String> {
    let noted: Option<&Loop> = match &thread.status {
        ThreadStatus::Runs(noted) => Some(noted),
        _ => None,
    };
    noted.into_iter().flat_map(|noted| noted.writes.keys())
}

fn hung(
    system: &System,
    thread: &ThreadInRegion,
    changed: &BTreeSet<&String>,
    replay: &Replay,
) -> HungThread {
    let kept = thread.holds.iter();
    let since = kept.map(|kept| begun(system, thread.thread, kept.slot, replay));
    let reported = |number: u32| replay.journal.thread(number as usize);
    let mut report = HungThread {
        thread: reported(thread.thread),
        routine: thread.routine.clone(),
        started: start_of(system, thread.thread, replay),
        state: Reported::Ended,
        waits: None,
        resource: None,
        waits_for: Vec::new(),
        places: spot(system, &thread.frames).into_iter().collect(),
        reads: Vec::new(),
        writes: Vec::new(),
        does: Vec::new(),
        holds: thread.holds.iter().map(|kept| kept.name.clone()).collect(),
        holds_since: since.collect(),
    };
    match &thread.status {
        ThreadStatus::Ended => {}
        ThreadStatus::Blocked(blocked) => {
            report.state = Reported::Blocked;
            report.waits = Some(blocked.reason.clone());
            report.resource = Some(blocked.resource.clone());
            report.waits_for = blocked.on.iter().copied().map(reported).collect();
        }
        ThreadStatus::Runs(noted) => {
            report.state = Reported::Running;
            let places = noted.places.iter().filter_map(|p| spot(system, p));
            report.places = places.collect::<BTreeSet<Spot>>().into_iter().collect();
            report.reads = readings(noted, changed);
            let names: BTreeSet<&String> = noted.writes.values().collect();
            let named = names.into_iter().filter(|name| !name.is_empty());
            report.writes = named.cloned().collect();
            report.does = noted.does.iter().cloned().collect();
            if let Some(operation) = &thread.operation {
                report.waits = Some(operation.reason.clone());
                report.resource = Some(operation.resource.clone());
                report.waits_for = operation.on.iter().copied().map(reported).collect();
            }
        }
    }
    report
}

/// What a thread reads, by names: what has the same name is taken together.
fn readings(noted: &Loop, changed: &BTreeSet<&String>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for (identity, read) in noted.reads.iter().filter(|(_, read)| !read.name.is_empty()) {
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

/// The innermost line of the program's own code on a stack.
fn spot(system: &System, frames: &[CodePlace]) -> Option<Spot> {
    let frames = all_frames(system, frames);
    let frame = own_frame(&frames).filter(|frame| !frame.library)?;
    Some(Spot {
        file: frame.file.clone(),
        line: frame.line,
    })
}

/// Where a thread was started last.
fn start_of(system: &System, thread: u32, replay: &Replay) -> Option<Spot> {
    let thread = replay.journal.thread(thread as usize);
    let starts =
        |event: &&Event| matches!(&event.action, Action::Start { thread: t, .. } if *t == thread);
    let event = replay.events.iter().rev().find(starts)?;
    spot(system, &event.frames)
}

/// Where a thread has begun to hold what is in a slot at the end.
fn begun(system: &System, thread: u32, slot: u32, replay: &Replay) -> Option<Spot> {
    let thread = replay.journal.thread(thread as usize);
    let is_it = |event: &&Event| event.thread == thread && event.action == Action::Begin { slot };
    let event = replay.begun.iter().rev().find(is_it)?;
    spot(system, &event.frames)
}

/// Where the section has begun: a wait where the thread is.
fn begun_at(system: &System, hang: &Hang, replay: &Replay) -> Option<Spot> {
    match hang.section {
        Section::Program => None,
        Section::Thread { thread } => start_of(system, thread, replay),
        Section::Held { thread, slot, .. } => begun(system, thread, slot, replay),
        Section::Waiting { thread, .. } => {
            let mut threads = hang.threads.iter();
            let hung = threads.find(|hung| hung.thread == thread)?;
            spot(system, &hung.frames)
        }
    }
}

/// Threads that wait for each other in a circle, if there are any.
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
