//! Executes the program on given inputs and records what it does.
//!
//! Recording starts where `main` (or the function under test) is entered and ends where it is left;
//! what the runtime does before and after is executed, but not recorded.

mod builtin;
mod memory_hash;
pub(super) mod outside;
mod start;
mod step;

use super::loop_headers::LoopHeaders;
use super::signs::{Sign, Signs};
use super::trace::{Activation, End, Input, Trace, Visit};
use crate::problem::Line;
use impasse_machine::base::fault::{CodePlace, ErrorKind, Halt};
use impasse_machine::state::memory::object::Flags;
use impasse_machine::system::System;
use impasse_machine::system::sequential::{Progress, Sequential};
use impasse_program::address::{Address, ObjectId};
use impasse_program::link::FunctionId;
use impasse_program::word::mask;
use memory_hash::scramble;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::time::Instant;

/// How far an execution may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most instructions that are recorded.
    pub steps: usize,
    /// The most inputs that are read.
    pub inputs: usize,
    /// How many instructions of the program are executed before recording starts.
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
    /// Parts of global variables that hold inputs from the start; `None` if all globals hold what
    /// they were initialised with.
    pub globals: Option<Vec<Placed>>,
    /// Whether locals that the program does not initialise hold inputs.
    pub havoc_locals: bool,
    /// Whether functions that are defined nowhere return inputs.
    pub havoc_functions: bool,
    /// The loops of functions.
    pub headers: LoopHeaders,
    /// Whether the integers are unbounded: an execution ends where a number wraps around.
    pub integers: bool,
    /// Whether operations distinguish signed numbers from unsigned ones.
    pub tells_signs: bool,
    /// When to stop executing and evaluating, if ever.
    pub deadline: Cell<Option<Instant>>,
}

impl Subject<'_> {
    /// The source line of a place, or else that of its function; line 0 if neither is known.
    pub fn line_of(&self, place: CodePlace) -> Line {
        let program = &self.system.program;
        let places = program.location(place.function, place.position);
        let info = program.info(place.function);
        let found = places.into_iter().find(|found| found.line != 0);
        let found = found.or_else(|| program.declared_at(info.unit, info.location));
        found.map_or(Line::default(), |found| Line {
            file: found.file,
            line: found.line,
        })
    }

    /// Whether the deadline has passed. Reads the clock only at every 4096th `count`.
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

/// Executes the subject within bounds and records what it does. The first inputs have the given
/// values, cut off to their widths; all others are zero.
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

/// Describes parts of memory (object, offset, size in bytes) in the state where the bounds cut the
/// execution; `None` stands for a part that does not exist there.
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

/// How many instructions an execution takes to get to each loop of the program's own that it
/// reaches before recording starts, the last one first; and whether it reads inputs.
pub fn first_visits(subject: &Subject<'_>, values: &[u64], bounds: Bounds) -> (Vec<usize>, bool) {
    let mut recorder = Recorder::new(subject, values, bounds);
    recorder.firsts = Some(Firsts::default());
    recorder.run();
    let firsts = recorder.firsts.unwrap_or_default();
    let reads = !recorder.trace.inputs.is_empty();
    (firsts.steps.into_iter().rev().collect(), reads)
}

/// The loops of the program's own that an execution has reached.
#[derive(Default)]
struct Firsts {
    known: FxHashSet<CodePlace>,
    /// After how many instructions it reached each.
    steps: Vec<usize>,
}

/// Whether bytes of objects are defined in the state where the bounds cut the execution.
pub fn are_defined(
    subject: &Subject<'_>,
    values: &[u64],
    bounds: Bounds,
    parts: &[(Address, u32)],
) -> bool {
    if parts.is_empty() {
        return true;
    }
    let mut recorder = Recorder::new(subject, values, bounds);
    recorder.run();
    let is_cut = recorder.trace.steps.len() == bounds.steps;
    let memory = recorder.machine.memory();
    let is_defined = |&(address, bytes): &(Address, u32)| {
        let object = memory.get(address.object)?;
        let from = usize::try_from(address.offset).ok()?;
        let to = from + bytes as usize;
        let undefined = object.undefined();
        let is_inside = to <= object.size() as usize;
        let is_clear = undefined.is_empty() || undefined[from..to].iter().all(|&bits| bits == 0);
        Some(is_inside && is_clear)
    };
    is_cut && parts.iter().all(|part| is_defined(part) == Some(true))
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
    /// The loops that were reached before recording started, if they are asked for.
    firsts: Option<Firsts>,
    /// As what numbers were made, if the integers are unbounded.
    signs: Signs,
    /// Comparisons, and whether types decide them, over unbounded integers.
    decided: FxHashMap<CodePlace, bool>,
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
            firsts: None,
            signs: Signs::default(),
            decided: FxHashMap::default(),
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
            if self.firsts.is_some() {
                self.note_first_visit();
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

    /// Notes the loop header at which execution stands, if it is there for the first time.
    fn note_first_visit(&mut self) {
        let place = self.machine.place();
        let body = &self.machine.function().body;
        let headers = &self.subject.headers;
        if self.machine.in_users_code()
            && headers.is_header(place.function, body, place.position)
            && let Some(firsts) = &mut self.firsts
            && firsts.known.insert(place)
        {
            firsts.steps.push(self.trace.skipped);
        }
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

    /// The value of the next input, without bits above its width.
    fn take(&mut self, input: Input) -> u64 {
        let given = self.given.get(self.trace.values.len()).copied();
        let width = u32::from(input.bits);
        let value = given.unwrap_or(0) & mask(width);
        if self.subject.integers {
            let sign = if input.signed {
                Sign::Negative
            } else {
                Sign::Large
            };
            self.signs.note(sign, value, width);
        }
        self.trace.inputs.push(input);
        self.trace.values.push(value);
        value
    }

    /// Whether what comes next is the runtime's exit from the program.
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

    /// The sizes of the objects made while running.
    fn sizes(&self) -> Vec<u32> {
        let size = |number| {
            let object = self.machine.object(ObjectId::dynamic(number));
            object.map_or(0, |object| object.size())
        };
        (0..self.machine.objects_made()).map(size).collect()
    }

    /// The objects whose numbers the program saw as numbers.
    fn pinned(&self) -> Vec<u32> {
        let is_pinned = |&number: &u32| {
            let object = self.machine.object(ObjectId::dynamic(number));
            object.is_some_and(|object| object.flags().has(Flags::EXPOSED))
        };
        (0..self.machine.objects_made()).filter(is_pinned).collect()
    }

    fn gap(&mut self, what: &str) {
        if !self.trace.gaps.iter().any(|gap| gap == what) {
            self.trace.gaps.push(what.into());
        }
    }
}
