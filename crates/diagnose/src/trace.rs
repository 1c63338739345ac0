//! From the events of a path to the trace of a report.

use crate::inputs::{float, is_of_text};
use crate::place;
use crate::strengthening::{self, Changes};
use impasse_machine::machine::names::name_of_both;
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::system::System;
use impasse_program::instruction::Instruction;
use impasse_report::{Frame, Step};

/// Returns the trace of these events, one step for each. A read says which writes of its thread are
/// still delayed, and a delayed write says so if it stays delayed to the end. A read of an older
/// value says which memory orders would forbid it.
pub fn steps(system: &System, events: &[Event]) -> Vec<Step> {
    let mut steps: Vec<Step> = events.iter().map(|event| step(system, event)).collect();
    // What a delayed write is to does not change its identity, but its name can change.
    let place = |event: &Event| (event.thread, event.identity.clone());
    let mut delayed: Vec<usize> = Vec::new();
    for (number, event) in events.iter().enumerate() {
        match &event.action {
            Action::Delay { .. } => delayed.push(number),
            Action::Reach { .. } | Action::Drop { .. } => {
                let is_it = |&d: &usize| place(&events[d]) == place(event);
                if let Some(oldest) = delayed.iter().position(is_it) {
                    delayed.remove(oldest);
                }
            }
            Action::ReadOld { .. } => {
                let changes = strengthening::forbidding(system, events, number);
                let advice = changes.and_then(|changes| orders_in_words(&steps, &changes));
                steps[number].text += &advice.unwrap_or_default();
            }
            Action::Read { .. } => {
                let own = delayed.iter().map(|&d| &events[d]);
                let own = own.filter(|delay| delay.thread == event.thread);
                steps[number].text += &overtaken(own.collect(), event);
            }
            _ => {}
        }
    }
    for number in delayed {
        steps[number].text += " to the end";
    }
    steps
}

/// What a read of an older value says about the orders that would forbid it, if their places are
/// known.
fn orders_in_words(steps: &[Step], changes: &Changes) -> Option<String> {
    let places = changes.iter().map(|(&number, needs)| {
        let step = &steps[number];
        (step.line > 0).then(|| format!("{} at {}:{}", needs.order(), step.file, step.line))
    });
    let mut places: Vec<String> = places.collect::<Option<_>>()?;
    places.dedup();
    let last = places.pop()?;
    let places = match places.is_empty() {
        true => last,
        false => format!("{} and {last}", places.join(", ")),
    };
    Some(format!("; {places} would"))
}

/// What a read of a variable says about the delayed writes of its thread.
fn overtaken(delayed: Vec<&Event>, read: &Event) -> String {
    if delayed.iter().any(|delay| delay.identity == read.identity) {
        return ", from its store buffer".into();
    }
    let mut names: Vec<&str> = delayed.iter().filter_map(|delay| own_name(delay)).collect();
    names.dedup();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(", before its write of {one} is in memory"),
        [one, other] => format!(", before its writes of {one} and {other} are in memory"),
        [first, .., last] => {
            format!(", before its writes of {first} to {last} are in memory")
        }
    }
}

/// What the program calls what an event of a delayed write is about, if it has a name for it.
fn own_name(delay: &Event) -> Option<&str> {
    match (&delay.library, &delay.action) {
        (Some(whole), _) => Some(whole.as_str()).filter(|name| !name.is_empty()),
        (None, Action::Delay { variable, .. }) => Some(variable),
        _ => None,
    }
}

/// The function of a library that the program's own code has called, if that is where these frames
/// are.
fn library_call(frames: &[Frame]) -> Option<String> {
    let first_own = frames.iter().position(|frame| !frame.library)?;
    Some(frames[first_own.checked_sub(1)?].function.clone())
}

/// What an access reads or writes, with the allocated object that it is a part of.
fn part(event: &Event) -> String {
    match event.action.variable() {
        Some(variable) => name_of_both(variable, &event.identity),
        None => String::new(),
    }
}

/// The name by which a part of an allocated object is known on the path.
fn object(event: &Event) -> Option<String> {
    let is_allocated = event.identity.contains('#') && event.library.is_none();
    is_allocated.then(|| event.identity.clone())
}

/// A value, unless none is known.
fn known(value: &String) -> Option<&String> {
    Some(value).filter(|value| !value.is_empty())
}

/// One action. Its place is that of the innermost frame of the program's own code; without one it
/// has no line.
fn step(system: &System, event: &Event) -> Step {
    let frames = place::frames(system, &event.frames);
    let frame = frames.iter().find(|f| !f.library && f.line > 0);
    let part = part(event);
    let (action, variable, value, old, text) = match &event.action {
        Action::Read { variable, value } => {
            let text = match value.is_empty() {
                true => format!("copies {part}"),
                false => format!("reads {part}: {value}"),
            };
            ("read", Some(variable), known(value), None, text)
        }
        Action::Write {
            variable,
            old,
            value,
        } => {
            let what = match place::instruction(system, event) {
                Some(Instruction::CompareExchange { .. }) => {
                    format!("compare-exchange of {part} succeeds")
                }
                _ => format!("writes {part}"),
            };
            let text = match (old.is_empty(), value.is_empty()) {
                (false, _) => format!("{what}: {old} becomes {value}"),
                (true, true) => format!("copies to {part}"),
                (true, false) => format!("fills {part} with {value}"),
            };
            ("write", Some(variable), known(value), known(old), text)
        }
        Action::Operation { text } | Action::Start { text, .. } => {
            ("operation", None, None, None, text.clone())
        }
        Action::ReadOld {
            variable,
            value,
            newest,
        } => {
            let text = format!(
                "reads {part}: {value}, an older value; the newest is {newest}, and nothing \
                 orders its write before this read"
            );
            ("read", Some(variable), Some(value), None, text)
        }
        Action::WriteBefore {
            variable,
            value,
            newest,
        } => {
            let text = format!(
                "writes {part}: {value}, before the write of {newest} in modification order"
            );
            ("write", Some(variable), Some(value), None, text)
        }
        Action::Delay { variable, value } => {
            let text = format!("writes {part}: {value}, delayed in its store buffer");
            ("delay", Some(variable), Some(value), None, text)
        }
        Action::Reach { variable, value } => {
            let text = format!("delayed write of {part} reaches memory: {value}");
            ("reach", Some(variable), Some(value), None, text)
        }
        Action::Drop { variable, value } => {
            let text = format!("delayed write of {part} is dropped: the memory is gone");
            ("drop", Some(variable), Some(value), None, text)
        }
        Action::Environment { what } => ("environment", None, None, None, what.clone()),
        Action::Assign { variable, value } => {
            let text = format!("sets {variable} to {value}");
            ("assign", Some(variable), Some(value), None, text)
        }
        Action::Fail {
            variable,
            value,
            expected,
        } => {
            let text = match expected {
                Some(expected) => {
                    format!("compare-exchange of {part} fails: it is {value}, not {expected}")
                }
                None => format!("compare-exchange of {part} fails spuriously: it is {value}"),
            };
            ("fail", Some(variable), Some(value), None, text)
        }
        Action::Allocate { object, bytes } => {
            let text = match bytes {
                1 => format!("allocates {object}: 1 byte"),
                bytes => format!("allocates {object}: {bytes} bytes"),
            };
            ("allocate", None, None, None, text)
        }
        Action::Free { object } => ("free", None, None, None, format!("frees {object}")),
        Action::Begin { .. } | Action::HappensBefore(_) => {
            unreachable!("a replay keeps these apart")
        }
        Action::Input {
            value,
            is_signed,
            name,
            ..
        } => {
            let text = match value {
                Some(value) if float(name, *value as u64).is_some() => {
                    let number = float(name, *value as u64).unwrap_or_default();
                    format!("the input is {number:?}")
                }
                Some(value) if is_of_text(name) => format!("a {name} is {value}"),
                Some(value) if *is_signed => format!("the input is {value}"),
                Some(value) => format!("the input is {}", *value as u64),
                None => "reads an input".into(),
            };
            ("choice", None, None, None, text)
        }
        Action::Choice { text } => ("choice", None, None, None, text.clone()),
        Action::Output { text, .. } => {
            let text = format!("prints {:?}", text);
            ("output", None, None, None, text)
        }
    };
    Step {
        thread: event.thread,
        transition: event.transition,
        function: frame
            .or(frames.first())
            .map_or(String::new(), |f| f.function.clone()),
        file: frame.map_or(String::new(), |f| f.file.clone()),
        line: frame.map_or(0, |f| f.line),
        action: action.into(),
        variable: variable.cloned(),
        value: value.cloned(),
        old: old.cloned(),
        object: object(event),
        library: event.library.is_some(),
        call: event.library.as_ref().and_then(|_| library_call(&frames)),
        part_of: event.library.clone().filter(|name| !name.is_empty()),
        minor: false,
        text,
    }
}
