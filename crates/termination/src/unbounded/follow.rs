//! From a program to its transition system: paths are followed from each location to the next ones.
//!
//! Locations are the entry of the program, the headers of loops, and the entries of functions that
//! may call themselves. Other functions are followed where they are called. A call of a function
//! that may call itself is two things: a transition into its entry, for executions that never come
//! back, and, for those that do, a step that may change all global variables and gives any result.

use super::arithmetic::{Reading, readings};
use super::farkas::contradiction;
use super::state::{Frame, Object, Part, Path, Value};
use super::system::{Location, Summaries, System, Transition};
use crate::affine::Affine;
use crate::concolic::names::slot_name_in;
use crate::concolic::run::{Parameter, Subject};
use crate::problem;
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{Instruction, Position, Scalar, Slot, VariablePlace};
use impasse_program::link::FunctionId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many instructions are followed, over all paths.
const STEPS: usize = 20_000;
/// How many locations and transitions there may be.
const LOCATIONS: usize = 60;
const TRANSITIONS: usize = 400;
/// From so many inequalities on, a path is asked whether they contradict each other.
const ASKED: usize = 2;

pub(super) type Result<T> = std::result::Result<T, String>;

/// What a part of the state is at a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kind {
    Any,
    Number,
    Address(Object, i64),
}

/// A frame at a location: its function, its next instruction, and what its slots hold.
type FrameShape = (FunctionId, u32, Vec<(Slot, Kind)>);

/// All that makes a location, besides numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Shape {
    frames: Vec<FrameShape>,
    memory: Vec<(Part, Kind)>,
    objects: Vec<(Object, u64)>,
    is_initial: bool,
    entry: Vec<Kind>,
}

/// What is followed of a program.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode<'i> {
    /// Whether products are followed exactly.
    pub is_exact: bool,
    /// If the ends of the program are followed, the inputs that it reads before the first location,
    /// and how many bits each has.
    pub inputs: Option<&'i [(u64, u8)]>,
}

/// The transition system of a program in which recursive functions return what is within bounds.
pub(super) fn system(
    subject: &Subject<'_>,
    summaries: &Summaries,
    mode: Mode<'_>,
) -> Result<System> {
    let mut follower = Follower {
        subject,
        summaries,
        mode,
        system: System::default(),
        known: FxHashMap::default(),
        open: Vec::new(),
        recursive: FxHashMap::default(),
        steps: 0,
    };
    follower.start()?;
    if mode.inputs.is_some() {
        follower.add_end();
    }
    while let Some(shape) = follower.open.pop() {
        let from = follower.known[&shape];
        follower.from(from, &shape)?;
    }
    Ok(follower.system)
}

pub(super) struct Follower<'a, 's> {
    pub subject: &'a Subject<'s>,
    pub summaries: &'a Summaries,
    pub mode: Mode<'a>,
    pub system: System,
    known: FxHashMap<Shape, usize>,
    open: Vec<Shape>,
    pub recursive: FxHashMap<FunctionId, bool>,
    steps: usize,
}

impl<'s> Follower<'_, 's> {
    fn start(&mut self) -> Result<()> {
        let (entry, parameters) = match &self.subject.test {
            Some((function, parameters)) => (*function, Some(parameters)),
            None => (self.subject.entry, None),
        };
        let program = &self.subject.system.program;
        let special = program.constructors().iter().chain(program.destructors());
        if special
            .into_iter()
            .any(|&id| program.is_users(program.info(id).unit))
        {
            return Err("constructors or destructors of the program".into());
        }
        let body = &program.function(entry).body;
        let live = &body.live_sets[body.live[0] as usize];
        let is_number = |slot: &Slot| match parameters {
            None => true,
            Some(parameters) => {
                matches!(parameters.get(slot.0 as usize), Some(Parameter::Value(_)))
            }
        };
        let slots = live.iter().map(|slot| {
            let kind = if is_number(slot) {
                Kind::Number
            } else {
                Kind::Any
            };
            (*slot, kind)
        });
        let shape = Shape {
            frames: vec![(entry, 0, slots.collect())],
            memory: Vec::new(),
            objects: Vec::new(),
            is_initial: self.subject.globals.is_none(),
            entry: Vec::new(),
        };
        self.location(shape)?;
        Ok(())
    }

    /// Where executions are that may not continue.
    fn add_end(&mut self) {
        self.system.end = Some(self.system.locations.len());
        self.system.locations.push(Location {
            line: problem::Line::default(),
            variables: 0,
        });
    }

    fn location(&mut self, shape: Shape) -> Result<usize> {
        if let Some(&known) = self.known.get(&shape) {
            return Ok(known);
        }
        let number = self.system.locations.len();
        if number >= LOCATIONS {
            return Err("too many loops, or states of them that differ in addresses".into());
        }
        let kinds = shape
            .frames
            .iter()
            .flat_map(|(_, _, slots)| slots.iter().map(|slot| slot.1));
        let kinds = kinds.chain(shape.memory.iter().map(|part| part.1));
        let kinds = kinds.chain(shape.entry.iter().copied());
        self.system.locations.push(Location {
            line: self.line(&shape),
            variables: kinds.filter(|&kind| kind == Kind::Number).count(),
        });
        self.known.insert(shape.clone(), number);
        self.open.push(shape);
        Ok(number)
    }

    fn line(&self, shape: &Shape) -> problem::Line {
        let own = |id: &FunctionId| self.subject.system.own[id.0 as usize];
        let frame = shape.frames.iter().rev().find(|(id, _, _)| own(id));
        frame.map_or(problem::Line::default(), |&(function, at, _)| {
            let position = Position(at);
            self.subject.line_of(CodePlace { function, position })
        })
    }

    /// Follows all paths from a location.
    fn from(&mut self, from: usize, shape: &Shape) -> Result<()> {
        let mut path = Path {
            frames: Vec::new(),
            memory: BTreeMap::new(),
            objects: shape.objects.iter().copied().collect(),
            is_initial: shape.is_initial,
            entry: Vec::new(),
            known: Vec::new(),
            products: Vec::new(),
            is_exact: self.mode.is_exact,
            is_strict: self.mode.inputs.is_some(),
            is_over: false,
            read: 0,
            unknowns: 0,
        };
        let value = |path: &mut Path<'s>, kind: Kind| match kind {
            Kind::Any => Value::Any,
            Kind::Number => Value::Number(path.fresh()),
            Kind::Address(object, offset) => Value::Address(object, offset),
        };
        for (id, at, kinds) in &shape.frames {
            let function = self.subject.system.program.function(*id);
            let mut slots = vec![Value::Any; function.body.slots as usize];
            for &(slot, kind) in kinds {
                slots[slot.0 as usize] = value(&mut path, kind);
            }
            path.frames.push(Frame {
                id: *id,
                function,
                at: *at,
                slots,
            });
        }
        for &(part, kind) in &shape.memory {
            let value = value(&mut path, kind);
            path.memory.insert(part, value);
        }
        path.entry = match &shape.frames[..] {
            [(id, 0, _)] if self.summaries.contains_key(id) => self.arguments(*id, &path),
            _ => {
                let kinds = shape.entry.iter();
                kinds.map(|&kind| value(&mut path, kind)).collect()
            }
        };
        let mut open = vec![(path, true)];
        while let Some((path, is_first)) = open.pop() {
            if !is_first && self.is_header(&path) {
                if let [frame] = &path.frames[..]
                    && frame.at == 0
                    && !path.entry.is_empty()
                {
                    return Err("a recursive function that begins with a loop".into());
                }
                self.arrive(from, path)?;
                continue;
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err("too many paths".into());
            }
            let divided = path.known.len();
            for path in self.step(from, path)? {
                if path.is_over
                    && let Some(to) = self.system.end
                {
                    self.end(from, to, path)?;
                    continue;
                }
                let is_divided = path.known.len() > divided && path.known.len() >= ASKED;
                if !is_divided || contradiction(&path.known).is_none() {
                    open.push((path, false));
                }
            }
        }
        Ok(())
    }

    /// A path may be over.
    fn end(&mut self, from: usize, to: usize, path: Path<'s>) -> Result<()> {
        self.system.transitions.push(Transition {
            from,
            to,
            known: path.known,
            after: Vec::new(),
            products: path.products,
        });
        match self.system.transitions.len() > TRANSITIONS {
            true => Err("too many paths".into()),
            false => Ok(()),
        }
    }

    fn is_header(&self, path: &Path<'s>) -> bool {
        let frame = path.frames.last().expect("a path has a frame");
        let headers = &self.subject.headers;
        headers.is_header(frame.id, &frame.function.body, Position(frame.at))
    }

    /// A path is at a location.
    pub(super) fn arrive(&mut self, from: usize, path: Path<'s>) -> Result<()> {
        let mut shape = Shape {
            frames: Vec::new(),
            memory: Vec::new(),
            objects: path
                .objects
                .iter()
                .map(|(&object, &size)| (object, size))
                .collect(),
            is_initial: path.is_initial,
            entry: Vec::new(),
        };
        // What each variable may be: more than one number where a constant has no known sign.
        let mut after: Vec<Vec<Affine>> = Vec::new();
        let top = path.frames.len() - 1;
        for (depth, frame) in path.frames.iter().enumerate() {
            let body = &frame.function.body;
            let live = match (depth == top, &body.code[frame.at as usize]) {
                (false, Instruction::Call { site }) => body.live_across[site.0 as usize],
                _ => body.live[frame.at as usize],
            };
            let mut kinds = Vec::new();
            for &slot in &body.live_sets[live as usize] {
                let value = &frame.slots[slot.0 as usize];
                let numbers = || self.slot_readings(frame.id, slot);
                kinds.push((slot, kind(value, numbers, &mut after)));
            }
            shape.frames.push((frame.id, frame.at, kinds));
        }
        for (&part, value) in &path.memory {
            let width = part.2.saturating_mul(8);
            let numbers = || Some((width, Reading::Either)).filter(|_| width <= 64);
            shape.memory.push((part, kind(value, numbers, &mut after)));
        }
        for value in &path.entry {
            shape.entry.push(kind(value, || None, &mut after));
        }
        let to = self.location(shape)?;
        if to == 0 && self.mode.inputs.is_some() {
            return Err("a program that begins with a loop".into());
        }
        let mut all = vec![Vec::new()];
        for choices in after {
            let longer = |so_far: Vec<Affine>| {
                let longer = choices.iter().map(move |one| {
                    let mut all = so_far.clone();
                    all.push(one.clone());
                    all
                });
                longer.collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
            if all.len() > TRANSITIONS {
                return Err("too many constants of unknown sign".into());
            }
        }
        for after in all {
            self.system.transitions.push(Transition {
                from,
                to,
                known: path.known.clone(),
                after,
                products: path.products.clone(),
            });
        }
        match self.system.transitions.len() > TRANSITIONS {
            true => Err("too many paths".into()),
            false => Ok(()),
        }
    }

    /// The width of a slot's constant, and its sign, as far as its type says so.
    fn slot_readings(&self, function: FunctionId, slot: Slot) -> Option<(u32, Reading)> {
        let body = &self.subject.system.program.function(function).body;
        let mut variables = body.variables.iter();
        let scalar = variables.find_map(|variable| match variable.place {
            VariablePlace::Value {
                slot: held, scalar, ..
            } if held == slot => Some(scalar),
            _ => None,
        })?;
        let Scalar::Integer(width) = scalar else {
            return None;
        };
        let named = slot_name_in(self.subject, function, slot, width);
        let reading = match named.reading {
            Some(problem::Reading::Signed) => Reading::Signed,
            _ => Reading::Either,
        };
        Some((width.into(), reading))
    }
}

/// What kind of thing a value is. What a number may be is noted.
fn kind(
    value: &Value,
    readings_of: impl Fn() -> Option<(u32, Reading)>,
    after: &mut Vec<Vec<Affine>>,
) -> Kind {
    match value {
        Value::Any => Kind::Any,
        Value::Address(object, offset) => Kind::Address(*object, *offset),
        Value::Number(number) => {
            after.push(vec![number.clone()]);
            Kind::Number
        }
        Value::Bits(bits) => {
            let numbers = match readings_of() {
                Some((width, reading)) => readings(*bits, width, reading),
                // Of unknown width.
                None => {
                    let each = [8, 16, 32, 64].into_iter().flat_map(|width| {
                        let fits = width == 64 || *bits >> width == 0;
                        let read = readings(*bits, width, Reading::Either);
                        read.into_iter().filter(move |_| fits)
                    });
                    let mut each: Vec<_> = each.collect();
                    each.sort_unstable();
                    each.dedup();
                    each
                }
            };
            after.push(numbers.into_iter().map(Affine::constant).collect());
            Kind::Number
        }
    }
}
