//! Choices of the program's input, and assumptions about it.

use crate::base::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::base::options::Clocks;
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::record::{Action, OF_ARGUMENT, OF_STANDARD_INPUT, RANDOM_BYTE};
use crate::state::memory::object::{Class, Object};
use crate::value::symbolic::{InputId, term_of};
use impasse_program::address::Address;
use impasse_program::word::Word;
use impasse_semantics::numbers::Wide;
use impasse_semantics::vectors::{Sign, Vectors};
use std::sync::atomic::Ordering::Relaxed;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_choose", 1, choose),
    Builtin::new("__impasse_choose_range", 3, choose_range),
    Builtin::new("__impasse_choose_upper_half", 3, |_, arguments| {
        let is_negative = arguments[1].bits as u32 != 0 && (arguments[2].bits as i64) < 0;
        Returned::number(-i64::from(is_negative), 64)
    }),
    Builtin::new("__impasse_random_byte", 1, random_byte),
    Builtin::new("__impasse_follows_inputs", 0, |m, _| {
        Returned::int(m.symbolic.terms().is_some().into())
    }),
    Builtin::new("__impasse_input_is_unknown", 0, |m, _| {
        Returned::int(m.options.unknown_input.into())
    }),
    Builtin::new("__impasse_unknown_argument", 1, unknown_argument),
    Builtin::new("__impasse_unknown_byte", 1, unknown_byte),
    Builtin::new("__impasse_assume", 1, assume),
    Builtin::new("__impasse_sometimes", 0, |m, _| {
        let outcome = m.choose(2, false)?;
        Returned::int(outcome as i32)
    }),
];

/// Types with at most so many bits are tried in full where no range is given.
const SMALL: u64 = 8;
/// No choice has more alternatives than this.
const MOST: i128 = 1 << 20;

fn choose(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let count = arguments[0].bits as u32 as i32;
    if count <= 0 || !arguments[0].is_defined() {
        return error(
            ErrorKind::InvalidCall,
            format!("chooses among {count} alternatives"),
        );
    }
    let outcome = machine.choose(count as u32, true)?;
    note(machine, || {
        format!("chooses {outcome} of 0 to {}", count - 1)
    });
    Returned::int(outcome as i32)
}

fn choose_range(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (bits, signed) = (arguments[1].bits, arguments[2].bits != 0);
    if machine.symbolic.terms().is_some() && bits <= 64 {
        let name = machine.memory.string(arguments[0])?;
        let word = read_symbolically(machine, &name, bits as u8, signed)?;
        return Ok(Returned::Word(word));
    }
    if machine.options.nondet.is_none() && bits > SMALL {
        if bits <= 64 && machine.system.may_follow_inputs() {
            machine.system.input_is_read.store(true, Relaxed);
        }
        let name = machine.memory.string(arguments[0])?;
        let otherwise = match machine.options.clocks {
            Clocks::Unknown if bits <= 64 => ", or follow inputs and times with --clocks symbolic",
            _ => "",
        };
        return unsupported(format!(
            "an input of type {name} may have {bits} bits: give the values to try with --nondet \
             LOW..HIGH{otherwise}"
        ));
    }
    note_trial(machine, bits);
    let value = choose_number(machine, bits, signed)?;
    if machine.observer.notes_events() {
        let name = machine.memory.string(arguments[0])?;
        let value = match name.as_str() {
            "float" => (value as f32).to_bits().into(),
            "double" => (value as f64).to_bits() as i64,
            _ => value,
        };
        note_input(machine, &name, (bits.min(64) as u8, signed), Some(value));
    }
    Returned::number(value, 64)
}

/// Bytes that are read together are one input.
fn random_byte(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let count = arguments[0].bits;
    if machine.symbolic.terms().is_some() {
        let word = read_symbolically(machine, RANDOM_BYTE, 8, false)?;
        return Ok(Returned::Word(word));
    }
    let system = machine.system;
    if system.options.nondet.is_none() && (count > 1 || system.may_shorten_spin_loops()) {
        if system.may_follow_inputs() {
            system.input_is_read.store(true, Relaxed);
        }
        return unsupported(format!(
            "{count} random bytes read at once (getrandom, /dev/urandom, std::random_device) may have any value: \
             give the values of each byte with --nondet LOW..HIGH"
        ));
    }
    note_trial(machine, 8);
    let byte = choose_number(machine, 8, false)?;
    note_input(machine, RANDOM_BYTE, (8, false), Some(byte));
    Returned::number(byte, 64)
}

/// Memory for an argument of unknown content, of which the adversary chooses the length. No access
/// to it can go further than to one of just that length.
fn unknown_argument(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let index = arguments[0].bits as u32 as usize;
    let all = &machine.options.arguments;
    let Some(longest) = all.get(index) else {
        return Ok(Returned::Word(Word::number(0)));
    };
    if index < all.len() - machine.options.unknown_arguments.min(all.len()) {
        return Ok(Returned::Word(Word::number(0)));
    }
    let length = machine.choose(longest.len() as u32 + 1, true)? as usize;
    note(machine, || format!("argument {index} has {length} bytes"));
    let bytes = [&longest.as_bytes()[..length], &[0]].concat();
    let object = Object::with_content(Class::Machine, &bytes, &[], 0);
    let object = machine.memory.allocate(object);
    Ok(Returned::Word(Word::pointer(Address::of(object).bits())))
}

/// A byte of what has unknown content. Several are read together, so they are too many to try.
fn unknown_byte(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (name, least) = match arguments[0].bits as u32 {
        0 => (OF_STANDARD_INPUT.to_owned(), 0),
        n => (format!("{OF_ARGUMENT}{n}"), 1),
    };
    if machine.symbolic.terms().is_some() {
        let returned = read_symbolically(machine, &name, 8, false)?;
        if least > 0 {
            let term = term_of(returned.term);
            let is_any = machine.terms().with(|terms| {
                let zero = terms.constant(0, terms.width(term));
                terms.differ(term, zero)
            });
            machine.symbolic.add(is_any);
        }
        return Ok(Returned::Word(returned));
    }
    let Some((low, high)) = machine.options.nondet else {
        if machine.system.may_follow_inputs() {
            machine.system.input_is_read.store(true, Relaxed);
        }
        return unsupported(format!(
            "a {name} may have any value: give the values to try with --nondet LOW..HIGH"
        ));
    };
    let (low, high) = (low.max(least), high.min(255));
    let byte = choose_between(machine, low.into(), high.into())? as i64;
    note_input(machine, &name, (8, false), Some(byte));
    Returned::number(byte, 64)
}

/// An input of which every value is followed at once.
fn read_symbolically(
    machine: &mut Machine<'_>,
    name: &str,
    bits: u8,
    signed: bool,
) -> Result<Word> {
    if machine.choices.are_enough() && machine.choices.are_of_earlier_instructions() {
        // What is decided by the input must not come in a later step: others could move before.
        return Err(Box::new(Halt::Choice(1, true)));
    }
    let owner = InputId::owner_of(machine.running);
    let input = machine.symbolic.condition.add_input(owner, bits);
    let terms = machine.terms();
    let sign = match signed {
        true => Sign::Signed,
        false => Sign::Unsigned,
    };
    if machine.observer.notes_events() {
        let value = machine.symbolic.shown_input(input);
        let extended = |value: u64| Wide.resize(sign, value.into(), bits.into(), 64) as i64;
        note_input(machine, name, (bits, signed), value.map(extended));
    }
    let input = terms.input(input);
    let term = terms.on(|v| v.resize(sign, input, bits.into(), 64));
    Ok(machine.of_term(term))
}

/// Notes that the values of an input are tried one by one which could be followed.
fn note_trial(machine: &Machine<'_>, bits: u64) {
    if bits > 1 && machine.system.may_follow_inputs() {
        machine.system.input_is_tried.store(true, Relaxed);
    }
}

/// Any number of so many bits, within the range that the options give. The bounds of a range have
/// 64 bits, so that a wider type has no other values in it.
fn choose_number(machine: &mut Machine<'_>, bits: u64, signed: bool) -> Result<i64> {
    let bits = bits.min(64);
    let least: i128 = if signed { -(1 << (bits - 1)) } else { 0 };
    let most = least + (1i128 << bits) - 1;
    let (low, high) = match machine.options.nondet {
        Some((low, high)) => ((low as i128).max(least), (high as i128).min(most)),
        None => (least, most),
    };
    Ok(choose_between(machine, low, high)? as i64)
}

/// Any number of a range.
fn choose_between(machine: &mut Machine<'_>, low: i128, high: i128) -> Result<i128> {
    if high < low {
        machine.visible_action()?;
        return Err(Box::new(Halt::Infeasible));
    }
    if high - low >= MOST {
        return unsupported(format!("an input with {} possible values", high - low + 1));
    }
    let outcome = machine.choose((high - low + 1) as u32, true)?;
    Ok(low + outcome as i128)
}

/// Notes an input of so many bits, with a sign or without one.
fn note_input(
    machine: &mut Machine<'_>,
    name: &str,
    (bits, is_signed): (u8, bool),
    value: Option<i64>,
) {
    if machine.observer.notes_events() {
        machine.note(Action::Input {
            bits,
            name: name.into(),
            is_signed,
            value,
        });
    }
}

fn note(machine: &mut Machine<'_>, text: impl FnOnce() -> String) {
    if machine.observer.notes_events() {
        machine.note(Action::Choice { text: text() });
    }
}

/// An assumption that does not hold ends the execution when it is reached: what other threads do
/// before is part of the program, so that others can observe it.
fn assume(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let condition = arguments[0];
    if !condition.term.is_none() {
        return assume_term(machine, condition);
    }
    if !condition.is_defined() {
        return error(
            ErrorKind::UndefinedValue,
            "an assumption depends on an undefined value",
        );
    }
    match condition.bits as u32 {
        0 => {
            machine.visible_action()?;
            Err(Box::new(Halt::Infeasible))
        }
        _ => Ok(Returned::Nothing),
    }
}

/// The same where the condition depends on inputs: only values for which it holds are followed.
fn assume_term(machine: &mut Machine<'_>, condition: Word) -> Result<Returned> {
    let Some(number) = machine.as_term(condition, 32) else {
        return unsupported("an assumption about an address that depends on an input");
    };
    let holds = machine.terms().with(|terms| {
        let zero = terms.constant(0, terms.width(number));
        terms.differ(number, zero)
    });
    match machine.decide(holds)? {
        true => Ok(Returned::Nothing),
        false => {
            machine.visible_action()?;
            Err(Box::new(Halt::Infeasible))
        }
    }
}
