//! The machine: one state under execution, and how a thread of it is run.

pub(crate) mod access;
pub mod builtin;
pub(crate) mod builtin_call;
pub(crate) mod choice_provenance;
pub(crate) mod choices;
pub mod environment;
pub mod footprint;
pub mod futures;
pub(crate) mod history;
pub(crate) mod in_flight;
pub(crate) mod interruptions;
pub mod names;
mod notes;
pub(crate) mod observer;
pub mod operation;
pub mod outcomes;
pub(crate) mod progress;
pub(crate) mod races;
pub mod record;
pub(crate) mod route;
pub mod spin;
pub(crate) mod step_effects;
pub mod suppression;
pub(crate) mod symbolic;
pub mod symmetry;
pub mod system;
pub(crate) mod time;

use crate::base::fault::{
    Blocked, CodePlace, ErrorKind, Fault, Halt, Omission, Result, ThreadStack, error,
};
use crate::base::options::{Clocks, Options};
use crate::machine::builtin_call::BuiltinCall;
use crate::machine::choices::Choices;
use crate::machine::footprint::{Place as SharedPlace, Recorder};
use crate::machine::history::History;
use crate::machine::in_flight::InFlight;
use crate::machine::interruptions::Interruptions;
use crate::machine::observer::Observer;
use crate::machine::progress::Progress;
use crate::machine::races::Races;
use crate::machine::route::Route;
use crate::machine::step_effects::StepEffects;
use crate::machine::suppression::RelaxedAccesses;
use crate::machine::symbolic::Symbolic;
use crate::machine::system::System;
use crate::machine::time::Time;
use crate::state::frame::{FrameImage, Stack};
use crate::state::happens_before::{Holder, Op};
use crate::state::memory::Memory;
use crate::state::read_set::ReadSetEntry;
use crate::state::thread::{Identity, Phase, Thread, Threads};
use impasse_program::address::ObjectId;
use impasse_program::instruction::{Operand, Place, Position, Scalar, Slot};
use impasse_program::link::{Function, FunctionId, Program};
use impasse_program::word::Word;

use crate::value::Value;
use std::sync::atomic::Ordering::Relaxed;

/// Where the running thread is.
#[derive(Clone, Copy)]
pub struct Cursor<'s> {
    /// The function.
    pub function: &'s Function,
    /// Its number.
    pub id: FunctionId,
    /// The next instruction.
    pub position: u32,
    /// Index of the frame's first slot.
    pub base: usize,
    /// Whether the function is the user's.
    pub users: bool,
}

/// Why a run of a thread ended without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Before the next visible action, or inside one of several steps.
    SchedulingPoint,
    /// In the middle of a long computation.
    BudgetExhausted,
    /// The thread has ended.
    ThreadEnd,
    /// The program has ended.
    Exit(i32),
}

/// One state under execution.
pub struct Machine<'s> {
    /// The program and all that the search's threads share.
    pub(crate) system: &'s System,
    /// The program.
    pub(crate) program: &'s Program,
    /// The options.
    pub(crate) options: &'s Options,
    /// Objects.
    pub(crate) memory: Memory<'s>,
    /// Threads, by number; 0 is the main thread.
    pub(crate) threads: Threads,
    /// The decoded part of the running thread's stack.
    pub(crate) stack: Stack<'s>,
    /// The number of the running thread.
    pub(crate) running: usize,
    /// Where it is.
    pub(crate) at: Cursor<'s>,
    /// The call of a builtin that the present instruction is.
    pub(crate) call: BuiltinCall,
    /// The happens-before history.
    pub(crate) history: History,
    /// The time.
    pub(crate) time: Time,
    /// How far the step has come.
    pub(crate) progress: Progress,
    /// Its choices.
    pub(crate) choices: Choices,
    /// What the present instruction does to what is in flight.
    pub(crate) in_flight: InFlight<'s>,
    /// What the step does besides changing the state.
    pub(crate) effects: StepEffects,
    /// What it is compared with for races.
    pub(crate) races: Races,
    /// What the step accesses that other threads could access as well.
    pub(crate) footprint: Recorder,
    /// Whether a signal may interrupt the running thread.
    pub(crate) interruptions: Interruptions,
    /// What is noted of the execution.
    pub(crate) observer: Observer,
    /// Which accesses' races are suppressed.
    pub(crate) relaxed: RelaxedAccesses,
    /// What is known of the inputs that are followed symbolically.
    pub(crate) symbolic: Symbolic<'s>,
}

impl<'s> Machine<'s> {
    /// Returns a machine without a state.
    pub fn new(system: &'s System) -> Self {
        let start = system.start;
        Machine {
            system,
            program: &system.program,
            options: &system.options,
            memory: Memory::new(system.memory()),
            threads: Threads::default(),
            stack: Stack::default(),
            running: 0,
            at: Cursor {
                function: system.program.function(start),
                id: start,
                position: 0,
                base: 0,
                users: false,
            },
            call: BuiltinCall::default(),
            history: History::new(system.tracking),
            time: Time::new(system.options.clocks),
            progress: Progress::default(),
            choices: Choices::default(),
            in_flight: InFlight::default(),
            effects: StepEffects::default(),
            races: Races::default(),
            footprint: Recorder::default(),
            interruptions: Interruptions::default(),
            observer: Observer::new(
                system.options.clocks == Clocks::Unknown || system.terms.is_some(),
            ),
            relaxed: RelaxedAccesses::default(),
            symbolic: Symbolic::new(system.terms.as_ref()),
        }
    }

    /// Returns the running thread.
    pub fn thread(&mut self) -> &mut Thread {
        &mut self.threads[self.running]
    }

    /// Counts the living threads again: their number decides whether memory is shared.
    pub fn count_threads(&mut self) {
        let identities = self.threads.identities();
        let alive = identities.filter(|t| t.is_alive()).count();
        self.memory.concurrent = alive > 1;
        if self.memory.concurrent {
            return;
        }
        self.model().leave_alone(self);
        let last = self.threads.identities().position(Identity::is_alive);
        if let Some(last) = last {
            // Whether it has accessed anything decides what follows.
            self.memory.read_set.note(ReadSetEntry::Thread(last as u32));
            self.threads.clear_access_history(last);
        }
    }

    /// Makes a thread the running one and decodes its innermost frame.
    pub fn restore_context(&mut self, thread: usize) {
        self.running = thread;
        self.memory.running = thread as u32;
        self.memory
            .enter_id_range(self.memory.id_ranges.own(thread));
        self.stack.clear();
        let program = self.program;
        if self.threads[thread].images.is_empty() {
            self.fetch_frame();
        } else {
            for image in std::mem::take(&mut self.threads[thread].images) {
                self.stack.push_image(program, image);
            }
        }
        self.reload();
        self.look_for_signals();
    }

    /// Decodes the innermost stored frame of the running thread onto an empty stack. Returns false
    /// if there is none.
    pub fn fetch_frame(&mut self) -> bool {
        debug_assert!(self.stack.frames.is_empty());
        let Some(stored) = self.threads[self.running].frames.pop() else {
            return false;
        };
        self.stack
            .push_stored(self.program, self.memory.store.get(stored));
        true
    }

    /// Sets the cursor to the position of the innermost frame.
    pub fn reload(&mut self) {
        if let Some(frame) = self.stack.frames.last_mut() {
            frame.calling = false;
            self.at = Cursor {
                function: frame.function,
                id: frame.id,
                position: frame.position,
                base: frame.base,
                users: frame.users,
            };
        }
    }

    /// Writes the cursor back to the innermost frame.
    pub fn sync(&mut self) {
        let position = self.at.position;
        if let Some(frame) = self.stack.frames.last_mut() {
            frame.position = position;
        }
    }

    /// Moves the running thread's frames from the stack to its images.
    pub fn save_context(&mut self) {
        self.sync();
        let images = (0..self.stack.frames.len()).map(|i| self.stack.image(i));
        let images = images.collect();
        self.threads[self.running].images = images;
        self.stack.clear();
    }

    /// Pushes a frame and continues there. Fails if the stack is too deep.
    pub fn enter(&mut self, function: FunctionId, arguments: &[Word]) -> Result<()> {
        let base = self.push_frame(function)?;
        self.stack.words[base..base + arguments.len()].copy_from_slice(arguments);
        self.reload();
        Ok(())
    }

    /// Notes that the innermost frame calls the frame that is pushed next. Panics if there is none.
    pub fn calls(&mut self) {
        let caller = self.stack.frames.last_mut().expect("a running frame");
        caller.calling = true;
    }

    /// Pushes a frame and returns the index of its first slot among the words of the stack. The
    /// cursor stays. Fails if the stack is too deep.
    pub fn push_frame(&mut self, function: FunctionId) -> Result<usize> {
        self.sync();
        let deep = self.threads[self.running].frames.len() + self.stack.frames.len();
        if deep >= self.options.max_frames {
            return error(
                ErrorKind::StackOverflow,
                format!("the stack has {deep} frames"),
            );
        }
        Ok(self.stack.push(self.program, function).base)
    }

    /// Returns the value of an operand of one word.
    #[inline]
    pub fn read(&self, operand: Operand) -> Word {
        match operand.place() {
            Place::Slot(slot) => self.stack.words[self.at.base + slot.0 as usize],
            Place::Constant(index) => self.at.function.constants[index as usize],
        }
    }

    /// Returns the value of an operand of a scalar type.
    #[inline]
    pub fn read_scalar(&self, operand: Operand, scalar: Scalar) -> Value {
        let low = self.read(operand);
        match scalar.words() {
            1 => Value::one(low),
            _ => Value {
                low,
                high: self.read(operand.second()),
            },
        }
    }

    /// Assigns one word.
    #[inline]
    pub fn write(&mut self, slot: Slot, word: Word) {
        self.stack.words[self.at.base + slot.0 as usize] = word;
    }

    /// Assigns a scalar.
    #[inline]
    pub fn write_scalar(&mut self, slot: Slot, scalar: Scalar, value: Value) {
        self.write(slot, value.low);
        if scalar.words() == 2 {
            self.write(Slot(slot.0 + 1), value.high);
        }
    }

    /// Returns the innermost place in the program's own files, in words.
    pub fn own_place(&self, frames: &[CodePlace]) -> String {
        let own = |place: &&CodePlace| self.system.own[place.function.0 as usize];
        match frames.iter().find(own).or(frames.first()) {
            Some(&place) => crate::state::memory::describe::place_in_words(self.program, place),
            None => "an unknown place".into(),
        }
    }

    /// Allocates an object of the innermost frame. Panics if there is none.
    pub fn allocate_local(&mut self, object: crate::state::memory::object::Object) -> ObjectId {
        let id = self.memory.allocate(object);
        let frame = self.stack.frames.last_mut().expect("a running frame");
        frame.objects.push(id);
        id
    }

    /// Returns the outcome of a choice among `count` alternatives; `input` if the program's input
    /// decides, and not the scheduler. Halts if the scheduler has not decided yet: call it before
    /// the instruction has any effect.
    pub fn choose(&mut self, count: u32, input: bool) -> Result<u32> {
        if count == 1 {
            return Ok(0);
        }
        if self.symbolic.speculates {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        if input {
            self.footprint.touch_own(SharedPlace::Input, false);
        }
        let outcome = self.choices.take();
        outcome.ok_or_else(|| Box::new(Halt::Choice(count, input)))
    }

    /// Chooses whether an operation fails spuriously. If it does, the step is a non-progress edge:
    /// no section ends by it. Halts as [`Machine::choose`] does.
    pub fn fails_spuriously(&mut self) -> Result<bool> {
        let fails = !self.in_flight.is_state_drained() && self.choose(2, false)? == 1;
        if fails {
            self.choices.provenance().failed_spuriously();
            self.system.spurious_failure_seen.store(true, Relaxed);
        }
        Ok(fails)
    }

    /// Halts as blocked, without a reason, unless a report needs one: then returns.
    pub fn block_quietly(&self) -> Result<()> {
        match self.observer.explains() {
            true => Ok(()),
            false => Err(Box::new(Halt::Blocked(Blocked::default()))),
        }
    }

    /// Returns the present place in the program.
    pub fn place(&self) -> CodePlace {
        CodePlace {
            function: self.at.id,
            position: Position(self.at.position),
        }
    }

    /// Returns the frames of a thread, innermost first.
    pub fn frames_of(&self, thread: usize) -> Vec<CodePlace> {
        self.frames_inside_out(thread).collect()
    }

    /// The frames of a thread, innermost first, each of which is decoded when it is asked for.
    pub(crate) fn frames_inside_out(&self, thread: usize) -> impl Iterator<Item = CodePlace> + '_ {
        let place = |function, position| CodePlace {
            function,
            position: Position(position),
        };
        let decoded = match thread == self.running {
            true => self.stack.frames.as_slice(),
            false => &[],
        };
        let innermost = (!decoded.is_empty()).then(|| self.place());
        let below = decoded.iter().rev().skip(1);
        let below = below.map(move |f| place(f.id, f.position));
        let images = self.threads[thread].images.iter().rev();
        let images = images.map(move |i| place(i.function, i.position));
        let stored = self.threads[thread].frames.iter().rev();
        let stored = stored.map(move |&id| {
            let image = FrameImage::decode(self.memory.store.get(id));
            place(image.function, image.position)
        });
        let running = innermost.into_iter().chain(below);
        running.chain(images).chain(stored)
    }

    fn stack_of(&self, thread: usize) -> ThreadStack {
        ThreadStack {
            thread: self.memory.reported_thread(thread),
            waits: None,
            frames: self.frames_of(thread),
            locals: self.noted_locals_of(thread),
        }
    }

    /// Returns an error of the running thread, with the stacks of all threads.
    pub fn fault(&self, kind: ErrorKind, message: String) -> Fault {
        let mut order: Vec<usize> = vec![self.running];
        let alive = (0..self.threads.len()).filter(|&t| self.threads[t].is_alive());
        order.extend(alive.filter(|&t| t != self.running));
        Fault {
            kind,
            message,
            thread: self.memory.reported_thread(self.running),
            stacks: order.iter().map(|&t| self.stack_of(t)).collect(),
        }
    }

    /// Returns the error that no thread can continue; `blocked` says what each of them waits for.
    pub fn deadlock(&self, blocked: Vec<(usize, Blocked)>) -> Fault {
        let stack = |(thread, blocked): (usize, Blocked)| ThreadStack {
            thread: thread as u32,
            waits: Some(blocked),
            frames: self.frames_of(thread),
            locals: self.noted_locals_of(thread),
        };
        let stacks: Vec<ThreadStack> = blocked.into_iter().map(stack).collect();
        Fault {
            kind: ErrorKind::Hang,
            message: String::new(),
            thread: stacks.first().map_or(0, |s| s.thread),
            stacks,
        }
    }

    /// Returns an omission: something that the running thread cannot execute.
    pub fn omission(&self, what: String) -> Omission {
        Omission {
            what,
            stack: self.stack_of(self.running),
        }
    }

    /// Removes all frames of the running thread and frees their objects. Fails if that is an error.
    pub fn leave_frames(&mut self) -> Result<()> {
        loop {
            while !self.stack.frames.is_empty() {
                self.check_not_listed()?;
                self.record_end_of_copies();
                self.leave_frame()?;
            }
            if !self.fetch_frame() {
                return Ok(());
            }
        }
    }

    /// Removes the innermost frame, which must be decoded, and frees its objects. Fails if another
    /// thread races with that.
    pub fn leave_frame(&mut self) -> Result<()> {
        let frame = self.stack.pop();
        self.record_end_of_locals(frame.id, frame.function);
        self.free_locals(frame.objects)
    }

    /// Frees the objects of a frame that is left. Fails if another thread races with that.
    #[inline]
    pub fn free_locals(&mut self, objects: impl IntoIterator<Item = ObjectId>) -> Result<()> {
        for object in objects {
            self.look_for_late_accesses(object)?;
            self.record_scope(Route::Freed, object);
            self.model().end_object(self, object)?;
            self.track_end(object);
            self.memory.free_local(object);
        }
        Ok(())
    }

    /// Returns whether every other thread of the program has ended.
    pub fn is_last_thread(&self) -> bool {
        let others = self.threads.identities().enumerate();
        !others
            .filter(|(n, _)| *n != self.running)
            .any(|(_, t)| t.is_alive() && !t.is_timer)
    }

    /// Ends the running thread.
    pub fn finish_thread(&mut self) {
        self.end_all_functions();
        let running = self.running;
        let locals = std::mem::take(&mut self.threads[running].locals);
        for (_, object) in locals {
            self.track_end(object);
            self.record_scope(Route::Freed, object);
            self.memory.free(object);
        }
        self.track_thread_end();
        self.record_touch(SharedPlace::End(running as u32), true);
        self.record_touch(SharedPlace::Finished(running as u32), true);
        let thread = &mut self.threads[running];
        thread.phase = Phase::Finished;
        if thread.detached {
            self.system.weak.note_detached();
            self.track(Op::Erase(Holder::Ended(running as u32)));
            self.forget_thread(running);
        }
        self.memory.reshaped = true;
        self.count_threads();
    }
}
