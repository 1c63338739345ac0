//! Start, end and failure of the program.

use super::{Builtin, Returned};
use crate::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::{Machine, Stop};
use impasse_program::word::Word;

pub(super) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_run_constructors", 0, run_constructors),
    Builtin::new("__impasse_exit", 1, exit),
    Builtin::new("__impasse_abort", 0, abort),
    Builtin::new("__assert_fail", 4, assert_fail),
    Builtin::new("__impasse_failed", 1, |m, a| {
        let what = m.memory.string(a[0])?;
        error(ErrorKind::Assertion, format!("{what} was reached"))
    }),
    Builtin::new("__impasse_unsupported", 1, |m, a| {
        let what = m.memory.string(a[0])?;
        unsupported(what)
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
    Builtin::new("setjmp", 0, |_, _| unsupported("setjmp")),
    Builtin::new("_setjmp", 0, |_, _| unsupported("setjmp")),
    Builtin::new("__setjmp", 0, |_, _| unsupported("setjmp")),
    Builtin::new("sigsetjmp", 0, |_, _| unsupported("sigsetjmp")),
    Builtin::new("__sigsetjmp", 0, |_, _| unsupported("sigsetjmp")),
    Builtin::new("longjmp", 0, |_, _| unsupported("longjmp")),
    Builtin::new("_longjmp", 0, |_, _| unsupported("longjmp")),
    Builtin::new("llvm.eh.typeid.for", 0, |_, _| unsupported("exceptions")),
    Builtin::new("llvm.eh.typeid.for.p0", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_RaiseException", 0, |_, _| {
        unsupported("throwing an exception")
    }),
    Builtin::new("_Unwind_Resume", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_DeleteException", 0, |_, _| {
        unsupported("exceptions")
    }),
    Builtin::new("_Unwind_GetIP", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_SetIP", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_SetGR", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_GetGR", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_GetCFA", 0, |_, _| unsupported("exceptions")),
    Builtin::new("_Unwind_GetRegionStart", 0, |_, _| {
        unsupported("exceptions")
    }),
    Builtin::new("_Unwind_GetLanguageSpecificData", 0, |_, _| {
        unsupported("exceptions")
    }),
    Builtin::new("_Unwind_Backtrace", 0, |_, _| unsupported("backtraces")),
    Builtin::new("_Unwind_ForcedUnwind", 0, |_, _| {
        unsupported("forced unwinding")
    }),
    Builtin::new("_Unwind_FindEnclosingFunction", 0, |_, _| {
        unsupported("exceptions")
    }),
];

/// Puts a frame for each constructor on the stack, the first one on top: each returns into the next.
fn run_constructors(machine: &mut Machine<'_>, _: &[Word]) -> Result<Returned> {
    let constructors = machine.program.constructors();
    if constructors.is_empty() {
        return Ok(Returned::Nothing);
    }
    machine
        .stack
        .frames
        .last_mut()
        .expect("a running frame")
        .calling = true;
    for &constructor in constructors.iter().rev() {
        machine.enter(constructor, &[])?;
    }
    Ok(Returned::Moved)
}

fn exit(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act()?;
    Ok(Returned::Stop(Stop::Exit(arguments[0].bits as u32 as i32)))
}

fn abort(machine: &mut Machine<'_>, _: &[Word]) -> Result<Returned> {
    let frames = machine.frames_of(machine.running);
    let mut names = frames
        .iter()
        .map(|f| machine.program.info(f.function).name.as_str());
    if names.any(|name| name == "_ZSt9terminatev" || name == "_ZSt11__terminatePFvvE") {
        return error(ErrorKind::Terminate, "std::terminate was called");
    }
    error(ErrorKind::Abort, "abort was called")
}

fn assert_fail(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let expression = machine.memory.string(arguments[0])?;
    error(
        ErrorKind::Assertion,
        format!("assertion `{expression}` failed"),
    )
}
