//! Executes programs, over unbounded or machine integers, and finds out that they never end.

use crate::progression::{Cell, Event, More, more};
use crate::syntax::{
    Argument, At, Condition, Expression, Name, Operation, Place, Program, Relation, Shape,
    Statement, Type, Variable,
};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What integers are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Integers {
    Unbounded,
    /// Those of the machine; signed overflow wraps around.
    Wrapping,
    /// Those of the machine; signed overflow ends the execution.
    Strict,
}

/// How an execution goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It ends, with these numbers in the program's variables and in those of `main`.
    Ends(Vec<i128>),
    /// It ends for another reason: an assumption, signed overflow, another undefined operation.
    Stops,
    Endless,
    /// It reads more than it is given.
    Reads,
    /// It was not followed further.
    Long,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(i128),
}

/// How many steps are followed.
const STEPS: usize = 40_000;
/// How many calls may be inside of each other.
const DEPTH: usize = 1_000;
/// How many events are kept.
const EVENTS: usize = 1 << 18;
/// Up to so many iterations of a loop may differ before they repeat.
const PERIOD: usize = 3;

/// The states at visits of one place, and how many events there were.
struct Visits {
    visits: VecDeque<(Vec<Cell>, usize)>,
    epoch: usize,
}

pub struct Execution<'p> {
    program: &'p Program,
    integers: Integers,
    /// Without it, each iteration is executed.
    jumps: bool,
    inputs: &'p mut dyn FnMut(Type) -> Option<i128>,
    /// Whether inputs may be the same again.
    free: bool,
    memory: Vec<Cell>,
    /// How long the object at a position of memory is.
    lengths: HashMap<usize, usize>,
    globals: Vec<usize>,
    frames: Vec<Vec<usize>>,
    /// The active loops and calls.
    control: Vec<u32>,
    seen: HashSet<(u64, u64)>,
    events: Vec<Event>,
    /// How often events were dropped.
    epoch: usize,
    steps: usize,
    entries: HashMap<usize, Vec<(Vec<Cell>, usize)>>,
}

type Result<T> = std::result::Result<T, Outcome>;

impl<'p> Execution<'p> {
    /// Executes a program. `inputs` gives the next one; `free` says that it could give the same
    /// ones again and again.
    pub fn run(
        program: &'p Program,
        integers: Integers,
        jumps: bool,
        (free, inputs): (bool, &'p mut dyn FnMut(Type) -> Option<i128>),
    ) -> Outcome {
        let mut execution = Execution {
            program,
            integers,
            jumps,
            inputs,
            free,
            memory: Vec::new(),
            lengths: HashMap::new(),
            globals: Vec::new(),
            frames: Vec::new(),
            control: Vec::new(),
            seen: HashSet::new(),
            events: Vec::new(),
            epoch: 0,
            steps: 0,
            entries: HashMap::new(),
        };
        execution.globals = execution.objects(&program.globals);
        let main = program.functions.last().expect("a program has a main");
        let frame = execution.objects(&main.variables);
        execution.frames.push(frame);
        match execution.block(&main.body) {
            Ok(_) => Outcome::Ends(execution.numbers(main)),
            Err(outcome) => outcome,
        }
    }

    fn objects(&mut self, variables: &[Variable]) -> Vec<usize> {
        let mut positions = Vec::new();
        for variable in variables {
            let position = self.memory.len();
            positions.push(position);
            let first = variable.first.iter();
            self.memory
                .extend(first.map(|&value| Cell { object: 0, value }));
            self.lengths.insert(position, variable.first.len());
        }
        positions
    }

    fn numbers(&self, main: &crate::syntax::Function) -> Vec<i128> {
        let globals = self.globals.iter().zip(&self.program.globals);
        let locals = self.frames[0].iter().zip(&main.variables);
        let numbers = globals
            .chain(locals)
            .filter(|(_, variable)| variable.shape != Shape::Pointer);
        let cells = numbers.flat_map(|(&at, variable)| &self.memory[at..at + variable.first.len()]);
        cells.map(|cell| cell.value).collect()
    }

    fn note(&mut self, event: Event) {
        if self.events.len() == EVENTS {
            self.events.clear();
            self.epoch += 1;
        }
        self.events.push(event);
    }

    fn tick(&mut self) -> Result<()> {
        self.steps += 1;
        let limit = if self.jumps { STEPS } else { 4 * STEPS };
        if self.steps > limit {
            Err(Outcome::Long)
        } else {
            Ok(())
        }
    }

    fn position(&self, name: Name) -> usize {
        match name {
            Name::Global(at) => self.globals[at],
            Name::Local(at) => self.frames.last().expect("a function is active")[at],
        }
    }

    fn block(&mut self, statements: &'p [Statement]) -> Result<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &'p Statement) -> Result<Flow> {
        self.tick()?;
        match statement {
            Statement::Assign(place, value) => {
                let value = self.value(value)?;
                self.assign(place, value)?;
            }
            Statement::Input(place) => {
                let value = (self.inputs)(place.ty).ok_or(Outcome::Reads)?;
                let event = if self.free {
                    Event::Same(value)
                } else {
                    Event::Other
                };
                self.note(event);
                self.assign(place, value)?;
            }
            Statement::Call(site, into, function, arguments) => {
                let value = self.call(*site, *function, arguments)?;
                self.assign(into, value)?;
            }
            Statement::Point(pointer, array, at) => {
                let (object, to) = (self.position(*array) + 1, self.position(*pointer));
                self.memory[to] = Cell { object, value: *at };
            }
            Statement::Step(pointer, by) => {
                let at = self.position(*pointer);
                self.memory[at].value += by;
            }
            Statement::If(condition, then, otherwise) => {
                let holds = self.holds(condition)?;
                return self.block(if holds { then } else { otherwise });
            }
            Statement::While(site, condition, step, body) => {
                return self.repeat(*site, Some(condition), (body, step.as_deref()), None);
            }
            Statement::DoWhile(site, body, condition) => {
                return self.repeat(*site, None, (body, None), Some(condition));
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return(value) => {
                let value = self.value(value)?;
                return Ok(Flow::Return(value));
            }
            Statement::Assume(condition) => {
                if !self.holds(condition)? {
                    return Err(Outcome::Stops);
                }
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        site: u32,
        before: Option<&'p Condition>,
        (body, step): (&'p [Statement], Option<&'p Statement>),
        after: Option<&'p Condition>,
    ) -> Result<Flow> {
        self.control.push(site);
        let mut visits = Visits {
            visits: VecDeque::new(),
            epoch: self.epoch,
        };
        let flow = loop {
            self.visit(&mut visits)?;
            if let Some(condition) = before
                && !self.holds(condition)?
            {
                break Flow::Next;
            }
            match self.block(body)? {
                Flow::Break => break Flow::Next,
                Flow::Return(value) => break Flow::Return(value),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.statement(step)?;
            }
            if let Some(condition) = after
                && !self.holds(condition)?
            {
                break Flow::Next;
            }
        };
        self.control.pop();
        Ok(flow)
    }

    /// At the head of a loop.
    fn visit(&mut self, visits: &mut Visits) -> Result<()> {
        self.tick()?;
        self.remember()?;
        if !self.jumps {
            return Ok(());
        }
        if visits.epoch != self.epoch {
            visits.visits.clear();
            visits.epoch = self.epoch;
        }
        visits
            .visits
            .push_back((self.memory.clone(), self.events.len()));
        if visits.visits.len() > 2 * PERIOD + 1 {
            visits.visits.pop_front();
        }
        for period in 1..=PERIOD {
            match self.further(&visits.visits, period) {
                None | Some((_, More::Number(0))) => {}
                Some((_, More::All)) => return Err(Outcome::Endless),
                Some((added, More::Number(times))) => {
                    for (cell, by) in self.memory.iter_mut().zip(added) {
                        let by = by.checked_mul(times).ok_or(Outcome::Long)?;
                        cell.value = cell.value.checked_add(by).ok_or(Outcome::Long)?;
                    }
                    self.note(Event::Other);
                    visits.visits.clear();
                    return self.remember();
                }
            }
        }
        Ok(())
    }

    fn further(
        &self,
        visits: &VecDeque<(Vec<Cell>, usize)>,
        period: usize,
    ) -> Option<(Vec<i128>, More)> {
        let last = visits.len().checked_sub(1)?;
        let [a, b, c] = [last.checked_sub(2 * period)?, last - period, last].map(|at| &visits[at]);
        more(
            [&a.0, &b.0, &c.0],
            [&self.events[a.1..b.1], &self.events[b.1..c.1]],
        )
    }

    /// A state that was there before is there again and again.
    fn remember(&mut self) -> Result<()> {
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &self.control, &self.memory).hash(&mut hasher);
            hasher.finish()
        };
        let is_new = self.seen.insert((hash(1), hash(2)));
        if is_new {
            Ok(())
        } else {
            Err(Outcome::Endless)
        }
    }

    fn call(&mut self, site: u32, id: usize, arguments: &'p [Argument]) -> Result<i128> {
        let program = self.program;
        let function = &program.functions[id];
        let mut values = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&function.variables) {
            values.push(match argument {
                Argument::Number(value) => {
                    let value = self.value(value)?;
                    let value = self.converted(value, parameter.ty);
                    Cell { object: 0, value }
                }
                Argument::Address(name) => Cell {
                    object: self.position(*name) + 1,
                    value: 0,
                },
            });
        }
        if self.frames.len() > DEPTH {
            return Err(Outcome::Long);
        }
        let start = self.memory.len();
        let frame = self.objects(&function.variables);
        self.memory[start..start + values.len()].copy_from_slice(&values);
        self.frames.push(frame);
        self.control.push(site);
        self.enter(id, &values)?;
        let flow = self.block(&function.body)?;
        self.entries.entry(id).and_modify(|entries| {
            entries.pop();
        });
        self.control.pop();
        self.frames.pop();
        self.memory.truncate(start);
        let Flow::Return(value) = flow else {
            unreachable!("a function returns a number")
        };
        Ok(self.converted(value, function.returns))
    }

    /// At the entry of a function: calls inside of each other are like iterations of a loop, since
    /// what the frames below hold matters only when a call returns.
    fn enter(&mut self, id: usize, arguments: &[Cell]) -> Result<()> {
        if arguments.iter().any(|cell| cell.object != 0) {
            // What is behind an address matters as well.
            self.entries.entry(id).or_default().push((Vec::new(), 0));
            return Ok(());
        }
        let globals = self.program.globals.iter();
        let globals = globals.map(|variable| variable.first.len()).sum();
        let mut state = self.memory[..globals].to_vec();
        state.extend(arguments);
        let entries = self.entries.entry(id).or_default();
        if entries.iter().any(|(other, _)| *other == state) {
            return Err(Outcome::Endless);
        }
        entries.push((state, self.events.len()));
        let [.., a, b, c] = &entries[..] else {
            return Ok(());
        };
        let is_kept = a.1 <= b.1 && b.1 <= c.1 && self.epoch == 0;
        if is_kept
            && let Some((_, More::All)) = more(
                [&a.0, &b.0, &c.0],
                [&self.events[a.1..b.1], &self.events[b.1..c.1]],
            )
        {
            return Err(Outcome::Endless);
        }
        Ok(())
    }

    /// The position in memory.
    fn place(&mut self, place: &At) -> Result<usize> {
        let (object, at) = match place {
            At::Variable(name) => return Ok(self.position(*name)),
            At::Element(name, index) => (self.position(*name), self.value(index)?),
            At::Pointed(name) => {
                let pointer = self.memory[self.position(*name)];
                let object = pointer.object.checked_sub(1).ok_or(Outcome::Stops)?;
                (object, pointer.value)
            }
        };
        self.note(Event::Same(object as i128));
        self.note(Event::Same(at));
        match usize::try_from(at) {
            Ok(at) if at < self.lengths[&object] => Ok(object + at),
            _ => Err(Outcome::Stops),
        }
    }

    fn assign(&mut self, place: &'p Place, value: i128) -> Result<()> {
        let at = self.place(&place.at)?;
        let value = self.converted(value, place.ty);
        self.memory[at] = Cell { object: 0, value };
        Ok(())
    }

    /// A number as another type has it.
    fn converted(&mut self, value: i128, ty: Type) -> i128 {
        if self.integers == Integers::Unbounded {
            return value;
        }
        if !ty.holds(value) {
            self.note(Event::Other);
            return ty.wrapped(value);
        }
        self.note(Event::NotNegative(value - ty.low()));
        self.note(Event::NotNegative(ty.high() - value));
        value
    }

    fn value(&mut self, expression: &Expression) -> Result<i128> {
        match expression {
            Expression::Constant(value, _) => Ok(*value),
            Expression::Read(place) => {
                let at = self.place(&place.at)?;
                Ok(self.memory[at].value)
            }
            Expression::Cast(ty, value) => {
                let value = self.value(value)?;
                Ok(self.converted(value, *ty))
            }
            Expression::Binary(operation, left, right) => {
                let ty = expression.ty();
                let a = self.value(left)?;
                let a = self.converted(a, ty);
                let b = self.value(right)?;
                let b = self.converted(b, ty);
                let is_constant = |one: &Expression| matches!(one, Expression::Constant(..));
                let is_affine = match operation {
                    Operation::Add | Operation::Subtract => true,
                    Operation::Multiply => is_constant(left) || is_constant(right),
                    _ => false,
                };
                if !is_affine {
                    self.note(Event::Other);
                }
                let result = match operation {
                    Operation::Add => a.checked_add(b),
                    Operation::Subtract => a.checked_sub(b),
                    Operation::Multiply => a.checked_mul(b),
                    Operation::Divide if b != 0 => Some(a / b),
                    Operation::Remainder if b != 0 => Some(a % b),
                    Operation::And => Some(a & b),
                    _ => return Err(Outcome::Stops),
                };
                let result = result.ok_or(Outcome::Long)?;
                let overflows = ty.signed && !ty.holds(result);
                let is_undefined = match operation {
                    Operation::Divide | Operation::Remainder => b == -1 && a == ty.low(),
                    _ => overflows && self.integers == Integers::Strict,
                };
                if is_undefined && self.integers != Integers::Unbounded {
                    return Err(Outcome::Stops);
                }
                Ok(self.converted(result, ty))
            }
        }
    }

    fn holds(&mut self, condition: &Condition) -> Result<bool> {
        match condition {
            Condition::Compare(relation, left, right) => {
                let ty = left.ty().common(right.ty());
                let a = self.value(left)?;
                let a = self.converted(a, ty);
                let b = self.value(right)?;
                let b = self.converted(b, ty);
                Ok(self.compared(*relation, a.checked_sub(b).ok_or(Outcome::Long)?))
            }
            Condition::Below(pointer, array, at) => {
                let pointer = self.memory[self.position(*pointer)];
                if pointer.object != self.position(*array) + 1 {
                    return Err(Outcome::Stops);
                }
                self.note(Event::Same(pointer.object as i128));
                Ok(self.compared(Relation::Less, pointer.value - at))
            }
            Condition::Both(one, other) => Ok(self.holds(one)? && self.holds(other)?),
            Condition::Either(one, other) => Ok(self.holds(one)? || self.holds(other)?),
            Condition::Not(one) => Ok(!self.holds(one)?),
        }
    }

    /// How a difference relates to zero.
    fn compared(&mut self, relation: Relation, difference: i128) -> bool {
        self.note(Event::Side(difference));
        match relation {
            Relation::Less => difference < 0,
            Relation::AtMost => difference <= 0,
            Relation::Greater => difference > 0,
            Relation::AtLeast => difference >= 0,
            Relation::Equal => difference == 0,
            Relation::Differs => difference != 0,
        }
    }
}
