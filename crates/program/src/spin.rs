//! Loops that do nothing until they end, but for counting how often.
//!
//! A *spin loop* reads again and again. If an iteration returns to the loop's header, it has
//! changed nothing but one local variable, the *counter*, which decides about nothing but how often
//! the loop is repeated and is not read after it. `docs/internals/spin-loops.md` says what follows.
//!
//! The analysis follows every path through one iteration, and through the functions that it calls.
//! It gives up at anything that it does not know, and where there are too many paths.

mod path;

use crate::instruction::{Body, Instruction as I, Operand, Place, Position, Range, Slot};
use crate::link::{Function, FunctionId, Program, Target};
use crate::linked::BuiltinId;
use fixedbitset::FixedBitSet;
use path::{Frame, Path, Value, assign, assigned, computed, leave, live};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions that are followed in one loop, on all paths together.
const MOST: u32 = 10_000;
/// Calls within calls that are followed.
const DEEPEST: usize = 24;

/// A spin loop of a function.
#[derive(Debug)]
pub struct SpinLoop {
    /// Where the counter is.
    pub counter: Slot,
    /// The loop's instructions.
    region: FixedBitSet,
}

impl SpinLoop {
    /// Returns whether an instruction belongs to the loop.
    pub fn contains(&self, position: u32) -> bool {
        self.region.contains(position as usize)
    }
}

/// What a spin loop may call.
pub struct Harmless<'a> {
    /// Whether a call of a function does no more than its body.
    pub function: &'a dyn Fn(FunctionId) -> bool,
    /// Whether a function of the machine never blocks and has no effect but its result.
    pub builtin: &'a dyn Fn(BuiltinId) -> bool,
}

impl Program {
    /// Returns the spin loops of a function.
    pub fn spin_loops(&self, id: FunctionId, harmless: &Harmless<'_>) -> Vec<SpinLoop> {
        let function = self.function(id);
        let mut found = Vec::new();
        for (header, region) in regions(&function.body) {
            let assigned = assigned(&function.body, &region);
            let kept = live(&function.body, header).iter();
            let mut counters = kept.filter(|slot| assigned.contains(slot.0 as usize));
            found.extend(counters.find_map(|&counter| {
                let region = region.clone();
                let at = (header, region, counter);
                Analysis::new(self, harmless, function, &assigned, at).finish()
            }));
        }
        found
    }
}

/// The natural loops of a body, by their headers.
fn regions(body: &Body) -> BTreeMap<u32, FixedBitSet> {
    let length = body.code.len();
    let mut predecessors = vec![Vec::new(); length];
    let mut backward: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, instruction) in body.code.iter().enumerate() {
        instruction.for_each_successor(body, Position(at as u32), |target| {
            predecessors[target.0 as usize].push(at);
            if target.0 as usize <= at {
                backward.entry(target.0).or_default().push(at);
            }
        });
    }
    let mut found = BTreeMap::new();
    for (header, mut waiting) in backward {
        let mut region = FixedBitSet::with_capacity(length);
        region.insert(header as usize);
        while let Some(at) = waiting.pop() {
            if !region.put(at) {
                waiting.extend(&predecessors[at]);
            }
        }
        // From the entry, every path to the loop must come by the header.
        if header == 0 || !region.contains(0) {
            found.insert(header, region);
        }
    }
    found
}

/// How an instruction goes on.
enum Flow {
    Next,
    To(Position),
    Either(Position, Position),
    /// It has changed the position itself.
    Moved,
    /// The path ends in an error.
    End,
}

struct Analysis<'a, 'p> {
    program: &'p Program,
    harmless: &'a Harmless<'a>,
    body: &'p Body,
    header: u32,
    region: FixedBitSet,
    /// The slots that the loop assigns.
    assigned: FixedBitSet,
    counter: Slot,
    /// How many more instructions are followed.
    budget: u32,
    waiting: Vec<Path<'p>>,
    /// What iterations do with the counter that return to the header.
    returning: BTreeSet<Vec<u32>>,
    /// The same of those that leave the loop, unless the counter makes them leave.
    leaving: BTreeSet<Vec<u32>>,
}

impl<'a, 'p> Analysis<'a, 'p> {
    /// Returns an analysis at its beginning, of a loop that assigns these slots.
    fn new(
        program: &'p Program,
        harmless: &'a Harmless<'a>,
        function: &'p Function,
        assigned: &FixedBitSet,
        (header, region, counter): (u32, FixedBitSet, Slot),
    ) -> Self {
        let body = &function.body;
        // Objects of the frame whose addresses are always in the same slot.
        let mut allocated = vec![0u32; body.slots as usize];
        for instruction in &body.code {
            let allocates = matches!(instruction, I::Allocate { .. });
            instruction.for_each_definition(body, |slot| {
                allocated[slot.0 as usize] += if allocates { 1 } else { 2 };
            });
        }
        let mut values = vec![Value::Unknown; body.slots as usize];
        for (slot, value) in values.iter_mut().enumerate() {
            *value = match assigned.contains(slot) {
                true => Value::Unknown,
                false if allocated[slot] == 1 => Value::Local(Slot(slot as u32)),
                false => Value::Invariant,
            };
        }
        values[counter.0 as usize] = Value::Counted;
        let frame = Frame {
            id: FunctionId(u32::MAX),
            function,
            position: header,
            values,
        };
        let path = Path {
            frames: vec![frame],
            effect: false,
            assigned: FixedBitSet::with_capacity(body.slots as usize),
            begun: BTreeSet::new(),
            counting: Vec::new(),
        };
        Analysis {
            program,
            harmless,
            body,
            header,
            region,
            assigned: assigned.clone(),
            counter,
            budget: MOST,
            waiting: vec![path],
            returning: BTreeSet::new(),
            leaving: BTreeSet::new(),
        }
    }

    /// Follows all paths. Returns the loop if it is a spin loop.
    fn finish(mut self) -> Option<SpinLoop> {
        while let Some(path) = self.waiting.pop() {
            self.follow(path)?;
        }
        let (Some(counting), 1) = (self.returning.first(), self.returning.len()) else {
            return None;
        };
        let same = |other: &Vec<u32>| counting.starts_with(other);
        self.leaving.iter().all(same).then_some(SpinLoop {
            counter: self.counter,
            region: self.region,
        })
    }

    /// Follows a path to where it leaves the iteration. `None` if the loop is no spin loop.
    fn follow(&mut self, mut path: Path<'p>) -> Option<()> {
        loop {
            self.budget = self.budget.checked_sub(1)?;
            let frame = path.frames.last_mut()?;
            let instruction = &frame.function.body.code[frame.position as usize];
            let flow = self.execute(&mut path, instruction)?;
            let outermost = path.frames.len() == 1;
            let Some(frame) = path.frames.last_mut() else {
                self.leaving.insert(path.counting);
                return Some(());
            };
            match flow {
                Flow::Next => frame.position += 1,
                Flow::To(target) => frame.position = target.0,
                Flow::Either(one, other) => {
                    frame.position = one.0;
                    let mut second = path.clone();
                    second.frames.last_mut()?.position = other.0;
                    match outermost && self.arrives(&second)? {
                        true => {}
                        false => self.waiting.push(second),
                    }
                }
                Flow::Moved => {}
                Flow::End => return Some(()),
            }
            if path.frames.len() == 1 && self.arrives(&path)? {
                return Some(());
            }
        }
    }

    /// Returns whether the iteration ends where a path, which is in the loop's own frame, has come.
    /// `None` if the loop is no spin loop.
    fn arrives(&mut self, path: &Path<'p>) -> Option<bool> {
        let [frame] = &path.frames[..] else {
            return Some(false);
        };
        let kept = live(self.body, frame.position).iter();
        if frame.position == self.header {
            let mut others = kept.filter(|slot| **slot != self.counter);
            let same = others.all(|slot| !path.assigned.contains(slot.0 as usize));
            let counted = frame.values[self.counter.0 as usize] == Value::Counted;
            if path.effect || !same || !counted {
                return None;
            }
            self.returning.insert(path.counting.clone());
            return Some(true);
        }
        if self.region.contains(frame.position as usize) {
            return Some(false);
        }
        let mut kept = kept.map(|slot| frame.values[slot.0 as usize]);
        if kept.any(|value| value == Value::Counted) {
            return None;
        }
        self.leaving.insert(path.counting.clone());
        Some(true)
    }

    /// Executes an instruction. `None` if a spin loop must not have it.
    fn execute(&mut self, path: &mut Path<'p>, instruction: &'p I) -> Option<Flow> {
        let outermost = path.frames.len() == 1;
        let frame = path.frames.last_mut()?;
        let body = &frame.function.body;
        let (mut counted, mut fixed) = (false, true);
        instruction.for_each_operand(body, |operand, words| {
            match frame.is_counted(operand, words) {
                true => counted = true,
                false => fixed &= outermost && self.is_fixed(operand, words),
            }
        });
        if counted && !fixed {
            return None;
        }
        let result = match *instruction {
            I::Move { source, .. } => frame.value(source),
            I::Undefine { .. } => Value::Unknown,
            I::Binary { .. }
            | I::Compare { .. }
            | I::Convert { .. }
            | I::Select { .. }
            | I::Freeze { .. }
            | I::Compute { .. } => computed(frame, instruction)?,
            I::Float { .. } | I::FloatCompare { .. } | I::Repack { .. } if !counted => {
                Value::Unknown
            }
            I::AddressOffset { base, .. } | I::AddressIndex { base, .. } if !counted => {
                match frame.value(base) {
                    value @ (Value::Local(_) | Value::New) => value,
                    _ => computed(frame, instruction)?,
                }
            }
            I::Allocate { .. } if !outermost && !counted => Value::New,
            I::Load { .. } if !counted => Value::Unknown,
            I::LifetimeStart { address, .. } | I::LifetimeEnd { address } => {
                let begins = matches!(instruction, I::LifetimeStart { .. });
                match frame.value(address) {
                    Value::New => {}
                    Value::Local(slot) => {
                        if begins {
                            path.begun.insert(slot);
                        } else if !path.begun.remove(&slot) {
                            path.effect = true;
                        }
                    }
                    _ => path.effect = true,
                }
                return Some(Flow::Next);
            }
            I::Store { address, .. } if !counted => {
                let own = match frame.value(address) {
                    Value::New => true,
                    Value::Local(slot) => path.begun.contains(&slot),
                    _ => false,
                };
                path.effect |= !own;
                return Some(Flow::Next);
            }
            I::Update { .. } if !counted => {
                path.effect = true;
                Value::Unknown
            }
            I::CompareExchange {
                destination,
                scalar,
                ..
            } if !counted => {
                let flag = destination.0 + scalar.words();
                assign(path, instruction, Value::Unknown);
                let mut success = path.clone();
                success.effect = true;
                for (path, equal) in [(&mut success, 1), (path, 0)] {
                    let frame = path.frames.last_mut()?;
                    frame.values[flag as usize] = Value::Number(equal);
                }
                success.frames.last_mut()?.position += 1;
                // An exchange falls through, to an instruction of the loop.
                self.waiting.push(success);
                return Some(Flow::Next);
            }
            I::Fence { .. } => return Some(Flow::Next),
            I::Jump { target } => return Some(Flow::To(target)),
            I::Branch {
                condition,
                then,
                otherwise,
            } => return self.branch(path, condition, then, otherwise),
            I::Switch {
                value,
                cases,
                default,
                ..
            } if !counted => return self.switch(path, value, cases, default),
            I::Call { .. } if !counted => return self.call(path, instruction),
            I::Return { values } if !counted => {
                leave(path, values);
                return Some(Flow::Moved);
            }
            I::Unreachable => return Some(Flow::End),
            _ => return None,
        };
        assign(path, instruction, result);
        if counted && outermost {
            path.counting.push(path.frames[0].position);
        }
        Some(Flow::Next)
    }

    /// Returns whether an operand in the loop's own frame is the same on all paths: a constant, or
    /// what the loop does not assign.
    fn is_fixed(&self, operand: Operand, words: u32) -> bool {
        match operand.place() {
            Place::Constant(_) => true,
            Place::Slot(first) => {
                let mut slots = first.0..first.0 + words;
                slots.all(|slot| !self.assigned.contains(slot as usize))
            }
        }
    }

    fn branch(
        &self,
        path: &mut Path<'p>,
        condition: Operand,
        then: Position,
        otherwise: Position,
    ) -> Option<Flow> {
        let outermost = path.frames.len() == 1;
        let frame = path.frames.last()?;
        match frame.value(condition) {
            Value::Number(0) => Some(Flow::To(otherwise)),
            Value::Number(_) => Some(Flow::To(then)),
            Value::Counted => {
                // The counter decides about no more than whether the loop goes on.
                let inside = |target: Position| self.region.contains(target.0 as usize);
                if !outermost || inside(then) == inside(otherwise) {
                    return None;
                }
                path.counting.push(frame.position);
                Some(Flow::Either(then, otherwise))
            }
            _ => Some(Flow::Either(then, otherwise)),
        }
    }

    fn switch(
        &mut self,
        path: &mut Path<'p>,
        value: Operand,
        cases: Range,
        default: Position,
    ) -> Option<Flow> {
        let frame = path.frames.last()?;
        let cases = &frame.function.body.cases[cases.indices()];
        if let Value::Number(number) = frame.value(value) {
            let case = cases.iter().find(|(case, _)| *case == number);
            return Some(Flow::To(case.map_or(default, |case| case.1)));
        }
        let targets: BTreeSet<Position> = cases.iter().map(|case| case.1).collect();
        for target in targets {
            let mut other = path.clone();
            other.frames.last_mut()?.position = target.0;
            if !(other.frames.len() == 1 && self.arrives(&other)?) {
                self.waiting.push(other);
            }
        }
        Some(Flow::To(default))
    }

    fn call(&mut self, path: &mut Path<'p>, instruction: &'p I) -> Option<Flow> {
        let I::Call { site } = *instruction else {
            return None;
        };
        let frame = path.frames.last()?;
        let (number, caller) = (site.0 as usize, frame.function);
        let site = &caller.body.sites[number];
        if site.returns_twice {
            return None;
        }
        match caller.targets[number] {
            Target::Builtin(builtin) if (self.harmless.builtin)(builtin) => {
                assign(path, instruction, Value::Unknown);
                Some(Flow::Next)
            }
            Target::Function(id)
                if caller.simple[number]
                    && path.frames.len() < DEEPEST
                    && path.frames.iter().all(|frame| frame.id != id)
                    && (self.harmless.function)(id) =>
            {
                let function = self.program.function(id);
                let mut values = vec![Value::Unknown; function.body.slots as usize];
                let mut slot = 0;
                for argument in &site.arguments {
                    let words = argument.scalar.words() as usize;
                    if words == 1 {
                        values[slot] = frame.value(argument.value);
                    }
                    slot += words;
                }
                path.frames.push(Frame {
                    id,
                    function,
                    position: 0,
                    values,
                });
                Some(Flow::Moved)
            }
            _ => None,
        }
    }
}
