//! The world outside: clocks, output, files that exist at the start. Nothing that a program does
//! reaches the host.

use crate::base::fault::Result;
use crate::base::options::Clocks;
use crate::exec::clock::Deadline;
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::builtin::{reads_as_many, writes_as_many};
use crate::machine::record::Action;
use crate::state::memory::Spot;
use crate::state::memory::object::{Class, Object};
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

/// Their numbers are nanoseconds, more than a `long` of 32 bits can hold.
pub(crate) const CLOCKS: &[Builtin] = &[
    Builtin::new("__impasse_time", 1, |m, _| {
        let now = m.read_clock()?;
        Ok(Returned::Word(now))
    }),
    Builtin::new("__impasse_time_after", 1, |m, a| {
        let until = m.time_after(a[0])?;
        Ok(Returned::Word(until))
    }),
    Builtin::new("__impasse_sleep_until", 1, |m, a| {
        m.act()?;
        if m.options.clocks != Clocks::Unread {
            m.record_unknown();
        }
        let until = m.keep(Deadline::At(a[0]));
        m.let_time_pass(until)?;
        Ok(Returned::Nothing)
    }),
];

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_time_is_unknown", 0, |m, _| {
        Returned::int((m.options.clocks == Clocks::Unknown) as i32)
    }),
    Builtin::new("__impasse_output", 3, output).accessing(&[reads_as_many(1, 2)]),
    Builtin::new("__impasse_asks", 2, asks),
    Builtin::new("__impasse_snapshot_count", 0, |m, _| {
        Returned::number(m.options.files.len() as i64, 64)
    }),
    Builtin::new("__impasse_snapshot_path", 1, snapshot_path),
    Builtin::new("__impasse_snapshot_size", 1, |m, a| {
        let size = m.snapshot(a[0]).len() as i64;
        Returned::number(size, 64)
    }),
    Builtin::new("__impasse_snapshot_read", 4, snapshot_read).accessing(&[writes_as_many(1, 3)]),
];

/// Nothing that the program could observe: the texts are only read for the note.
fn asks(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let text = machine.memory.string(arguments[0])?;
    let what = match arguments[1].bits {
        0 => text,
        _ => text.replacen("%s", &machine.memory.string(arguments[1])?, 1),
    };
    machine.ask_environment(what);
    Ok(Returned::Nothing)
}

fn output(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (descriptor, count) = (arguments[0].bits as i32, arguments[2].bits);
    if count == 0 {
        return Ok(Returned::Nothing);
    }
    let spot = machine.access_bytes(1, arguments[1], count)?;
    machine.effects.note_change();
    if !machine.observer.notes_output() {
        return Ok(Returned::Nothing);
    }
    let object = machine.memory.get(spot.object).expect("a checked place");
    let bytes = object.bytes()[spot.offset..spot.offset + count as usize].to_vec();
    if machine.observer.notes_events() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        machine.note(Action::Output { descriptor, text });
    }
    machine.observer.print(descriptor, bytes);
    Ok(Returned::Nothing)
}

impl<'s> Machine<'s> {
    fn snapshot(&self, index: Word) -> &'s [u8] {
        match index.bits as i64 {
            -1 => &self.options.standard_input,
            n => usize::try_from(n)
                .ok()
                .and_then(|n| self.options.files.get(n))
                .map_or(&[], |(_, content)| content),
        }
    }
}

fn snapshot_path(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let index = arguments[0].bits as usize;
    let Some((path, _)) = machine.options.files.get(index) else {
        return Ok(Returned::Word(Word::number(0)));
    };
    let mut bytes = path.clone().into_bytes();
    bytes.push(0);
    let object = Object::with_content(Class::Machine, &bytes, &[], 0);
    let object = machine.memory.allocate(object);
    Ok(Returned::Word(Word::pointer(Address::of(object).bits())))
}

fn snapshot_read(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (offset, count) = (arguments[2].bits as usize, arguments[3].bits as usize);
    let content = machine.snapshot(arguments[0]);
    let Some(bytes) = content
        .get(offset..offset + count)
        .filter(|b| !b.is_empty())
    else {
        return Ok(Returned::Nothing);
    };
    let start = machine.access_bytes(1, arguments[1], count as u64)?;
    for (i, &byte) in bytes.iter().enumerate() {
        let spot = Spot {
            object: start.object,
            offset: start.offset + i,
        };
        machine.store_checked(
            Scalar::Integer(8),
            spot,
            Value::one(Word::number(byte as u64)),
        );
    }
    Ok(Returned::Nothing)
}
