//! Whether an exception that leaves a call would run destructors.
//!
//! The landing pad of the call is followed as far as the exception is handled or handed on. What is
//! called on that path are destructors, but for the functions that end it and those that give
//! memory back. A pad that only ends the lives of variables calls nothing. The functions of other
//! languages than C++ have no destructors.

use crate::instruction::{Callee, Instruction, Position};
use crate::link::{FunctionId, Program, Target};
use rustc_hash::FxHashSet;

const CXX_PERSONALITY: &str = "__gxx_personality_v0";

/// Here a handler begins, the exception propagates, or the program ends.
const ENDS: [&str; 5] = [
    "__cxa_begin_catch",
    "_Unwind_Resume",
    "__clang_call_terminate",
    "_ZSt9terminatev",
    "__cxa_call_unexpected",
];

/// What else is no destructor: `operator delete` in its forms, and functions of the runtime.
const OTHERS: [&str; 5] = [
    "_Zdl",
    "_Zda",
    "__cxa_free_exception",
    "__cxa_guard_abort",
    "__cxa_end_catch",
];

impl Program {
    /// Returns whether an exception that arrives at `landing` in a function runs a destructor
    /// before it is handled there or propagates.
    pub fn runs_destructor(&self, function: FunctionId, landing: Position) -> bool {
        if self.personality_name(function) != Some(CXX_PERSONALITY) {
            return false;
        }
        let body = &self.function(function).body;
        let mut seen = FxHashSet::default();
        let mut open = vec![landing];
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let instruction = &body.code[at.0 as usize];
            if let Instruction::Call { site } = instruction {
                let name = match body.sites[site.0 as usize].callee {
                    Callee::Symbol(symbol) => self.name_of(self.target(function, symbol)),
                    Callee::Address(_) => None,
                };
                let name = name.unwrap_or_default();
                if ENDS.contains(&name) {
                    continue;
                }
                if !OTHERS.iter().any(|other| name.starts_with(other)) {
                    return true;
                }
            }
            instruction.for_each_successor(body, at, |next| open.push(next));
        }
        false
    }

    fn personality_name(&self, function: FunctionId) -> Option<&str> {
        let symbol = self.definition(function).personality?;
        self.name_of(self.target(function, symbol))
    }

    fn name_of(&self, target: Target) -> Option<&str> {
        match target {
            Target::Function(function) => Some(&self.info(function).name),
            Target::Builtin(builtin) => {
                let known = self.builtins().iter().find(|entry| entry.0 == builtin);
                known.map(|entry| entry.1.as_str())
            }
            Target::Missing(index) => self.missing().get(index as usize).map(String::as_str),
            Target::Global(..) | Target::Absent => None,
        }
    }
}
