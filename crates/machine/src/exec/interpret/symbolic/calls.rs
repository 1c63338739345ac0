//! Calls with values that depend on inputs which are followed symbolically.

use crate::base::fault::{Result, unsupported};
use crate::exec::interpret::Flow;
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::value::Value;
use crate::value::symbolic::term_of;
use impasse_program::instruction::{Argument, CallSiteId, Callee, Instruction as I, Scalar};
use impasse_program::link::Target;
use impasse_program::word::Word;
use smallvec::SmallVec;

/// The machine's functions that take terms, each with those of its parameters that may be one.
const TAKE_TERMS: [(&str, &[usize]); 10] = [
    ("__impasse_sleep_until", &[0]),
    ("__impasse_time_after", &[0]),
    ("__impasse_assume", &[0]),
    ("__impasse_exit", &[0]),
    ("pthread_create", &[3]),
    ("pthread_exit", &[0]),
    ("malloc", &[0]),
    ("__libc_malloc", &[0]),
    ("calloc", &[0, 1]),
    ("__libc_calloc", &[0, 1]),
];

impl<'s> Machine<'s> {
    /// A call: terms are passed to functions, but to few of the machine's.
    pub(super) fn call_with_terms(&mut self, instruction: &'s I, site: CallSiteId) -> Result<Flow> {
        let call = &self.at.function.body.sites[site.0 as usize];
        if let Callee::Address(operand) = call.callee
            && !self.read(operand).term.is_none()
        {
            let callee = self.read(operand);
            return self.with_numbers(instruction, |word| word == callee);
        }
        match self.target(site)? {
            Target::Builtin(id) => {
                let builtin = Builtin::from_id(id);
                let taken = TAKE_TERMS.iter().find(|(name, _)| *name == builtin.name());
                let taken = taken.iter().flat_map(|(_, indices)| indices.iter());
                let taken = taken.filter_map(|&index| call.arguments.get(index));
                let taken: SmallVec<[Word; 2]> =
                    taken.map(|argument| self.read(argument.value)).collect();
                if !["pthread_create", "pthread_exit"].contains(&builtin.name()) {
                    let words = taken.iter().filter(|word| !word.term.is_none());
                    words
                        .into_iter()
                        .try_for_each(|word| self.check_defined(term_of(word.term)))?;
                }
                let takes = |word: Word| taken.contains(&word) && !word.pointer;
                self.with_numbers(instruction, |word| !takes(word))
            }
            Target::Function(id) if self.only_prints(id, call)? => {
                self.print_terms(instruction, call)
            }
            Target::Function(id) => {
                let fixed = self.program.info(id).signature.parameters.len();
                let in_memory = |(n, argument): (usize, &Argument)| {
                    let is_address = self.read(argument.value).pointer;
                    (argument.by_value.is_some() || n >= fixed && is_address)
                        .then(|| self.read(argument.value))
                };
                let arguments = call.arguments.iter().enumerate();
                let to_memory: SmallVec<[Word; 2]> = arguments.filter_map(in_memory).collect();
                self.with_numbers(instruction, |word| to_memory.contains(&word))
            }
            _ => self.instruction(instruction),
        }
    }

    /// Whether a value that is a term is not zero, as a number of 32 bits.
    #[cold]
    pub(in crate::exec) fn truth_of_term(&self, value: Value, scalar: Scalar) -> Result<Word> {
        let term = match scalar.words() {
            1 => self.as_term(value.low, scalar.bits()),
            _ => None,
        };
        let Some(term) = term else {
            return unsupported("a condition that depends on an input in an unusual way");
        };
        let terms = self.terms();
        Ok(self.of_term(terms.with(|terms| {
            let holds = terms.differ(term, terms.constant(0, terms.width(term)));
            terms.zero_extend(holds, 32)
        })))
    }
}
