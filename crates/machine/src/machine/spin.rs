//! Which loops of the program are spin loops, as far as threads have come to them.
//!
//! The argument is in `docs/internals/spin-loops.md`.

use crate::machine::builtin::Builtin;
use impasse_program::link::{BuiltinId, FunctionId, Program};
use impasse_program::spin::{Harmless, SpinLoop};
use std::sync::OnceLock;

/// Functions of the machine by which a program reads inputs, but for random bytes, which each
/// program can read that opens files.
const INPUTS: [&str; 3] = [
    "__impasse_choose",
    "__impasse_choose_range",
    "__impasse_choose_upper_half",
];

/// Functions of the machine that never block and do nothing but return a number.
const HARMLESS: [&str; 1] = ["sched_yield"];

/// Returns whether a program can read inputs other than random bytes.
pub fn reads_inputs(program: &Program) -> bool {
    let mut names = program.builtins().iter().map(|(_, name)| name.as_str());
    names.any(|name| INPUTS.contains(&name))
}

/// The spin loops of a program's own functions.
pub struct SpinLoops {
    known: Vec<OnceLock<Vec<SpinLoop>>>,
}

impl SpinLoops {
    /// Returns the spin loops of a program, none of which is known yet.
    pub fn new(program: &Program) -> SpinLoops {
        let functions = program.functions() as usize;
        SpinLoops {
            known: (0..functions).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the spin loops of a function. `is_plain` says whether a call of a function does no
    /// more than its body.
    pub fn of(
        &self,
        program: &Program,
        function: FunctionId,
        is_plain: &dyn Fn(FunctionId) -> bool,
    ) -> &[SpinLoop] {
        if !program.is_users(program.info(function).unit) {
            return &[];
        }
        let harmless = Harmless {
            function: is_plain,
            builtin: &|id: BuiltinId| HARMLESS.contains(&Builtin::from_id(id).name()),
        };
        let known = &self.known[function.0 as usize];
        known.get_or_init(|| program.spin_loops(function, &harmless))
    }
}
