//! Which exceptions leave which functions, and those that nothing catches.

use crate::diagnostic::Diagnostic;
use crate::instance::{Instance, InstanceId, reachable};
use crate::ir::{ExceptionId, Op, Pc, Program};
use crate::source::Span;
use std::collections::BTreeSet;

/// Updates which exceptions leave each instance and whether it is silent; `order` lists callees
/// before their callers. Returns whether anything changed: where calls form a cycle, the caller
/// must repeat it.
pub fn summarise(instances: &mut [Instance], order: &[InstanceId]) -> bool {
    let mut changed = false;
    for id in order {
        let instance = &instances[id.index()];
        let mut escapes: BTreeSet<ExceptionId> = thrown(instance).map(|(e, _)| e).collect();
        let mut silent = true;
        for (pc, op) in reached(instance) {
            silent &= !matches!(op, Op::Send(_) | Op::Receive(_));
            for callee in called(instance, pc) {
                silent &= instances[callee.index()].trivial;
                escapes.extend(passed(instances, op, *callee));
            }
        }
        let instance = &mut instances[id.index()];
        changed |= escapes != instance.escapes;
        instance.trivial = silent && escapes.is_empty();
        instance.escapes = escapes;
    }
    changed
}

/// Returns a diagnostic for each exception that leaves `main`.
pub fn uncaught(program: &Program, instances: &[Instance]) -> Vec<Diagnostic> {
    let escapes = instances[0].escapes.iter();
    let mistake = |exception: &ExceptionId| {
        let name = &program.exceptions[exception.index()];
        let span = origin(instances, *exception).unwrap_or(instances[0].function.span);
        Diagnostic::error(
            span,
            format!("nothing catches exception `{name}`"),
            "thrown here, and leaves `main`",
        )
        .help(format!(
            "put a `try {{ … }} catch ({name}) {{ … }}` around it or around a call that leads to it"
        ))
    };
    escapes.map(mistake).collect()
}

/// A place that throws an exception which leaves `main`: the nearest, by calls that let it pass.
fn origin(instances: &[Instance], exception: ExceptionId) -> Option<Span> {
    let mut seen = BTreeSet::from([InstanceId(0)]);
    let mut work = std::collections::VecDeque::from([InstanceId(0)]);
    while let Some(id) = work.pop_front() {
        let instance = &instances[id.index()];
        if let Some((_, span)) = thrown(instance).find(|(e, _)| *e == exception) {
            return Some(span);
        }
        for (pc, op) in reached(instance) {
            for callee in called(instance, pc) {
                if passed(instances, op, *callee).any(|e| e == exception) && seen.insert(*callee) {
                    work.push_back(*callee);
                }
            }
        }
    }
    None
}

fn reached(instance: &Instance) -> impl Iterator<Item = (Pc, &Op)> {
    let reached = reachable(&instance.function);
    let code = instance.function.code.iter().enumerate();
    code.filter(move |(pc, _)| reached[*pc])
        .map(|(pc, instr)| (pc, &instr.op))
}

/// What an instance throws itself. One whose recursion was given up was not cut to what it does.
fn thrown(instance: &Instance) -> impl Iterator<Item = (ExceptionId, Span)> {
    let code = &instance.function.code;
    reached(instance)
        .filter(|_| instance.elaborated)
        .filter_map(|(pc, op)| match op {
            Op::Throw(exception) => Some((*exception, code[pc].span)),
            _ => None,
        })
}

fn called(instance: &Instance, pc: Pc) -> &[InstanceId] {
    instance.calls.get(&pc).map_or(&[], Vec::as_slice)
}

/// What leaves a callee and has no handler at the call.
fn passed<'a>(
    instances: &'a [Instance],
    call: &'a Op,
    callee: InstanceId,
) -> impl Iterator<Item = ExceptionId> + 'a {
    let handled = move |exception: &ExceptionId| match call {
        Op::Par(_, handlers) => handlers.iter().any(|(caught, _)| caught == exception),
        _ => false,
    };
    let escapes = instances[callee.index()].escapes.iter().copied();
    escapes.filter(move |exception| !handled(exception))
}
