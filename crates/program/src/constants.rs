//! What the slots of a function hold, where that is known without executing the program.

use crate::instruction::{
    CallSite, CallSiteId, Comparison, Instruction, Operand, Place, Position, Scalar, Slot,
};
use crate::link::{Function, Program, Target};
use std::collections::{BTreeMap, BTreeSet};

/// How many steps of a function are followed to find what it returns, those of its calls apart.
const MOST_STEPS: usize = 1000;
/// How deep calls of which the result is looked for may be.
const MOST_CALLS: u32 = 8;

/// The slots of a function of which the value is known where they are read.
pub(crate) struct Constants<'f> {
    program: &'f Program,
    function: &'f Function,
    /// By slot of a parameter.
    known: &'f [Option<u64>],
    /// By slot: where its value comes from, if nothing else is assigned to it.
    sources: BTreeMap<Slot, Option<Source>>,
}

/// What assigns a value to a slot.
#[derive(Clone, Copy)]
enum Source {
    Moved(Operand),
    Called(CallSiteId),
}

impl<'f> Constants<'f> {
    /// Looks for constants in a function, given those in the slots of its parameters.
    pub(crate) fn of(
        program: &'f Program,
        function: &'f Function,
        known: &'f [Option<u64>],
    ) -> Constants<'f> {
        let body = &function.body;
        let mut sources = BTreeMap::new();
        for instruction in &body.code {
            let source = match instruction {
                Instruction::Move { source, .. } => Some(Source::Moved(*source)),
                Instruction::Call { site } => Some(Source::Called(*site)),
                _ => None,
            };
            instruction.for_each_definition(body, |slot| {
                let is_first = !sources.contains_key(&slot);
                sources.insert(slot, source.filter(|_| is_first));
            });
        }
        Constants {
            program,
            function,
            known,
            sources,
        }
    }

    /// Returns the value of an operand, if it is known.
    pub(crate) fn value(&self, operand: Operand) -> Option<u64> {
        let mut operand = operand;
        // A chain of moves is no longer than there are slots.
        for _ in 0..=self.sources.len() {
            match operand.place() {
                Place::Constant(_) => return self.function.number(operand),
                Place::Slot(slot) => match self.sources.get(&slot) {
                    Some(&Some(Source::Moved(source))) => operand = source,
                    Some(&Some(Source::Called(site))) => {
                        let read = |operand| self.value(operand);
                        return self.program.result(self.function, site, read, MOST_CALLS);
                    }
                    Some(None) => return None,
                    None => return self.known.get(slot.0 as usize).copied().flatten(),
                },
            }
        }
        None
    }

    /// Returns what the parameters of a called function hold, by slot.
    pub(crate) fn arguments(&self, site: &CallSite) -> Vec<Option<u64>> {
        arguments(site, |operand| self.value(operand))
    }

    /// Returns the positions that can be reached.
    pub(crate) fn reached(&self) -> BTreeSet<Position> {
        let body = &self.function.body;
        let mut reached = BTreeSet::new();
        let mut pending = vec![Position(0)];
        while let Some(at) = pending.pop() {
            if !reached.insert(at) {
                continue;
            }
            let instruction = &body.code[at.0 as usize];
            match self.decided(instruction) {
                Some(target) => pending.push(target),
                None => instruction.for_each_successor(body, at, |next| pending.push(next)),
            }
        }
        reached
    }

    /// Where a switch of a known value leads.
    fn decided(&self, instruction: &Instruction) -> Option<Position> {
        let &Instruction::Switch {
            scalar: Scalar::Integer(_),
            value,
            cases,
            default,
        } = instruction
        else {
            return None;
        };
        let value = self.value(value)?;
        let mut cases = self.function.body.cases[cases.indices()].iter();
        let case = cases.find(|(of, _)| *of == value);
        Some(case.map_or(default, |(_, target)| *target))
    }
}

fn arguments(site: &CallSite, read: impl Fn(Operand) -> Option<u64>) -> Vec<Option<u64>> {
    let mut given = Vec::new();
    for argument in &site.arguments {
        given.push(read(argument.value));
        given.resize(given.len() + argument.scalar.words() as usize - 1, None);
    }
    given
}

impl Function {
    /// The number that an operand is, if it is a constant.
    fn number(&self, operand: Operand) -> Option<u64> {
        let Place::Constant(index) = operand.place() else {
            return None;
        };
        let word = self.constants.get(index as usize)?;
        (!word.pointer && word.undefined == 0).then_some(word.bits)
    }
}

impl Program {
    /// What a call returns that only compares and passes on numbers that are known.
    fn result(
        &self,
        caller: &Function,
        site: CallSiteId,
        read: impl Fn(Operand) -> Option<u64>,
        depth: u32,
    ) -> Option<u64> {
        let Target::Function(callee) = caller.targets[site.0 as usize] else {
            return None;
        };
        let given = arguments(&caller.body.sites[site.0 as usize], read);
        self.returned(self.function(callee), &given, depth.checked_sub(1)?)
    }

    fn returned(&self, function: &Function, given: &[Option<u64>], depth: u32) -> Option<u64> {
        let body = &function.body;
        let parameters = (0..).map(Slot).zip(given);
        let mut values: BTreeMap<Slot, u64> = parameters
            .filter_map(|(slot, value)| Some((slot, (*value)?)))
            .collect();
        let mut at = Position(0);
        for _ in 0..MOST_STEPS {
            let read = |operand: Operand| match operand.place() {
                Place::Constant(_) => function.number(operand),
                Place::Slot(slot) => values.get(&slot).copied(),
            };
            let next = Position(at.0 + 1);
            let (assigned, target) = match body.code[at.0 as usize] {
                Instruction::Move {
                    destination,
                    source,
                } => (Some((destination, read(source)?)), next),
                Instruction::Compare {
                    comparison,
                    scalar: Scalar::Integer(_),
                    destination,
                    left,
                    right,
                } => {
                    let is_equal = read(left)? == read(right)?;
                    let holds = match comparison {
                        Comparison::Equal => is_equal,
                        Comparison::NotEqual => !is_equal,
                        _ => return None,
                    };
                    (Some((destination, u64::from(holds))), next)
                }
                Instruction::Call { site } => {
                    let destination = body.sites[site.0 as usize].destination;
                    let result = self.result(function, site, read, depth)?;
                    (Some((destination, result)), next)
                }
                Instruction::Jump { target } => (None, target),
                Instruction::Branch {
                    condition,
                    then,
                    otherwise,
                } => match read(condition)? {
                    0 => (None, otherwise),
                    _ => (None, then),
                },
                Instruction::Return { values } if values.count == 1 => {
                    return read(body.operands[values.indices()][0]);
                }
                _ => return None,
            };
            values.extend(assigned);
            at = target;
        }
        None
    }
}
