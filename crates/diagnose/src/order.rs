//! The order of what threads do on a path, for a process in which that is to happen again.

use crate::inputs::{float, is_of_text};
use crate::place;
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::machine::record::{
    Action, Detail, Event, OF_ARGUMENT, OF_STANDARD_INPUT, RANDOM_BYTE,
};
use impasse_machine::system::System;
use impasse_machine::system::replay::replay;
use impasse_program::instruction::{Instruction, Ordering};
use impasse_report::{ErrorReport, Frame, Spot};
use impasse_transition_system::Path;
use std::ops::Range;

/// What the threads of a program do on the path to an error, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Order {
    /// The turns of threads.
    pub turns: Vec<Turn>,
    /// The same turns, where all that is done within a call about a descriptor counts as a call.
    /// The machine makes such a call in several steps, of which a process shows one.
    pub with_descriptors: Vec<Turn>,
    /// The inputs and choices that the program asks for: the thread, and the number it gets.
    pub inputs: Vec<(u32, i64)>,
    /// What it reads of standard input, if its content is unknown.
    pub standard_input: Option<Vec<u8>>,
    /// Its last arguments, those of which the content is unknown.
    pub arguments: Vec<Vec<u8>>,
    /// How memory is copied and filled.
    pub copies: Copies,
    /// Whether allocations fail.
    pub allocations_fail: bool,
    /// Why the path cannot happen by an order of operations alone, in words.
    pub beyond: Option<String>,
}

/// How memory of more than a word is copied and filled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Copies {
    /// At once.
    #[default]
    Whole,
    /// A word at a time, from the start.
    Ascending,
    /// A word at a time, from the end.
    Descending,
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
    /// It tries what may fail without a reason, and that fails.
    Fails,
    /// It gives up waiting. A process does not show that.
    Timeout,
    /// A wait ends without a signal. A process does not show that.
    Spurious,
    /// It takes the signal with this number. A process does not show that.
    Signal(u8),
    /// Something in a library does any of this, which another library may do otherwise.
    Library,
    /// The same, of an access that is not atomic, so that it takes no lock.
    LibraryAccess,
}

impl Class {
    /// Returns whether a library does it.
    pub fn is_library(self) -> bool {
        matches!(self, Class::Library | Class::LibraryAccess)
    }
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
    let own = Numbers::of(&replay.events);
    let (mut turns, mut with_descriptors) = (Vec::new(), Vec::new());
    for event in &replay.events {
        let Some(thread) = own.number(event.thread) else {
            continue;
        };
        let frames = place::frames(system, &event.frames);
        let Some(operation) = operation(system, event, &frames) else {
            continue;
        };
        let end = end_of_wait(event).map(|class| Operation {
            class,
            place: operation.place.clone(),
        });
        let mut of_whole = operation.clone();
        if is_about_descriptors(&frames) {
            of_whole.class = Class::Call;
        }
        add(&mut with_descriptors, thread, of_whole, end.clone());
        add(&mut turns, thread, operation, end);
    }
    for turn in turns.iter_mut().chain(&mut with_descriptors) {
        turn.without_libraries();
    }
    let events = || replay.events.iter();
    Order {
        turns,
        with_descriptors,
        inputs: events()
            .filter_map(|it| Some((own.number(it.thread)?, input(it)?)))
            .collect(),
        standard_input: (system.options.unknown_input)
            .then(|| bytes_of(&replay.events, OF_STANDARD_INPUT)),
        arguments: unknown_arguments(system)
            .map(|n| bytes_of(&replay.events, &format!("{OF_ARGUMENT}{n}")))
            .collect(),
        copies: copies(system, &replay.events),
        allocations_fail: events().any(|it| chosen(it).is_some_and(|it| it.ends_with(NO_MEMORY))),
        beyond: events().find_map(beyond),
    }
}

/// Adds what a thread does to its turn, or to a new one.
fn add(turns: &mut Vec<Turn>, thread: u32, operation: Operation, end: Option<Operation>) {
    let operations = [operation].into_iter().chain(end);
    match turns.last_mut() {
        Some(turn) if turn.thread == thread => turn.operations.extend(operations),
        _ => turns.push(Turn {
            thread,
            operations: operations.collect(),
        }),
    }
}

impl Turn {
    /// Leaves out what a library does if the program does something itself.
    fn without_libraries(&mut self) {
        self.operations
            .dedup_by(|a, b| a == b && a.class.is_library());
        if self.operations.iter().any(|act| !act.class.is_library()) {
            self.operations.retain(|act| !act.class.is_library());
        }
    }
}

/// Whether these are frames of a call that may wait at a descriptor, or may end such a wait.
fn is_about_descriptors(frames: &[Frame]) -> bool {
    let files = [
        "connections.c",
        "datagrams.c",
        "descriptors.c",
        "epoll.c",
        "pipes.c",
        "poll.c",
        "sockets.c",
    ];
    let is_one = |frame: &Frame| {
        let name = frame.file.strip_prefix("/library/runtime/");
        name.is_some_and(|name| files.contains(&name))
    };
    frames.iter().any(is_one)
}

/// The numbers that threads have in a process, where timers are none: the signals that they send
/// come by themselves.
struct Numbers {
    timers: Vec<u32>,
}

impl Numbers {
    fn of(events: &[Event]) -> Numbers {
        let timers = events.iter().filter_map(|event| match &event.action {
            Action::Start { thread, text } if text.ends_with(A_TIMER) => Some(*thread),
            _ => None,
        });
        Numbers {
            timers: timers.collect(),
        }
    }

    /// The number of a thread; none if it is a timer.
    fn number(&self, thread: u32) -> Option<u32> {
        let before = self.timers.iter().filter(|&&timer| timer < thread);
        (!self.timers.contains(&thread)).then(|| thread - before.count() as u32)
    }
}

/// The numbers of the arguments of which the content is unknown.
fn unknown_arguments(system: &System) -> Range<usize> {
    let options = &system.options;
    let count = options.arguments.len();
    count - options.unknown_arguments..count
}

/// The inputs of a name, which are bytes.
fn bytes_of(events: &[Event], wanted: &str) -> Vec<u8> {
    let bytes = events.iter().filter_map(|event| match &event.action {
        Action::Input { name, value, .. } if name == wanted => value.map(|value| value as u8),
        _ => None,
    });
    bytes.collect()
}

/// How memory is copied on a path.
fn copies(system: &System, events: &[Event]) -> Copies {
    let descends = |event: &Event| chosen(event) == Some(FROM_ITS_END);
    match events
        .iter()
        .any(|it| is_piece(&place::frames(system, &it.frames)))
    {
        true if events.iter().any(descends) => Copies::Descending,
        true => Copies::Ascending,
        false => Copies::Whole,
    }
}

/// Whether a thread copies or fills memory a word at a time.
fn is_piece(frames: &[Frame]) -> bool {
    let innermost = frames.first();
    innermost.is_some_and(|it| it.file == "/library/runtime/pieces.c")
}

/// What is chosen, in words.
fn chosen(event: &Event) -> Option<&str> {
    match &event.action {
        Action::Choice { text } => Some(text),
        _ => None,
    }
}

/// The number that the program gets for an input or a choice of its own.
fn input(event: &Event) -> Option<i64> {
    match &event.action {
        Action::Input { value, name, .. } if name != RANDOM_BYTE && !is_of_text(name) => {
            match float(name, (*value)? as u64) {
                Some(number) => (number as i64 as f64 == number).then_some(number as i64),
                None => *value,
            }
        }
        Action::Choice { text } => {
            let chosen = text.strip_prefix("chooses ")?.split(' ').next();
            chosen?.parse().ok()
        }
        _ => None,
    }
}

/// Whether something fails that fails without a reason, if a process can be made to have it fail.
fn fails(event: &Event) -> bool {
    match &event.action {
        Action::Choice { text } => {
            let is_try_lock = text.contains("try") && text.contains("lock");
            text.ends_with(NO_MEMORY) || is_try_lock && text.ends_with("fails spuriously")
        }
        _ => false,
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
fn operation(system: &System, event: &Event, frames: &[Frame]) -> Option<Operation> {
    let is_annotation = |frame: &Frame| frame.library && !frame.file.starts_with("/library/");
    if frames.first().is_some_and(is_annotation) {
        return None;
    }
    if matches!(&event.action, Action::Operation { text } if text.ends_with(MUST_RETURN)) {
        return None;
    }
    if matches!(&event.action, Action::Start { text, .. } if text.ends_with(A_TIMER)) {
        return None;
    }
    let frame = frames.iter().find(|it| !it.library && it.line > 0)?;
    let is_piece = is_piece(frames);
    let class = match (&event.action, access(system, event)) {
        _ if fails(event) => Class::Fails,
        (Action::Operation { text }, _) if text.starts_with(GIVES_UP) => Class::Timeout,
        (Action::Operation { text }, _) if text.starts_with(INTERRUPTED) => {
            Class::Signal(text[INTERRUPTED.len()..].parse().ok()?)
        }
        (Action::Operation { .. } | Action::Start { .. } | Action::Free { .. }, _) => Class::Call,
        (Action::Read { .. } | Action::Fail { .. } | Action::Write { .. }, Access::Update) => {
            Class::Update
        }
        (Action::Read { .. } | Action::Write { .. }, Access::Plain)
            if frames[0].library && !is_piece =>
        {
            Class::LibraryAccess
        }
        (Action::Read { .. }, _) => Class::Read,
        (Action::Write { .. }, _) => Class::Write,
        _ => return None,
    };
    Some(Operation {
        class: match class {
            Class::Timeout | Class::Signal(_) | Class::Fails => class,
            Class::LibraryAccess => class,
            _ if is_piece => class,
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

/// How the start of a timer ends.
const A_TIMER: &str = ", a timer";

/// How the operations end of an annotation that a process does not have.
const MUST_RETURN: &str = "a function that must return";

/// The choice to copy memory from its end.
const FROM_ITS_END: &str = "memory is copied or filled from its end to its start";

/// How the choice ends that an allocation fails.
const NO_MEMORY: &str = "fails: there is no memory";

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
        Action::Input { name, .. } if is_of_text(name) => return None,
        Action::Choice { text } if text.starts_with("argument ") => return None,
        Action::Input { name, .. } if input(event).is_none() => {
            format!("it depends on an input, {name}, which a process cannot be given")
        }
        Action::Choice { text } if text != FROM_ITS_END => {
            if input(event).is_some() || fails(event) {
                return None;
            }
            format!("{text}, which no process can be told")
        }
        _ => return None,
    };
    Some(why)
}
