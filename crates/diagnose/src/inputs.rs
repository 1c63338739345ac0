//! The inputs that a program reads on a path.

use crate::place::placed;
use impasse_machine::machine::record::{Action, Event, OF_ARGUMENT, OF_STANDARD_INPUT};
use impasse_machine::system::System;
use impasse_report::InputValue;

/// Returns the inputs that the program reads in these events, in order, with their values.
pub fn read_on(system: &System, events: &[Event]) -> Vec<InputValue> {
    let read = events.iter().filter_map(|event| {
        let Action::Input {
            bits: width,
            name,
            is_signed,
            value: Some(value),
        } = &event.action
        else {
            return None;
        };
        let place = placed(system, &event.frames, name.clone());
        let bits = *value as u64 & (u64::MAX >> (64 - u32::from(*width)));
        Some(InputValue {
            name: place.what,
            thread: event.thread,
            file: place.file,
            line: place.line,
            value: match (float(name, bits), is_signed) {
                (Some(number), _) => format!("{number:?}"),
                (None, true) => value.to_string(),
                (None, false) => bits.to_string(),
            },
            hexadecimal: format!("{bits:#x}"),
            text: match (*width, bits) {
                (8, 0x20..0x7f) => format!("'{}'", bits as u8 as char),
                _ => String::new(),
            },
        })
    });
    read.collect()
}

/// Returns whether inputs of a name are bytes of standard input or of an argument.
pub fn is_of_text(name: &str) -> bool {
    name == OF_STANDARD_INPUT || name.starts_with(OF_ARGUMENT)
}

/// Returns the value of an input of these bits if its type is a floating-point type that terms
/// follow.
pub fn float(name: &str, bits: u64) -> Option<f64> {
    match name {
        "float" => Some(f32::from_bits(bits as u32).into()),
        "double" => Some(f64::from_bits(bits)),
        _ => None,
    }
}
