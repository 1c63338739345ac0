//! The state in which a program starts: its first thread at its first function, with the program's
//! arguments.

use crate::machine::Machine;
use crate::state::clock::Clock;
use crate::state::frame::Stack;
use crate::state::memory::object::{Class, Object};
use crate::state::memory::{Entry, Spot};
use crate::state::thread::{Thread, Threads};
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::word::Word;
use std::sync::Arc;

/// Sets the machine to the state in which the program starts: one thread, about to run the
/// runtime's start function with the arguments.
pub fn start(machine: &mut Machine<'_>) {
    let system = machine.system;
    let count = system.program.mutable_globals() as usize;
    machine.memory.globals = system.initial[..count]
        .iter()
        .map(|&id| Entry::Stored(id))
        .collect();
    machine.memory.naming = vec![0; count.div_ceil(64)];
    machine.memory.dynamic.clear();
    machine
        .memory
        .enter_id_range(machine.memory.id_ranges.own(0));
    let handle = machine
        .memory
        .allocate(Object::undefined(Class::Machine, 0, 3, None));
    machine.threads = Threads::default();
    machine.threads.push(Arc::new(Thread::new(handle)));
    let arguments = strings(machine, &system.options.arguments);
    let environment = strings(machine, &system.options.environment);
    let mut stack = Stack::default();
    let frame = stack.push(&system.program, system.start);
    let base = frame.base;
    let number = system.options.arguments.len() as u64;
    for (n, word) in [Word::number(number), arguments, environment]
        .into_iter()
        .enumerate()
    {
        if n < system.program.info(system.start).signature.parameters.len() {
            stack.words[base + n] = word;
        }
    }
    machine.threads[0].images = vec![stack.image(0)];
    machine.time.restore(Clock::default());
    machine.count_threads();
}

/// An array of C strings, ended by null.
fn strings(machine: &mut Machine<'_>, texts: &[String]) -> Word {
    let pointer = machine.program.pointer();
    let size = (texts.len() as u32 + 1) * pointer.bytes();
    let array = vec![0; size as usize];
    let array = Object::with_content(Class::Machine, &array, &[], 3);
    let array = machine.memory.allocate(array);
    for (n, text) in texts.iter().enumerate() {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        let string = Object::with_content(Class::Machine, &bytes, &[], 0);
        let string = machine.memory.allocate(string);
        let word = Word::pointer(Address::of(string).bits());
        let spot = Spot {
            object: array,
            offset: n * pointer.bytes() as usize,
        };
        machine.store_checked(pointer, spot, Value::one(word));
    }
    Word::pointer(Address::of(array).bits())
}
