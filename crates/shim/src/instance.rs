//! Functions specialised for constants, and the control flow within them.

use crate::ir::{ExceptionId, Function, FunctionId, Op, Pc, id};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

id!(
    /// A function specialised for some constants.
    InstanceId
);

/// A function specialised for some constants.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its code.
    pub function: Rc<Function>,
    /// Which function it comes from.
    pub source: FunctionId,
    /// Arguments known beforehand.
    pub constants: Vec<Option<i64>>,
    /// What the calls of each instruction that can be reached call.
    pub calls: BTreeMap<Pc, Vec<InstanceId>>,
    /// Whether it neither communicates, nor calls what does, nor throws an exception out.
    pub trivial: bool,
    /// Exceptions that it may throw out.
    pub escapes: BTreeSet<ExceptionId>,
    /// Whether its calls were followed: not where its recursion was given up before.
    pub(crate) elaborated: bool,
    pub(crate) caller: Option<(InstanceId, Pc)>,
    pub(crate) depth: u32,
}

/// Returns where control may continue after an instruction.
pub fn successors(function: &Function, pc: Pc) -> Vec<Pc> {
    match &function.code[pc].op {
        Op::Goto(target) => vec![*target],
        Op::If(_, _, target) if *target == pc + 1 => vec![pc + 1],
        Op::If(_, _, target) => vec![pc + 1, *target],
        Op::Return | Op::Throw(_) => vec![],
        Op::Par(_, handlers) => std::iter::once(pc + 1)
            .chain(handlers.iter().map(|(_, target)| *target))
            .collect(),
        _ => vec![pc + 1],
    }
}

/// Returns, for each instruction, whether control can reach it.
pub fn reachable(function: &Function) -> Vec<bool> {
    let mut reached = vec![false; function.code.len() + 1];
    let mut work = vec![0];
    while let Some(pc) = work.pop() {
        if !std::mem::replace(&mut reached[pc], true) && pc < function.code.len() {
            work.extend(successors(function, pc));
        }
    }
    reached
}
