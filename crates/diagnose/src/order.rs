//! The order of what threads do on a path, for a process in which that is to happen again.

use crate::place;
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::machine::record::{Action, Detail, Event};
use impasse_machine::system::System;
use impasse_machine::system::replay::replay;
use impasse_program::instruction::{Instruction, Ordering};
use impasse_report::{ErrorReport, Frame, Spot};
use impasse_transition_system::Path;

/// What the threads of a program do on the path to an error, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Order {
    /// The turns of threads.
    pub turns: Vec<Turn>,
    /// Why the path cannot happen by an order of operations alone, in words.
    pub beyond: Option<String>,
}

/// What a thread does before another one runs. Only operations are listed that can be seen in a
/// process; the thread may do more in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The thread, by its number in reports: threads count in the order in which they start.
    pub thread: u32,
    /// What it does.
    pub operations: Vec<Operation>,
}

/// A visible operation of a thread, at a place of the program's own code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it is.
    pub class: Class,
    /// Where.
    pub place: Place,
}

/// Kinds of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// It reads memory.
    Read,
    /// It writes memory.
    Write,
    /// It reads and writes memory in one step, or reads it because it need not write.
    Update,
    /// It calls a function that synchronises threads, or frees memory.
    Call,
    /// It gives up waiting. A process does not show that.
    Timeout,
    /// A wait ends without a signal. A process does not show that.
    Spurious,
    /// It takes the signal with this number. A process does not show that.
    Signal(u8),
    /// Something in a library does any of this, which another library may do otherwise.
    Library,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// The file and the line.
    pub spot: Option<Spot>,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// Returns the order of what happens on a path of a system.
pub fn order(system: &System, path: &Path) -> Order {
    let detail = Detail {
        library: true,
        locals: false,
    };
    let replay = replay(system, path, detail);
    let mut turns: Vec<Turn> = Vec::new();
    for event in &replay.events {
        let Some(operation) = operation(system, event) else {
            continue;
        };
        let end = end_of_wait(event).map(|class| Operation {
            class,
            place: operation.place.clone(),
        });
        let operations = [operation].into_iter().chain(end);
        match turns.last_mut() {
            Some(turn) if turn.thread == event.thread => turn.operations.extend(operations),
            _ => turns.push(Turn {
                thread: event.thread,
                operations: operations.collect(),
            }),
        }
    }
    for turn in &mut turns {
        turn.operations
            .dedup_by(|a, b| a == b && a.class == Class::Library);
        if turn
            .operations
            .iter()
            .any(|act| act.class != Class::Library)
        {
            turn.operations.retain(|act| act.class != Class::Library);
        }
    }
    Order {
        turns,
        beyond: replay.events.iter().find_map(beyond),
    }
}

/// Returns why an error cannot show in a process, or that it can.
pub fn shows_in_a_process(error: &ErrorReport) -> Result<(), &'static str> {
    let is = |kind: ErrorKind| error.kind == kind.name();
    if is(ErrorKind::UndefinedValue) {
        return Err("a process continues with whatever value it finds");
    }
    Ok(())
}

/// What a thread does, if a process shows it.
fn operation(system: &System, event: &Event) -> Option<Operation> {
    let frames = place::frames(system, &event.frames);
    let is_annotation = |frame: &Frame| frame.library && !frame.file.starts_with("/library/");
    if frames.first().is_some_and(is_annotation) {
        return None;
    }
    let frame = frames.iter().find(|it| !it.library && it.line > 0)?;
    let class = match (&event.action, access(system, event)) {
        (Action::Operation { text }, _) if text.starts_with(GIVES_UP) => Class::Timeout,
        (Action::Operation { text }, _) if text.starts_with(INTERRUPTED) => {
            Class::Signal(text[INTERRUPTED.len()..].parse().ok()?)
        }
        (Action::Operation { .. } | Action::Start { .. } | Action::Free { .. }, _) => Class::Call,
        (Action::Read { .. } | Action::Fail { .. }, Access::Update) => Class::Update,
        // It is one operation with the read.
        (Action::Write { .. }, Access::Update) => return None,
        (Action::Read { .. } | Action::Write { .. }, Access::Plain) if frames[0].library => {
            Class::Library
        }
        (Action::Read { .. }, _) => Class::Read,
        (Action::Write { .. }, _) => Class::Write,
        _ => return None,
    };
    Some(Operation {
        class: match class {
            Class::Timeout | Class::Signal(_) => class,
            _ => event.library.as_ref().map_or(class, |_| Class::Library),
        },
        place: Place {
            spot: Some(Spot {
                file: frame.file.clone(),
                line: frame.line,
            }),
            column: frame.column,
        },
    })
}

/// How the operation begins that ends a wait for a condition variable at its deadline.
const GIVES_UP: &str = "gives up waiting";

/// How the operation begins by which a thread takes a signal; then comes the number.
const INTERRUPTED: &str = "is interrupted by signal ";

/// How the wait ends that an operation begins, if nothing else shows that: without a signal, or
/// because it cannot have what it waits for.
fn end_of_wait(event: &Event) -> Option<Class> {
    let Action::Operation { text } = &event.action else {
        return None;
    };
    let starts = |start: &str| text.starts_with(start);
    match text.ends_with("which will end without a signal") {
        true => Some(Class::Spurious),
        false => starts("cannot ").then_some(Class::Timeout),
    }
}

enum Access {
    Plain,
    Atomic,
    Update,
}

/// How the instruction of an event accesses memory.
fn access(system: &System, event: &Event) -> Access {
    match place::instruction(system, event) {
        Some(Instruction::Update { .. } | Instruction::CompareExchange { .. }) => Access::Update,
        Some(Instruction::Load { ordering, .. } | Instruction::Store { ordering, .. })
            if *ordering != Ordering::NotAtomic =>
        {
            Access::Atomic
        }
        _ => Access::Plain,
    }
}

/// Why an event cannot be brought about in a process.
fn beyond(event: &Event) -> Option<String> {
    let why = match &event.action {
        Action::Reach { variable, .. } | Action::Drop { variable, .. } => format!(
            "the write of {variable} is delayed, and a processor's store buffer cannot be steered"
        ),
        Action::ReadOld { variable, .. } => format!(
            "an older value of {variable} is read, and what a processor reads cannot be steered"
        ),
        Action::WriteBefore { variable, .. } => {
            format!("a write of {variable} comes before older ones, which no processor can be told")
        }
        Action::Fail {
            variable,
            expected: None,
            ..
        } => format!("the compare-exchange of {variable} fails spuriously"),
        Action::Input { .. } | Action::Choice { .. } => {
            "the path depends on inputs or choices, which a process does not have".into()
        }
        _ => return None,
    };
    Some(why)
}
