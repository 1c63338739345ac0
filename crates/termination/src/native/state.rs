//! Where the parts of a state lie when the program runs natively, and whether they are the same in
//! each iteration.
//!
//! Compiled without optimisation, a variable of the source lies in memory whenever a block begins:
//! in the frame of its function, or at the address of its symbol. So a part of the state is found
//! by the variable that it is (a part of), and the debug information says where that lies. What was
//! allocated dynamically is not found; it is said what was compared.

use super::symbols::Symbols;
use crate::concolic::names::Named;
use crate::concolic::run::Subject;
use crate::concolic::shadow::{Cell, CellPlace};
use crate::concolic::trace::{Effect, Trace, Visit};
use anyhow::Result;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Instruction, Slot, Variable, VariablePlace};
use impasse_program::link::FunctionId;

/// The variable that a part of the state belongs to.
enum Base {
    /// One of a function: how many frames above that of the loop, the function, the variable and
    /// its line.
    Local(usize, String, String, u32),
    /// A global one.
    Global(String),
}

/// A part of the state.
pub struct Part {
    /// Its name for people.
    pub name: String,
    base: Option<Base>,
    offset: u32,
    bytes: u8,
    /// What it holds; none of an address, which is another one natively.
    value: Option<u64>,
}

/// Where a part lies.
#[derive(Clone, Copy)]
pub enum Place {
    /// So many frames above, so many bytes from the frame's base.
    Frame(usize, i64),
    /// At an address.
    Fixed(u64),
}

/// The state in which the loop's header is passed again and again.
pub struct State {
    /// What decides the path.
    pub parts: Vec<Part>,
    /// After how many iterations it repeats.
    pub iterations: usize,
}

impl State {
    /// The state at a visit.
    pub fn new(
        subject: &Subject<'_>,
        trace: &Trace,
        visit: &Visit,
        cells: &[(&Cell, &Named)],
        iterations: usize,
    ) -> State {
        let stack = stack(trace, visit.step);
        let part = |&(cell, named): &(&Cell, &Named)| {
            let (base, offset) = base(subject, trace, &stack, cell).unzip();
            let bytes = match cell.place {
                CellPlace::Memory(_, _, bytes) => bytes,
                CellPlace::Slot(slot) => {
                    let bytes = named.bits.div_ceil(8).min(8);
                    bytes.min(bytes_in_memory(subject, &stack, slot).unwrap_or(bytes))
                }
            };
            Part {
                name: named.name.clone(),
                base,
                offset: offset.unwrap_or(0),
                bytes,
                value: number(trace, cell, named, bytes),
            }
        };
        State {
            parts: cells.iter().map(part).collect(),
            iterations,
        }
    }

    /// Where the parts lie that can be found.
    pub fn places(&self, symbols: &Symbols<'_>) -> Result<Vec<(&Part, Place)>> {
        let mut places = Vec::new();
        for part in &self.parts {
            let size = u64::from(part.offset) + u64::from(part.bytes);
            let place = match &part.base {
                None => None,
                Some(Base::Global(name)) => {
                    let start = symbols.address(name)?;
                    start.map(|start| Place::Fixed(start + u64::from(part.offset)))
                }
                Some(Base::Local(up, function, name, line)) => {
                    let locals = match symbols.address(function)? {
                        Some(function) => symbols.locals(function)?,
                        None => Vec::new(),
                    };
                    let is_it = |local: &&super::symbols::Local| {
                        local.name == *name && local.line == *line && local.bytes >= size
                    };
                    let mut found = locals.iter().filter(is_it);
                    let first = found.next().filter(|_| found.next().is_none());
                    first.map(|local| Place::Frame(*up, local.offset + i64::from(part.offset)))
                }
            };
            places.extend(place.map(|place| (part, place)));
        }
        Ok(places)
    }
}

impl Part {
    #[cfg(test)]
    pub fn new(name: &str, value: Option<u64>) -> Part {
        Part {
            name: name.into(),
            base: None,
            offset: 0,
            bytes: 8,
            value,
        }
    }

    /// Its size.
    pub fn bytes(&self) -> u8 {
        self.bytes
    }

    /// Whether it may hold what was seen.
    pub fn may_be(&self, seen: u64) -> bool {
        self.value.is_none_or(|value| value == seen)
    }
}

/// The number in a part of the state, unless it may be an address.
fn number(trace: &Trace, cell: &Cell, named: &Named, bytes: u8) -> Option<u64> {
    if let (Some(short), 4) = (&trace.ilp32, bytes) {
        let initial = cell.initial.bits;
        let is_address = initial >> 32 != 0 || short.widen(initial as u32) >> 32 != 0;
        return (named.target.is_none() && (named.is_float || !is_address)).then_some(initial);
    }
    let unused = 64 - 8 * u32::from(bytes);
    let bits = cell.initial.bits << unused >> unused;
    let is_small = bytes < 8 || bits >> 32 == 0;
    let is_number = is_small || named.is_float || named.reading.is_some();
    (named.target.is_none() && is_number).then_some(bits)
}

/// How many bytes what a slot of the innermost frame holds has in memory, if it is (a part of) a
/// variable.
fn bytes_in_memory(subject: &Subject<'_>, stack: &[FunctionId], slot: Slot) -> Option<u8> {
    let body = &subject.system.program.function(*stack.last()?).body;
    let mut held = body
        .variables
        .iter()
        .filter_map(|variable| match variable.place {
            VariablePlace::Value {
                slot: held, scalar, ..
            } if held == slot => Some(scalar.bytes().min(8) as u8),
            _ => None,
        });
    held.next()
}

/// The functions whose frames there are before a step, innermost last.
fn stack(trace: &Trace, step: u32) -> Vec<FunctionId> {
    let mut stack = vec![trace.first.place.function];
    for step in &trace.steps[..step as usize] {
        match step.effect {
            Effect::Entered(id) => stack.push(id),
            Effect::Returned => {
                stack.pop();
            }
            _ => {}
        }
    }
    stack
}

fn base(
    subject: &Subject<'_>,
    trace: &Trace,
    stack: &[FunctionId],
    cell: &Cell,
) -> Option<(Base, u32)> {
    let program = &subject.system.program;
    let local = |up: usize, function: FunctionId, variable: &Variable| {
        let frames = &stack[stack.len() - 1 - up..];
        let users = frames
            .iter()
            .all(|&id| program.is_users(program.info(id).unit));
        let name = program.info(function).name.clone();
        users.then(|| Base::Local(up, name, variable.name.clone(), variable.line))
    };
    match cell.place {
        CellPlace::Slot(slot) => {
            let function = *stack.last()?;
            let variables = program.function(function).body.variables.iter();
            let mut held = variables.filter_map(|variable| match variable.place {
                VariablePlace::Value {
                    slot: held, offset, ..
                } if held == slot => Some((variable, offset)),
                _ => None,
            });
            let (variable, offset) = held.next()?;
            Some((local(0, function, variable)?, offset))
        }
        CellPlace::Memory(object, offset, _) => match object.kind() {
            ObjectKind::Global(n) => {
                let name = program.globals().get(n as usize)?.name.clone();
                Some((Base::Global(name), offset))
            }
            ObjectKind::Dynamic(_) => {
                let (depth, function, variable) = allocated(subject, trace, object)?;
                let up = stack.len().checked_sub(1 + depth)?;
                let same = stack[depth] == function;
                let base = same.then(|| local(up, function, variable))??;
                Some((base, offset))
            }
            _ => None,
        },
    }
}

/// The variable that an object is, with the depth of its frame.
fn allocated<'s>(
    subject: &Subject<'s>,
    trace: &Trace,
    object: ObjectId,
) -> Option<(usize, FunctionId, &'s Variable)> {
    let program = &subject.system.program;
    let mut depth = 0usize;
    let mut found = None;
    for (at, step) in trace.steps.iter().enumerate() {
        match step.effect {
            Effect::Entered(_) => depth += 1,
            Effect::Returned => depth = depth.saturating_sub(1),
            Effect::Ordinary => {
                let body = &program.function(step.function).body;
                if let Instruction::Allocate {
                    variable: Some(variable),
                    ..
                } = &body.code[step.position as usize]
                    && let Some(known) = trace.words_of(at).first()
                    && Address::from_bits(known.bits).object == object
                {
                    let variable = &body.variables[variable.0 as usize];
                    found = Some((depth, step.function, variable));
                }
            }
            _ => {}
        }
    }
    found
}
