//! Why a program ends by `std::terminate`, determined from the stack and libc++abi's record of
//! caught exceptions.

use crate::base::fault::ErrorKind;
use crate::machine::Machine;
use crate::state::memory::Access;
use crate::value::Value;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

const TERMINATE: [&str; 2] = ["_ZSt9terminatev", "_ZSt11__terminatePFvvE"];
/// A step between throwing and terminating inside libc++abi.
const FAILED: &str = "_ZN10__cxxabiv1L12failed_throwEPNS_15__cxa_exceptionE";
/// What throws: these functions continue only if no handler catches.
const THROW: [&str; 5] = [
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_rethrow_primary_exception",
    "_ZSt17rethrow_exceptionSt13exception_ptr",
    "__impasse_uncaught",
];
const LANDING: &str = "__clang_call_terminate";

/// The offset of the exception's type in libc++abi's `__cxa_exception`, and of the name in
/// `std::type_info`.
const EXCEPTION_TYPE: i64 = 16;

/// Returns the kind of error and its description, or `None` if this is no part of `std::terminate`.
pub fn why_terminated(machine: &mut Machine<'_>) -> Option<(ErrorKind, String)> {
    let frames = machine.frames_of(machine.running);
    let program = machine.program;
    let name = |n: usize| {
        frames
            .get(n)
            .map(|f| program.info(f.function).name.as_str())
    };
    let is = |n: usize, names: &[&str]| name(n).is_some_and(|name| names.contains(&name));
    let mut at =
        (0..frames.len()).find(|&n| is(n, &TERMINATE) || is(n, &["__impasse_uncaught"]))?;
    while is(at, &TERMINATE) || is(at, &[FAILED]) {
        at += 1;
    }
    let thrown = thrown_type(machine);
    let what = match &thrown {
        Some(name) => format!("an exception of type {name}"),
        None => "an exception".to_owned(),
    };
    if is(at, &THROW) && thrown.is_some() {
        // Of two faults at the same depth, Impasse reports the one whose frames still exist,
        // because its message sorts first.
        let after = match is(at, &["__impasse_uncaught"]) {
            true => " (the stack is unwound)",
            false => "",
        };
        return Some((
            ErrorKind::UncaughtException,
            format!("no handler catches {what}{after}"),
        ));
    }
    if is(at, &[LANDING])
        && let Some(frame) = frames.get(at + 1)
    {
        let inlined = program.location(frame.function, frame.position);
        let function = match inlined.first() {
            Some(innermost) => &innermost.function,
            None => &program.info(frame.function).display_name,
        };
        // The optimiser finds that functions promise it which do not say so in the source.
        let is_nounwind = program.is_nounwind(frame.function);
        let text = match (is_nounwind, is_unwinding(machine)) {
            (true, false) => format!(
                "{what} leaves {function}, or a destructor that runs in it, which must not happen (noexcept)"
            ),
            (true, true) => format!(
                "{what} leaves {function}, or a destructor that runs in it, while another exception unwinds the stack"
            ),
            (false, _) => format!(
                "{what} leaves a destructor that another exception runs in {function} on its way out"
            ),
        };
        return Some((ErrorKind::Terminate, text));
    }
    Some((ErrorKind::Terminate, "std::terminate was called".into()))
}

/// What libc++abi knows of the running thread's exceptions.
fn exceptions(machine: &Machine<'_>) -> Option<Address> {
    let globals = machine.program.globals();
    let locals = &machine.threads[machine.running].locals;
    let &(_, object) = locals.iter().find(|(global, _)| {
        let info = &globals[*global as usize];
        info.name.contains("10__cxxabiv1") && info.name.contains("eh_globals")
    })?;
    Some(Address::of(object))
}

/// Whether an exception was thrown that nothing has caught yet.
fn is_unwinding(machine: &mut Machine<'_>) -> bool {
    let Some(mut address) = exceptions(machine) else {
        return false;
    };
    address.offset += i64::from(machine.program.pointer().bytes());
    let word = Word::pointer(address.bits());
    match machine.memory.check(word, address, 4, Access::Read) {
        Ok(spot) => machine.load_checked(Scalar::Integer(32), spot).low.bits > 0,
        Err(_) => false,
    }
}

/// The name of the type of the exception that was caught last.
fn thrown_type(machine: &mut Machine<'_>) -> Option<String> {
    let address = exceptions(machine)?;
    let caught = pointer_at(machine, address)?;
    let mut header = Address::from_bits(caught.bits);
    header.offset += EXCEPTION_TYPE;
    let ty = pointer_at(machine, header)?;
    let ObjectKind::Global(index) = Address::from_bits(ty.bits).object.kind() else {
        return None;
    };
    let name = &machine.program.globals().get(index as usize)?.display_name;
    Some(
        name.strip_prefix("typeinfo for ")
            .unwrap_or(name)
            .to_owned(),
    )
}

fn pointer_at(machine: &mut Machine<'_>, address: Address) -> Option<Word> {
    let word = Word::pointer(address.bits());
    let spot = machine.memory.check(word, address, 8, Access::Read).ok()?;
    let Value { low, .. } = machine.load_checked(Scalar::Pointer, spot);
    let object = Address::from_bits(low.bits).object;
    (low.is_defined() && object != ObjectId::NULL).then_some(low)
}
