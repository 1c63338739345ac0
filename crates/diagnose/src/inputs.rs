//! The inputs that a program reads on a path, where they are followed symbolically.

use crate::place::placed;
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::system::System;
use impasse_report::InputValue;

/// Returns the inputs that the program reads in these events, in order, with their values.
pub fn read_on(system: &System, events: &[Event]) -> Vec<InputValue> {
    let read = events.iter().filter_map(|event| {
        let Action::Input {
            input,
            name,
            is_signed,
            value: Some(value),
        } = &event.action
        else {
            return None;
        };
        let place = placed(system, &event.frames, name.clone());
        let bits = *value as u64 & (u64::MAX >> (64 - u32::from(input.1)));
        Some(InputValue {
            name: place.what,
            thread: event.thread,
            file: place.file,
            line: place.line,
            value: match is_signed {
                true => value.to_string(),
                false => bits.to_string(),
            },
            hexadecimal: format!("{bits:#x}"),
        })
    });
    read.collect()
}
