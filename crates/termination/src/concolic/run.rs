//! Executes the program on given inputs and records what it does.
//!
//! Recording starts where `main` (or the function under test) is entered and ends where it is left;
//! what the runtime does before and after is executed, but not recorded.

pub(super) mod outside;

use super::loop_headers::LoopHeaders;
use super::trace::{Activation, Effect, End, Input, Source, Step, Trace, Visit};
use super::wraps::{Wrap, wrap};
use impasse_machine::base::fault::{ErrorKind, Halt};
use impasse_machine::machine::builtin::Builtin;
use impasse_machine::state::memory::object::Flags;
use impasse_machine::system::System;
use impasse_machine::system::sequential::{Progress, Sequential};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Body, Instruction, Operand, Place, Range, Slot};
use impasse_program::link::{FunctionId, Target};
use impasse_program::word::{Word, mask};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::time::Instant;

/// How far an execution may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How many instructions are recorded.
    pub steps: usize,
    /// How many inputs are read.
    pub inputs: usize,
    /// How many instructions are executed before recording starts.
    pub skip: usize,
}

/// How many instructions the program may execute before and after the recorded part.
const UNRECORDED: usize = 2_000_000;
/// How many visits are recorded; with more, only those that repeat a state are noticed.
const MOST_VISITS: usize = 100_000;

/// What is executed: a program, from which function on, and what of it is input.
pub struct Subject<'s> {
    /// The program.
    pub system: &'s System,
    /// The function at which recording starts.
    pub entry: FunctionId,
    /// The function under test, if it is not `entry`: called in place of it, with these parameters.
    pub test: Option<(FunctionId, Vec<Parameter>)>,
    /// Parts of global variables that hold inputs from the start.
    pub globals: Vec<Placed>,
    /// The loops of functions.
    pub headers: LoopHeaders,
    /// Whether only executions in which no number wraps around count.
    pub integers: bool,
    /// Whether operations tell signed numbers from unsigned ones.
    pub tells_signs: bool,
    /// When to stop executing and evaluating, if ever.
    pub deadline: Cell<Option<Instant>>,
}

impl Subject<'_> {
    /// Whether it is time to stop; looked at once in a while, where `count` counts what is done.
    pub(super) fn is_late(&self, count: usize) -> bool {
        const SELDOM: usize = 4096;
        count.is_multiple_of(SELDOM) && self.deadline.get().is_some_and(|end| Instant::now() >= end)
    }
}

/// What the function under test gets for a parameter.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// An input.
    Value(Input),
    /// The address of an object.
    Object(Pointee),
}

/// What a pointer parameter points to.
#[derive(Clone, Debug, Default)]
pub struct Pointee {
    /// How many bytes it has.
    pub bytes: u32,
    /// The inputs in it, by offset.
    pub inputs: Vec<(u32, Input)>,
    /// Pointers in it that point into it: where they are, and where to. All others are null.
    pub links: Vec<(u32, u32)>,
}

/// An input that lies in memory from the start.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The object.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: u32,
    /// The input.
    pub input: Input,
}

/// Executes on inputs, of which the first have the given values and the rest zero.
pub fn execute(subject: &Subject<'_>, values: &[u64], bounds: Bounds) -> Trace {
    let mut recorder = Recorder::new(subject, values, bounds);
    recorder.trace.end = recorder.run();
    recorder.trace.pinned = recorder.pinned();
    recorder.trace.ilp32 = recorder.machine.memory().ilp32().cloned();
    if recorder.trace.halted {
        recorder.trace.made = recorder.sizes();
    }
    recorder.trace
}

/// A part of memory for people.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Whether it is a number of a floating-point type.
    pub is_float: bool,
}

/// Parts of memory as it is where the bounds cut an execution; none for what does not exist there.
pub fn describe(
    subject: &Subject<'_>,
    values: &[u64],
    bounds: Bounds,
    places: &[(ObjectId, u32, u8)],
) -> Vec<Option<Described>> {
    let mut recorder = Recorder::new(subject, values, bounds);
    recorder.run();
    let memory = recorder.machine.memory();
    let name = |&(object, offset, bytes): &(ObjectId, u32, u8)| {
        let address = Address {
            object,
            offset: i64::from(offset),
        };
        let size = memory.get(object)?.size();
        (offset <= size).then(|| Described {
            name: memory.describe_subobject(address, u64::from(bytes)),
            is_float: memory.is_float(address, u64::from(bytes)),
        })
    };
    places.iter().map(name).collect()
}

struct Recorder<'a, 's> {
    subject: &'a Subject<'s>,
    machine: Sequential<'s>,
    given: &'a [u64],
    bounds: Bounds,
    /// A hash of all of memory: the exclusive or of one for each byte that is not zero.
    memory: u64,
    /// The activations on the stack, from the first recorded one on.
    frames: Vec<Activation>,
    /// How many activations there were.
    made: u32,
    /// Visits by where, whose and in what state they were.
    seen: FxHashMap<(Activation, u32, u64), u32>,
    /// The inputs that are the same at each call, by function and arguments.
    asked: FxHashMap<(String, Vec<u64>), u32>,
    /// Objects that the program allocated and has not used: the allocation might have failed.
    fresh: FxHashSet<ObjectId>,
    trace: Trace,
}

fn ended(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Assertion | ErrorKind::Abort)
}

impl<'a, 's> Recorder<'a, 's> {
    fn new(subject: &'a Subject<'s>, values: &'a [u64], bounds: Bounds) -> Self {
        Recorder {
            subject,
            machine: Sequential::new(subject.system),
            given: values,
            bounds,
            memory: 0,
            frames: Vec::new(),
            made: 0,
            seen: FxHashMap::default(),
            asked: FxHashMap::default(),
            fresh: FxHashSet::default(),
            trace: Trace::new(subject.entry),
        }
    }

    fn run(&mut self) -> End {
        if let Some(end) = self.reach_entry() {
            return end;
        }
        let base = self.machine.depth();
        self.enter_activation();
        if let Some(end) = self.skip(base) {
            return end;
        }
        self.trace.first = self.visit(u32::MAX);
        while self.trace.steps.len() < self.bounds.steps {
            if self.machine.depth() < base || self.leaves_for_good() {
                return self.finish();
            }
            self.pass_cutpoint();
            if self.trace.repeated.is_some() {
                return End::Cut;
            }
            if let Some(end) = self.record() {
                return end;
            }
            if self.subject.is_late(self.trace.steps.len()) {
                return End::Cut;
            }
            if self.machine.is_parallel() {
                return End::Unsupported("a program with several threads".into());
            }
        }
        End::Cut
    }

    /// Executes what comes before the recorded part.
    fn skip(&mut self, base: usize) -> Option<End> {
        while self.trace.skipped < self.bounds.skip {
            if self.machine.depth() < base || self.leaves_for_good() {
                return Some(self.finish());
            }
            if let Some(end) = self.record() {
                return Some(end);
            }
            self.trace.skipped += 1;
            self.trace.read_before = self.trace.inputs.len();
            self.trace.steps.clear();
            self.trace.words.clear();
            if self.subject.is_late(self.trace.skipped) {
                return Some(End::Cut);
            }
        }
        None
    }

    /// Executes up to the entry.
    fn reach_entry(&mut self) -> Option<End> {
        for _ in 0..UNRECORDED {
            let place = self.machine.place();
            if place.function == self.subject.entry && place.position.0 == 0 {
                return self.prepare();
            }
            match self.machine.step() {
                Progress::On => {}
                Progress::Exit(_) => return Some(End::Ended),
                Progress::Halted(halt) => return Some(self.halted(halt)),
            }
        }
        Some(End::Unsupported(
            "a program that does not get to its main function soon".into(),
        ))
    }

    /// Puts inputs where they are from the start, and enters the function under test.
    fn prepare(&mut self) -> Option<End> {
        let subject = self.subject;
        for placed in &subject.globals {
            self.place(placed.object, placed.offset, &placed.input);
        }
        let (function, parameters) = subject.test.as_ref()?;
        let mut words = Vec::new();
        for (slot, parameter) in parameters.iter().enumerate() {
            words.push(match parameter {
                Parameter::Value(input) => {
                    let slot = Slot(slot as u32);
                    let index = self.trace.inputs.len() as u32;
                    self.trace.parameters.push((slot, index));
                    Word::number(self.take(input.clone()))
                }
                Parameter::Object(pointee) => {
                    let address = self.machine.allocate(&vec![0; pointee.bytes as usize]);
                    let object = Address::from_bits(address.bits).object;
                    for (offset, input) in &pointee.inputs {
                        self.place(object, *offset, input);
                    }
                    for &(at, target) in &pointee.links {
                        let to = Address {
                            object,
                            offset: i64::from(target),
                        };
                        self.machine.point(object, at, Word::pointer(to.bits()));
                    }
                    address
                }
            });
        }
        match self.machine.replace(*function, &words) {
            Ok(()) => None,
            Err(halt) => Some(self.halted(halt)),
        }
    }

    fn place(&mut self, object: ObjectId, offset: u32, input: &Input) {
        let index = self.trace.inputs.len() as u32;
        let bytes = u32::from(input.bits).div_ceil(8) as usize;
        let value = self.take(input.clone());
        self.machine
            .overwrite(object, offset as usize, &value.to_le_bytes()[..bytes]);
        self.trace.placed.push((object, offset, index));
    }

    /// The value of the next input, without bits above its width.
    fn take(&mut self, input: Input) -> u64 {
        let given = self.given.get(self.trace.values.len()).copied();
        let value = given.unwrap_or(0) & mask(u32::from(input.bits));
        self.trace.inputs.push(input);
        self.trace.values.push(value);
        value
    }

    /// Whether what comes next is the runtime's way out of the program.
    fn leaves_for_good(&self) -> bool {
        let place = self.machine.place();
        place.position.0 == 0
            && place.function == self.subject.system.exit
            && !self.machine.in_users_code()
    }

    /// Executes the rest, which is not recorded.
    fn finish(&mut self) -> End {
        for _ in 0..UNRECORDED {
            if let Some("__impasse_choose_range" | "__impasse_choose") = self.machine.builtin() {
                return End::Unsupported("an input that is read after main has returned".into());
            }
            match self.machine.step() {
                Progress::On => {}
                Progress::Exit(_) => return End::Ended,
                Progress::Halted(halt) => return self.halted(halt),
            }
        }
        End::Unsupported("a program that runs on long after main has returned".into())
    }

    fn halted(&self, halt: Halt) -> End {
        match halt {
            Halt::Error(kind, _) if ended(kind) => End::Ended,
            Halt::Error(ErrorKind::StackOverflow, _) => End::Cut,
            Halt::Error(kind, message) => End::Undefined(kind, message, self.machine.own_place()),
            Halt::Infeasible => End::Infeasible,
            Halt::Blocked(_) => End::Unsupported("a thread that waits".into()),
            Halt::Unsupported(what) => End::Unsupported(what),
            Halt::Choice(..) | Halt::SchedulingPoint | Halt::Cancelled => {
                End::Unsupported("a choice of the scheduler".into())
            }
        }
    }

    fn enter_activation(&mut self) {
        self.frames.push(Activation(self.made));
        self.made += 1;
    }

    fn visit(&self, step: u32) -> Visit {
        let place = self.machine.place();
        let body = &self.machine.function().body;
        let live = &body.live_sets[body.live[place.position.0 as usize] as usize];
        let slots = self.machine.slots();
        Visit {
            step,
            activation: *self.frames.last().expect("a recorded frame"),
            depth: self.frames.len() as u32,
            place,
            objects: self.machine.objects_made(),
            slots: live
                .iter()
                .map(|&slot| (slot, slots[slot.0 as usize].into()))
                .collect(),
        }
    }

    /// Notes the visit if the next instruction is a cutpoint.
    fn pass_cutpoint(&mut self) {
        let place = self.machine.place();
        let entry = place.position.0 == 0 && self.machine.in_users_code();
        let body = &self.machine.function().body;
        if !entry
            && !self
                .subject
                .headers
                .is_header(place.function, body, place.position)
        {
            return;
        }
        let visit = self.visit(self.trace.steps.len() as u32);
        let mut state = self.memory;
        for (slot, known) in &visit.slots {
            state ^= scramble(
                u64::from(slot.0) << 1 | u64::from(known.undefined),
                known.bits,
            );
        }
        let number = self.trace.visits.len() as u32;
        let key = (visit.activation, place.position.0, state);
        match self.seen.get(&key) {
            Some(&before) => {
                self.trace.visits.push(visit);
                self.trace.repeated = Some((before, number));
            }
            _ if self.trace.visits.len() < MOST_VISITS => {
                self.seen.insert(key, number);
                self.trace.visits.push(visit);
            }
            _ => {}
        }
    }

    /// Executes and records one instruction; how the execution ended, if it did.
    fn record(&mut self) -> Option<End> {
        let place = self.machine.place();
        let step = Step {
            function: place.function,
            position: place.position.0,
            words: self.trace.words.len() as u32,
            effect: Effect::Ordinary,
        };
        self.trace.steps.push(step);
        let instruction = self.machine.next();
        match instruction {
            Instruction::Call { .. } => self.record_call(),
            Instruction::Return { values } => self.record_return(*values),
            _ => self.record_ordinary(instruction),
        }
    }

    fn set_deed(&mut self, effect: Effect) {
        self.trace.steps.last_mut().expect("a step").effect = effect;
    }

    fn keep(&mut self, word: Word) {
        self.trace.words.push(word.into());
    }

    /// Keeps what was assigned to slots.
    fn keep_slots(&mut self, first: Slot, count: u32) {
        for slot in first.0..first.0 + count {
            let word = self.machine.slots()[slot as usize];
            self.keep(word);
        }
    }

    fn step(&mut self) -> Option<End> {
        match self.machine.step() {
            Progress::On => None,
            Progress::Exit(_) => {
                self.forget_step();
                Some(End::Ended)
            }
            Progress::Halted(halt) => {
                self.trace.halted = true;
                Some(self.halted(halt))
            }
        }
    }

    /// The sizes of the objects made while running.
    fn sizes(&self) -> Vec<u32> {
        let size = |number| {
            let object = self.machine.object(ObjectId::dynamic(number));
            object.map_or(0, |object| object.size())
        };
        (0..self.machine.objects_made()).map(size).collect()
    }

    /// Takes back the last step.
    fn forget_step(&mut self) {
        if let Some(step) = self.trace.steps.pop() {
            self.trace.words.truncate(step.words as usize);
        }
    }

    /// The objects whose numbers the program saw as numbers.
    fn pinned(&self) -> Vec<u32> {
        let is_pinned = |&number: &u32| {
            let object = self.machine.object(ObjectId::dynamic(number));
            object.is_some_and(|object| object.flags().has(Flags::EXPOSED))
        };
        (0..self.machine.objects_made()).filter(is_pinned).collect()
    }

    /// Notes whether the next instruction, one of the program's own, wraps around.
    fn note_wrap(&mut self, instruction: &Instruction) {
        let is_constant = |operand: Operand| matches!(operand.place(), Place::Constant(_));
        let Some(wrap) = wrap(instruction, is_constant, |operand| {
            self.machine.read(operand)
        }) else {
            return;
        };
        let step = self.trace.steps.len() as u32 - 1;
        self.trace.wrap.get_or_insert(step);
        if wrap == Wrap::Signed {
            self.trace.overflow.get_or_insert(step);
        }
    }

    fn record_ordinary(&mut self, instruction: &'s Instruction) -> Option<End> {
        if self.machine.in_users_code() {
            self.note_wrap(instruction);
            self.note_address(instruction);
            if let Instruction::Load { volatile: true, .. } = instruction {
                self.gap("what volatile variables hold is taken for what the program wrote");
            }
            if self.subject.integers && self.trace.wrap.is_some() {
                self.forget_step();
                return Some(End::Wrapped);
            }
        }
        self.note_use(instruction);
        let written = self.operands_of(instruction);
        self.memory ^= written.map_or(0, |(address, bytes)| self.hash_of(address, bytes));
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.memory ^= written.map_or(0, |(address, bytes)| self.hash_of(address, bytes));
        if let Some((first, count)) = instruction.definitions(&self.machine.function().body) {
            self.keep_slots(first, count);
        }
        None
    }

    /// Keeps the addresses and sizes that an instruction uses; the part of memory that it will
    /// write.
    fn operands_of(&mut self, instruction: &Instruction) -> Option<(Word, u64)> {
        use Instruction as I;
        let list_bytes = self.subject.system.program.list_bytes();
        let mut used = |operand: Operand| {
            let word = self.machine.read(operand);
            self.trace.words.push(word.into());
            word
        };
        match *instruction {
            I::Load { address, .. } => {
                used(address);
                None
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            } => {
                let to = used(address);
                used(source);
                Some((to, u64::from(scalar.bytes())))
            }
            I::Update {
                scalar, address, ..
            }
            | I::CompareExchange {
                scalar, address, ..
            } => Some((used(address), u64::from(scalar.bytes()))),
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => {
                let to = used(destination);
                used(source);
                Some((to, used(bytes).bits))
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let to = used(destination);
                used(value);
                Some((to, used(bytes).bits))
            }
            I::VariableArgumentsStart { list } => Some((used(list), list_bytes)),
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                let to = used(destination);
                used(source);
                Some((to, list_bytes))
            }
            I::LifetimeStart { address } | I::LifetimeEnd { address } => {
                let word = used(address);
                let object = Address::from_bits(word.bits).object;
                let size = self.machine.object(object).map_or(0, |o| o.size());
                self.trace.sizes.insert(word.bits, size);
                Some((word, u64::from(size)))
            }
            _ => None,
        }
    }

    /// The hash of a part of memory.
    fn hash_of(&self, address: Word, bytes: u64) -> u64 {
        let address = Address::from_bits(address.bits);
        let Some(object) = self.machine.object(address.object) else {
            return 0;
        };
        let from = usize::try_from(address.offset).unwrap_or(usize::MAX);
        let content = object.bytes();
        let Some(to) = from
            .checked_add(bytes as usize)
            .filter(|to| *to <= content.len())
        else {
            return 0;
        };
        let parts = content[from..to].iter().enumerate();
        parts
            .filter(|(_, byte)| **byte != 0)
            .map(|(at, &byte)| {
                let place = u64::from(address.object.0) << 32 | (from + at) as u64;
                scramble(place, u64::from(byte))
            })
            .fold(0, |all, one| all ^ one)
    }

    fn hash_of_object(&self, object: ObjectId) -> u64 {
        let size = self.machine.object(object).map_or(0, |o| o.bytes().len());
        self.hash_of(Word::pointer(Address::of(object).bits()), size as u64)
    }

    fn record_return(&mut self, values: Range) -> Option<End> {
        self.set_deed(Effect::Returned);
        let own: Vec<ObjectId> = self.machine.own_objects().to_vec();
        for object in own {
            self.memory ^= self.hash_of_object(object);
        }
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.frames.pop();
        // The cursor stands behind the call by now.
        let _ = values;
        if self.frames.is_empty() {
            return None;
        }
        let position = self.machine.place().position.0.checked_sub(1)?;
        let body: &Body = &self.machine.function().body;
        if let Instruction::Call { site } = body.code[position as usize] {
            let site = &body.sites[site.0 as usize];
            let count = site.results.iter().map(|scalar| scalar.words()).sum();
            self.keep_slots(site.destination, count);
        }
        None
    }

    fn record_call(&mut self) -> Option<End> {
        match self.machine.call() {
            Some((_, Target::Builtin(id))) => self.record_builtin(Builtin::from_id(id).name(), id),
            Some((site, Target::Function(id))) if self.machine.converts(site, id) => {
                self.trace.halted = true;
                let name = &self.subject.system.program.info(id).display_name;
                Some(End::Unsupported(format!(
                    "{name} declared with other types"
                )))
            }
            Some((_, Target::Function(id))) => {
                if let Some(end) = self.record_outside(id) {
                    return end;
                }
                let before = self.machine.objects_made();
                if let Some(end) = self.step() {
                    return Some(end);
                }
                self.set_deed(Effect::Entered(id));
                self.enter_activation();
                for made in before..self.machine.objects_made() {
                    let object = ObjectId::dynamic(made);
                    self.memory ^= self.hash_of_object(object);
                    self.keep(Word::pointer(Address::of(object).bits()));
                }
                None
            }
            // Whatever it is, the machine says what is wrong with it.
            _ => self.step().or(Some(End::Unsupported(
                "a call of something that is no function".into(),
            ))),
        }
    }

    fn record_builtin(
        &mut self,
        name: &'static str,
        id: impasse_program::link::BuiltinId,
    ) -> Option<End> {
        let (site, _) = self.machine.call().expect("a call");
        let arguments: Vec<Word> = site
            .arguments
            .iter()
            .map(|argument| self.machine.read(argument.value))
            .collect();
        match name {
            "__impasse_choose_range" => return self.record_input(&arguments),
            "__impasse_snapshot_read" if arguments[0].bits as i64 == -1 => {
                return self.record_bytes(&arguments);
            }
            "__impasse_choose" => {
                self.trace.halted = true;
                return Some(End::Unsupported(self.calls(name)));
            }
            _ => {}
        }
        if !super::builtins::is_followed(name) {
            self.trace.halted = true;
            return Some(End::Unsupported(self.calls(name)));
        }
        self.set_deed(Effect::Builtin(id));
        for &word in &arguments {
            self.keep(word);
        }
        let freed =
            super::builtins::frees(name).then(|| Address::from_bits(arguments[0].bits).object);
        self.memory ^= freed.map_or(0, |object| self.hash_of_object(object));
        if let Some(size) = freed
            .and_then(|object| self.machine.object(object))
            .map(|o| o.size())
        {
            self.trace.sizes.insert(arguments[0].bits, size);
        }
        let written = super::builtins::writes(name, &arguments);
        self.memory ^= written.map_or(0, |(to, bytes)| self.hash_of(to, bytes));
        let made = self.machine.objects_made();
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.memory ^= written.map_or(0, |(to, bytes)| self.hash_of(to, bytes));
        let is_own = self.machine.in_users_code();
        for object in (made..self.machine.objects_made()).map(ObjectId::dynamic) {
            if is_own {
                self.fresh.insert(object);
            }
            self.memory ^= self.hash_of_object(object) ^ hash_of_life(object);
        }
        self.memory ^= freed.map_or(0, hash_of_life);
        let count = site.results.iter().map(|scalar| scalar.words()).sum();
        self.keep_slots(site.destination, count);
        None
    }

    fn record_input(&mut self, arguments: &[Word]) -> Option<End> {
        if self.trace.inputs.len() >= self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        let (bits, signed) = (arguments[1].bits as u8, arguments[2].bits != 0);
        let name = self
            .machine
            .memory()
            .string(arguments[0])
            .unwrap_or_default();
        if matches!(name.as_str(), "float" | "double") {
            self.gap("an input of a floating-point type, of which only integral values are tried");
        }
        let index = self.trace.inputs.len() as u32;
        let place = self
            .machine
            .frames()
            .into_iter()
            .find(|place| self.subject.system.own[place.function.0 as usize]);
        self.take(Input {
            source: Source::Call(name),
            bits,
            signed,
            place,
        });
        self.answer_with(index);
        None
    }

    /// The machine gives the program part of its standard input: every byte is an input.
    fn record_bytes(&mut self, arguments: &[Word]) -> Option<End> {
        let (to, offset) = (Address::from_bits(arguments[1].bits), arguments[2].bits);
        let count = arguments[3].bits;
        if self.trace.inputs.len() + count as usize > self.bounds.inputs {
            self.forget_step();
            return Some(End::Cut);
        }
        if let Some(end) = self.step() {
            return Some(end);
        }
        self.gap("standard input has a fixed length");
        self.set_deed(Effect::Bytes(self.trace.inputs.len() as u32));
        for &word in arguments {
            self.keep(word);
        }
        for at in 0..count {
            let value = self.take(Input {
                source: Source::StandardInput((offset + at) as u32),
                bits: 8,
                signed: false,
                place: None,
            });
            let place = to.offset as usize + at as usize;
            self.machine.overwrite(to.object, place, &[value as u8]);
        }
        self.memory ^= self.hash_of(Word::pointer(to.bits()), count);
        None
    }

    fn gap(&mut self, what: &str) {
        if !self.trace.gaps.iter().any(|gap| gap == what) {
            self.trace.gaps.push(what.into());
        }
    }
}

/// What an object on the heap adds to the hash of memory while it lives.
fn hash_of_life(object: ObjectId) -> u64 {
    match object {
        ObjectId::NULL => 0,
        object => scramble(u64::from(object.0) << 32, u64::MAX),
    }
}

/// A hash of two numbers.
fn scramble(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}
