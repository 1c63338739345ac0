//! Operands that become numbers: the execution forks for each value that one may have, and the same
//! instruction is executed next.

use crate::base::fault::Result;
use crate::exec::interpret::Flow;
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::state::canonical::{known_inputs, put_in_memory};
use crate::value::symbolic::Substitute;
use impasse_program::instruction::{Instruction as I, Operand};
use impasse_program::link::Target;
use impasse_program::word::Word;
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    /// Executes an instruction with numbers instead of the terms among its operands that `which`
    /// accepts; if there are several numbers, it is executed next.
    pub(super) fn with_numbers(
        &mut self,
        instruction: &'s I,
        which: impl Fn(Word) -> bool,
    ) -> Result<Flow> {
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        instruction.for_each_operand(&self.at.function.body, |operand, words| {
            operands.push(operand);
            if words == 2 {
                operands.push(operand.second());
            }
        });
        let mut splits = false;
        let mut numbers: SmallVec<[(Word, Word); 4]> = SmallVec::new();
        for operand in operands {
            let word = self.read(operand);
            let is_new = numbers.iter().all(|(of, _)| *of != word);
            if !word.term.is_none() && is_new && which(word) {
                let (number, several) = self.concrete(word, &self.purpose(instruction))?;
                numbers.push((word, number));
                splits |= several;
            }
        }
        // A choice of a later operand executes the instruction again: until then, all are terms.
        for (word, number) in numbers {
            self.replace(word, number);
        }
        match splits {
            true => {
                self.put_known_inputs();
                Ok(Flow::Moved)
            }
            false => match self.decide_bounds(instruction)? {
                true => Ok(Flow::Moved),
                false => self.instruction(instruction),
            },
        }
    }

    /// Replaces inputs that have become numbers in the rest of the path condition, in the slots of
    /// the frames and in memory. It is no part of an instruction that can halt: what it has decided
    /// would be forgotten.
    pub(super) fn put_known_inputs(&mut self) {
        let terms = self.terms();
        let map = known_inputs(terms, &self.symbolic.condition);
        if map.is_empty() {
            return;
        }
        let condition = &mut self.symbolic.condition;
        let mut conjuncts = Vec::new();
        for &(input, width) in &condition.inputs {
            if let Some(&Substitute::Number(number)) = map.get(&input) {
                let input = terms.input((input, width));
                conjuncts.push(
                    terms.with(|terms| terms.equal(input, terms.constant(number.into(), width))),
                );
            }
        }
        let old = std::mem::replace(&mut condition.conjuncts, conjuncts);
        for conjunct in old {
            let conjunct = terms.substitute(conjunct, &map);
            if !terms.with(|terms| terms.is_true(conjunct)) {
                condition.add(conjunct);
            }
        }
        for word in &mut self.stack.words {
            terms.substitute_word(word, &map);
        }
        put_in_memory(terms, map, &mut self.memory);
    }

    /// The slots of the frames that hold a word hold another one instead.
    pub(super) fn replace(&mut self, word: Word, by: Word) {
        for slot in &mut self.stack.words {
            if *slot == word {
                *slot = by;
            }
        }
    }

    /// What the operands of an instruction are for, in words.
    fn purpose(&self, instruction: &I) -> String {
        let what = match instruction {
            I::Call { site } => match self.target(*site) {
                Ok(Target::Builtin(id)) => {
                    return format!("an argument of {}", Builtin::from_id(id).name());
                }
                Ok(Target::Function(id)) => {
                    let name = &self.program.info(id).display_name;
                    return format!("an argument of {name}");
                }
                _ => "the function to call",
            },
            I::Float { .. } | I::FloatCompare { .. } => "floating-point arithmetic",
            I::Convert { .. } => "a conversion to or from a floating-point number",
            I::Allocate { .. } => "the size of a local array",
            I::CopyMemory { .. } | I::FillMemory { .. } => "an argument of a memory operation",
            I::IndirectJump { .. } => "the target of a jump",
            I::Store { .. } | I::Update { .. } | I::CompareExchange { .. } => {
                "an address in memory"
            }
            I::Compute { .. } => "an intrinsic operation",
            _ => "arithmetic",
        };
        what.into()
    }
}
