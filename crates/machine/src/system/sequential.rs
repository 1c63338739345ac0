//! A sequential program, executed one instruction at a time under an observer.
//!
//! [`crate::system::run`] executes a program to its end; here each instruction is executed on its
//! own, so that an observer who keeps values of his own beside those of the machine
//! (`impasse-termination` records which inputs a value came from) can look before and after.
//! Nothing of this costs the other ways of execution anything: they never execute it.

use crate::base::fault::{CodePlace, Halt};
use crate::exec::interpret::Flow;
use crate::machine::builtin::Builtin;
use crate::machine::system::System;
use crate::machine::{Machine, Stop};
use crate::state::memory::object::{Class, Object};
use crate::state::memory::{Access, Memory, ObjectRef};
use crate::system::step::start;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{CallSite, Instruction, Operand, Slot};
use impasse_program::link::{Function, FunctionId, Target};
use impasse_program::word::Word;

/// What the execution of one instruction came to.
#[derive(Debug)]
pub enum Progress {
    /// The program continues.
    On,
    /// The program has ended with this status.
    Exit(i32),
    /// The instruction could not be executed.
    Halted(Halt),
}

/// A program in the middle of its execution.
pub struct Sequential<'s> {
    machine: Machine<'s>,
}

impl<'s> Sequential<'s> {
    /// Returns the program, about to execute its first instruction.
    pub fn new(system: &'s System) -> Self {
        let mut machine = Machine::new(system);
        // What is proved of loops compares iterations, in which variables have the same addresses.
        machine.memory.renews_locals = false;
        start(&mut machine);
        machine.progress.run_on();
        machine.observer.explain(true);
        machine.restore_context(0);
        Sequential { machine }
    }

    /// Returns the place of the next instruction.
    pub fn place(&self) -> CodePlace {
        self.machine.place()
    }

    /// Returns the function of the innermost frame.
    pub fn function(&self) -> &'s Function {
        self.machine.at.function
    }

    /// Returns whether that function is the user's, and not a library's.
    pub fn in_users_code(&self) -> bool {
        self.machine.at.users
    }

    /// Returns the next instruction.
    pub fn next(&self) -> &'s Instruction {
        &self.function().body.code[self.machine.at.position as usize]
    }

    /// Returns the number of frames on the stack.
    pub fn depth(&self) -> usize {
        self.machine.stack.frames.len()
    }

    /// Returns the places of all frames, innermost first.
    pub fn frames(&self) -> Vec<CodePlace> {
        self.machine.frames_of(0)
    }

    /// Returns the values of the innermost frame's slots.
    pub fn slots(&self) -> &[Word] {
        &self.machine.stack.words[self.machine.at.base..]
    }

    /// Returns the value of an operand of the next instruction.
    pub fn read(&self, operand: Operand) -> Word {
        self.machine.read(operand)
    }

    /// Returns the program's memory.
    pub fn memory(&self) -> &Memory<'s> {
        &self.machine.memory
    }

    /// Returns the number of objects that were made since the start.
    pub fn objects_made(&self) -> u32 {
        self.machine.memory.dynamic.len() as u32
    }

    /// Returns the objects of the innermost frame, which end with it.
    pub fn own_objects(&self) -> &[ObjectId] {
        self.machine
            .stack
            .frames
            .last()
            .map_or(&[], |frame| &frame.objects)
    }

    /// Returns whether the program has started a thread: what follows is not sequential.
    pub fn is_parallel(&self) -> bool {
        self.machine.threads.len() > 1
    }

    /// Returns the call that is the next instruction, and its target, or `None` if the next
    /// instruction is another one or the address that it calls names no function.
    pub fn call(&self) -> Option<(&'s CallSite, Target)> {
        let Instruction::Call { site } = self.next() else {
            return None;
        };
        let target = self.machine.target(*site).ok()?;
        Some((&self.function().body.sites[site.0 as usize], target))
    }

    /// Returns whether a call would convert its arguments to those of a harness function.
    pub fn converts(&self, site: &CallSite, id: FunctionId) -> bool {
        self.machine.converts(site, id)
    }

    /// Returns the name of the builtin that the next instruction calls, or `None`.
    pub fn builtin(&self) -> Option<&'static str> {
        match self.call() {
            Some((_, Target::Builtin(id))) => Some(Builtin::from_id(id).name()),
            _ => None,
        }
    }

    /// Executes the next instruction and returns what happened. Choices of the system take their
    /// first outcome.
    pub fn step(&mut self) -> Progress {
        loop {
            let flow = self.machine.execute_one();
            match flow {
                Ok(Flow::Next) => self.machine.at.position += 1,
                Ok(Flow::Moved) => {}
                Ok(Flow::Stop(Stop::Exit(status))) => return Progress::Exit(status),
                Ok(Flow::Stop(Stop::SchedulingPoint | Stop::BudgetExhausted)) => {}
                Ok(Flow::Stop(Stop::ThreadEnd)) => {
                    let what = "a main thread that ends before its program".into();
                    return Progress::Halted(Halt::Unsupported(what));
                }
                Err(halt) => match *halt {
                    Halt::Choice(_, false) => {
                        self.machine.choices.add(0);
                        continue;
                    }
                    halt => return Progress::Halted(halt),
                },
            }
            self.machine.choices.end_instruction();
            return Progress::On;
        }
    }

    /// Assigns a word to a slot of the innermost frame.
    pub fn assign(&mut self, slot: Slot, word: Word) {
        self.machine.write(slot, word);
    }

    /// Skips the next instruction, which must be a call, as if it had returned this word.
    pub fn answer(&mut self, word: Word) {
        if let Some((call, _)) = self.call() {
            self.machine.write_results(call, &[word]);
            self.machine.at.position += 1;
        }
    }

    /// Replaces the innermost frame by one of another function with these arguments; it returns to
    /// the same place. Fails if the function cannot be entered.
    pub fn replace(&mut self, function: FunctionId, arguments: &[Word]) -> Result<(), Halt> {
        self.machine.stack.pop();
        if let Some(frame) = self.machine.stack.frames.last() {
            // `enter` writes the cursor back to the frame below: that is where it must be.
            self.machine.at.position = frame.position;
        }
        self.machine
            .enter(function, arguments)
            .map_err(|halt| *halt)
    }

    /// Allocates an object on the heap with this content and returns its address.
    pub fn allocate(&mut self, content: &[u8]) -> Word {
        let object = Object::with_content(Class::Heap, content, &[], 4);
        let id = self.machine.memory.allocate(object);
        Word::pointer(Address::of(id).bits())
    }

    /// Overwrites bytes of an object. Panics if it does not exist or has not so many.
    pub fn overwrite(&mut self, object: ObjectId, offset: usize, bytes: &[u8]) {
        let object = self.machine.memory.get_mut(object);
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        if !object.undefined.is_empty() {
            object.undefined[offset..offset + bytes.len()].fill(0);
        }
    }

    /// Stores an address in an object at an offset in bytes; does nothing if it does not lie in the
    /// object.
    pub fn point(&mut self, object: ObjectId, offset: u32, to: Word) {
        let address = Address {
            object,
            offset: i64::from(offset),
        };
        let bytes = 8;
        let place = Word::pointer(address.bits());
        let spot = self.machine.memory.resolve(place, bytes, Access::Write);
        if let Ok(spot) = spot {
            self.machine.memory.store(spot, bytes as usize, to);
        }
    }

    /// Returns the innermost place in the program's own files, in words.
    pub fn own_place(&self) -> String {
        self.machine.own_place(&self.frames())
    }

    /// Returns an object, or `None` if it does not exist.
    pub fn object(&self, object: ObjectId) -> Option<ObjectRef<'_>> {
        self.machine.memory.get(object)
    }
}
