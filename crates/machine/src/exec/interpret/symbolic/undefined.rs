//! Instructions on terms with undefined bytes. One variable, which is no input, stands for all of
//! these bytes.

use crate::base::fault::{Result, unsupported};
use crate::exec::interpret::symbolic::leaves;
use crate::machine::Machine;
use crate::value::symbolic::{InputId, Substitute, term_of};
use impasse_program::instruction::{Comparison, Instruction as I};
use impasse_program::word::Word;
use impasse_solver::Term;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Values that undefined bytes may have.
const BYTES: [u64; 2] = [0, 0xff];

impl<'s> Machine<'s> {
    /// Fails where undefined bytes could cancel each other.
    pub(super) fn check_undefined_bytes(&self, instruction: &I) -> Result<()> {
        let most = match instruction {
            I::Compare { scalar, .. } if scalar.words() == 1 => return Ok(()),
            I::Compare { .. } | I::FloatCompare { .. } | I::Switch { .. } | I::Freeze { .. } => 0,
            I::Binary { .. } | I::Compute { .. } | I::Float { .. } => 1,
            _ => return Ok(()),
        };
        let mut found: SmallVec<[Term; 2]> = SmallVec::new();
        instruction.for_each_operand(&self.at.function.body, |operand, words| {
            let second = (words == 2).then(|| operand.second());
            for operand in [operand].into_iter().chain(second) {
                let word = self.read(operand);
                if self.has_undefined_bytes(word) {
                    found.push(term_of(word.term));
                }
            }
        });
        match found.get(most) {
            Some(&term) => self.check_defined(term),
            None => Ok(()),
        }
    }

    /// Whether a word is a term with undefined bytes.
    pub(super) fn has_undefined_bytes(&self, word: Word) -> bool {
        !word.term.is_none() && self.terms().mentions_undefined(term_of(word.term))
    }

    /// The result of a comparison of which an operand has undefined bytes: it is undefined for
    /// inputs with which two values of these bytes compare differently. Fails for others, with
    /// which further values may do so.
    #[cold]
    pub(super) fn compare_undefined_bytes(
        &mut self,
        comparison: Comparison,
        width: u32,
        left: Word,
        right: Word,
    ) -> Result<Word> {
        let operands = self.as_term(left, width).zip(self.as_term(right, width));
        if let Some((a, b)) = operands {
            let [a, b] = [a, b].map(|term| self.with_bytes(term));
            let terms = self.terms();
            let outcomes: SmallVec<[Term; 4]> = a
                .into_iter()
                .flat_map(|a| b.map(|b| terms.on(|v| leaves::compare(v, comparison, a, b))))
                .collect();
            let differ = terms.with(|terms| {
                let all = terms.all(&outcomes);
                terms.and(terms.any(&outcomes), terms.not(all))
            });
            if self.decide(differ)? {
                return Ok(Word::undefined(1));
            }
        }
        unsupported("using bytes at once of which some are of inputs and others undefined")
    }

    /// A term with two values of its undefined bytes.
    fn with_bytes(&self, term: Term) -> [Term; 2] {
        BYTES.map(|byte| {
            let byte = Substitute::Number(byte);
            let map = FxHashMap::from_iter([(InputId::UNDEFINED, byte)]);
            self.terms().substitute(term, &map)
        })
    }
}
