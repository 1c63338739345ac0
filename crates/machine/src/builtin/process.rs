//! Start, end and failure of the program.

use crate::base::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::base::options::{ExitCodes, MainReturns, OnAbort};
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::{Machine, Stop};
use impasse_program::instruction::Scalar;
use impasse_program::unit::Signature;
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_run_constructors", 3, run_constructors),
    Builtin::new("__impasse_run_destructors", 0, run_destructors),
    Builtin::new("__impasse_exit", 1, exit),
    Builtin::new("__impasse_main_waits", 0, |m, _| {
        m.expect_no_section()?;
        Returned::int((m.options.main_returns == MainReturns::Waits) as i32)
    }),
    Builtin::new("__impasse_abort", 1, abort),
    Builtin::new("__assert_fail", 4, assert_fail),
    Builtin::new("__impasse_failed", 1, |m, a| {
        let what = m.memory.string(a[0])?;
        match what.split_once(": ") {
            Some(("invalid-call", why)) => error(ErrorKind::InvalidCall, why),
            Some(("null-dereference", why)) => error(ErrorKind::NullDereference, why),
            Some(("out-of-bounds", why)) => error(ErrorKind::OutOfBounds, why),
            _ => error(ErrorKind::Assertion, format!("{what} was reached")),
        }
    }),
    Builtin::new("__impasse_unsupported", 1, |m, a| {
        let what = m.memory.string(a[0])?;
        unsupported(what)
    }),
    Builtin::new("__impasse_fence_everywhere", 0, |m, _| {
        m.model().fence_everywhere(m)?;
        Ok(Returned::Nothing)
    }),
    Builtin::new("llvm.trap", 0, |_, _| {
        error(ErrorKind::Abort, "executes a trap")
    }),
    Builtin::new("llvm.ubsantrap", 0, |_, _| {
        error(ErrorKind::Abort, "executes a trap")
    }),
    Builtin::new("llvm.debugtrap", 0, |_, _| {
        error(ErrorKind::Abort, "executes a trap")
    }),
];

/// Runs libc++'s initialisation of its thread-specific data before everything else if the program
/// has it: it would be run by the first thread that starts, under a lock, and when it is run makes
/// no difference but in the number of interleavings.
///
/// Puts a frame for each constructor on the stack, the first one on top: each returns into the
/// next. Each gets the arguments of `main`, as far as it takes any.
fn run_constructors(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let constructors = machine.program.constructors();
    let before = machine.system.thread_data;
    if constructors.is_empty() && before.is_none() {
        return Ok(Returned::Nothing);
    }
    machine.calls();
    for &function in constructors.iter().rev().chain(&before) {
        let taken = taken(&machine.program.info(function).signature);
        machine.enter(function, &arguments[..taken])?;
    }
    Ok(Returned::Moved)
}

/// How many of the arguments of `main` a function takes.
fn taken(signature: &Signature) -> usize {
    let is_pointer = |scalar| matches!(scalar, Scalar::Pointer | Scalar::Pointer32);
    let fits = |(index, scalar): &(usize, Scalar)| match index {
        0 => *scalar == Scalar::Integer(32),
        1 | 2 => is_pointer(*scalar),
        _ => false,
    };
    let parameters = signature.parameters.iter().copied().enumerate();
    parameters.take_while(fits).count()
}

/// The same for what is to be run at the end.
fn run_destructors(machine: &mut Machine<'_>, _: &[Word]) -> Result<Returned> {
    let destructors = machine.program.destructors();
    if destructors.is_empty() {
        return Ok(Returned::Nothing);
    }
    machine.calls();
    for &function in destructors.iter().rev() {
        machine.enter(function, &[])?;
    }
    Ok(Returned::Moved)
}

fn exit(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.drain()?;
    machine.act()?;
    machine.footprint.hold();
    machine.observe_outcome()?;
    if !arguments[0].term.is_none() {
        let status = exit_status(machine, arguments[0])?;
        return Ok(Returned::Stop(Stop::Exit(status)));
    }
    if !arguments[0].is_defined() {
        return error(
            ErrorKind::UndefinedValue,
            "the exit status depends on an undefined value",
        );
    }
    Ok(Returned::Stop(Stop::Exit(arguments[0].bits as u32 as i32)))
}

/// An exit status that depends on inputs: one for all that count alike.
fn exit_status(machine: &mut Machine<'_>, status: Word) -> Result<i32> {
    let Some(term) = machine.as_term(status, 32) else {
        return unsupported("an exit status that depends on an input");
    };
    if machine.options.exit_codes == ExitCodes::Any {
        return Ok(0);
    }
    let is_zero = machine.terms().with(|terms| {
        let code = terms.extract(term, 0, 8);
        terms.equal(code, terms.constant(0, 8))
    });
    if machine.decide(is_zero)? {
        return Ok(0);
    }
    let path = &machine.symbolic.condition.conjuncts;
    match machine.terms().plain_value(path, term) {
        Some(status) => Ok(status as u32 as i32),
        None => unsupported("an exit status that depends on an input"),
    }
}

/// Ends the program by a signal, or, if that is 0, by `abort`.
fn abort(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if let Some((kind, message)) = crate::exec::unwind::why_terminated(machine) {
        return error(kind, message);
    }
    match machine.options.abort {
        OnAbort::Error => match arguments[0].bits {
            0 => error(ErrorKind::Abort, "abort was called"),
            signal => error(
                ErrorKind::Abort,
                format!("signal {signal} ends the program"),
            ),
        },
        OnAbort::Prune => {
            machine.visible_action()?;
            Err(Box::new(Halt::Infeasible))
        }
    }
}

fn assert_fail(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let expression = machine.memory.string(arguments[0])?;
    error(
        ErrorKind::Assertion,
        format!("assertion `{expression}` failed"),
    )
}
