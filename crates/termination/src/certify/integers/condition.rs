//! What conditions mean over integers: the inequalities that hold if they take the given path.

use super::{Known, NoReading, Read, Reader};
use crate::certificate::Index;
use crate::certify::table::{Entry, Operation};
use num_bigint::BigInt;
use num_traits::{One, Signed};

impl Reader<'_> {
    pub(super) fn need_at_most_zero(&mut self, known: &Known) -> Read<()> {
        if known.value.is_positive() {
            return Err(NoReading);
        }
        if !known.affine.is_constant() {
            self.needs.push(known.affine.clone());
        }
        Ok(())
    }

    /// Needs the first to be at most the second.
    pub(super) fn need_ordered(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_at_most_zero(&a.minus(b))
    }

    pub(super) fn need_less(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_at_most_zero(&a.minus(b).plus(&BigInt::one(), &Known::constant(1)))
    }

    fn need_equal(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_ordered(a, b)?;
        self.need_ordered(b, a)
    }

    /// Needs a condition to hold, or not to.
    pub(super) fn condition(&mut self, term: Index, wanted: bool) -> Read<()> {
        self.deeper(|reader| reader.condition_here(term, wanted))
    }

    fn condition_here(&mut self, term: Index, wanted: bool) -> Read<()> {
        match self.table.entries[term].0.clone() {
            Entry::Constant(value) => {
                if (value == 1) == wanted {
                    Ok(())
                } else {
                    Err(NoReading)
                }
            }
            Entry::Not(a) => self.condition(a, !wanted),
            Entry::Two(Operation::And, a, b) => self.both(a, b, wanted, true),
            Entry::Two(Operation::Or, a, b) => self.both(a, b, wanted, false),
            Entry::Two(Operation::Xor, a, b) => self.alike(a, b, !wanted),
            Entry::Two(Operation::Equal, a, b) if self.table.width(a) == 1 => {
                self.alike(a, b, wanted)
            }
            Entry::Two(operation, a, b) if operation.is_question() => {
                self.question(operation, a, b, wanted)
            }
            // What is left is arithmetic of single bits.
            Entry::Two(..) => Err(NoReading),
            Entry::Choose(c, a, b) => {
                let yes = self.holds(c)?;
                self.condition(c, yes)?;
                self.condition(if yes { a } else { b }, wanted)
            }
            _ => {
                let number = self.number(term)?;
                self.need_equal(&number, &Known::constant(u8::from(wanted)))
            }
        }
    }

    /// Conjunction or disjunction: what decides it is needed, all of it or the first part that
    /// does.
    fn both(&mut self, a: Index, b: Index, wanted: bool, conjunction: bool) -> Read<()> {
        if wanted == conjunction {
            self.condition(a, wanted)?;
            return self.condition(b, wanted);
        }
        let deciding = if self.holds(a) == Ok(wanted) { a } else { b };
        self.condition(deciding, wanted)
    }

    fn alike(&mut self, a: Index, b: Index, wanted: bool) -> Read<()> {
        let first = self.holds(a)?;
        self.condition(a, first)?;
        self.condition(b, first == wanted)
    }

    /// Whether a condition holds in the given state. Nothing is added.
    pub(super) fn holds(&mut self, term: Index) -> Read<bool> {
        let marks = (
            self.needs.len(),
            self.facts.len(),
            self.unknowns,
            self.values.clone(),
        );
        let mut answer = Err(NoReading);
        for wanted in [true, false] {
            if answer.is_err() && self.condition(term, wanted).is_ok() {
                answer = Ok(wanted);
            }
            self.needs.truncate(marks.0);
            self.facts.truncate(marks.1);
            self.unknowns = marks.2;
            self.values.clone_from(&marks.3);
        }
        answer
    }

    fn question(&mut self, operation: Operation, a: Index, b: Index, wanted: bool) -> Read<()> {
        use Operation::*;
        let without_sign = match operation {
            UnsignedLess | UnsignedLessEqual => true,
            SignedLess | SignedLessEqual => false,
            Equal => self.unsigned.contains(&a) || self.unsigned.contains(&b),
            _ if wanted => return Err(NoReading),
            _ => return Ok(()),
        };
        let (a, b) = if operation == Equal {
            (
                self.constant_as(a, without_sign)?,
                self.constant_as(b, without_sign)?,
            )
        } else {
            (
                self.operand(a, without_sign)?,
                self.operand(b, without_sign)?,
            )
        };
        match (operation, wanted) {
            (Equal, true) => self.need_equal(&a, &b),
            (Equal, false) if a.value < b.value => self.need_less(&a, &b),
            (Equal, false) => self.need_less(&b, &a),
            (UnsignedLess | SignedLess, true) => self.need_less(&a, &b),
            (UnsignedLess | SignedLess, false) => self.need_ordered(&b, &a),
            (_, true) => self.need_ordered(&a, &b),
            (_, false) => self.need_less(&b, &a),
        }
    }
}
