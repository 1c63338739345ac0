//! Values that are computed from others: arithmetic, comparisons, conversions, choices, and the
//! intrinsics that are one of these.
//!
//! What a term can say is a term; where the operation is undefined, a condition says that it is not
//! there on the path.

use super::{ForkKind, Replay};
use crate::concolic::shadow::{Shadow, Value};
use crate::problem::{HazardKind, Overflow};
use crate::vectors::{self, OnTerms};
use impasse_program::instruction::{
    BinaryOperation, Conversion, Intrinsic, Operand, PoisonFlags, Scalar,
};
use impasse_semantics::arithmetic::{can_be_undefined, checks_overflow, extension};
use impasse_semantics::domain::Arithmetic;
use impasse_semantics::vectors::Vectors;
use impasse_solver::{Term, Terms};

impl<'a, 's> Replay<'a, 's> {
    /// The term of a value that is not concrete, or the shadow of what is computed from it alone.
    pub(super) fn symbolic_term(&mut self, value: &Value, width: u8) -> Result<Term, Shadow> {
        if value.is_concrete() {
            return Err(Shadow::Concrete);
        }
        match self.term_of(value, width) {
            Some(term) => Ok(term),
            None => Err(self.opaque([value])),
        }
    }

    /// The shadow of what is computed from two values of these widths.
    pub(super) fn of_two(
        &mut self,
        a: &Value,
        a_width: u8,
        b: &Value,
        b_width: u8,
        make: impl FnOnce(&Terms, Term, Term) -> Term,
    ) -> Shadow {
        if a.is_concrete() && b.is_concrete() {
            return Shadow::Concrete;
        }
        match (self.term_of(a, a_width), self.term_of(b, b_width)) {
            (Some(a), Some(b)) => Shadow::Term(make(self.terms, a, b)),
            _ => self.opaque([a, b]),
        }
    }

    /// Arithmetic on scalars of one word; the path is one on which it is defined.
    pub(super) fn arithmetic(&mut self, of: Arithmetic, left: &Value, right: &Value) -> Value {
        let width = of.scalar.bits() as u8;
        for (term, kind) in self.hazards(of.operation, of.flags, width, left, right) {
            self.fork(term, ForkKind::Hazard(kind));
        }
        let shadow = self.of_two(left, width, right, width, |terms, a, b| {
            OnTerms(terms).arithmetic(of.operation, a, b)
        });
        Value::computed(shadow)
    }

    /// Arithmetic on more than 64 bits: what could go wrong with it is not followed.
    pub(super) fn wide_arithmetic(
        &mut self,
        operation: BinaryOperation,
        values: &[Value],
    ) -> Vec<Value> {
        let harmless = matches!(
            operation,
            BinaryOperation::And | BinaryOperation::Or | BinaryOperation::Xor
        );
        if !harmless && values.iter().any(|value| !value.is_concrete()) {
            for value in values {
                self.decide(value);
            }
        }
        self.opaque_words(values, 2)
    }

    /// The words of a result that no term says.
    pub(super) fn opaque_words(&self, of: &[Value], words: u32) -> Vec<Value> {
        let shadow = self.opaque(of);
        (0..words)
            .map(|_| Value::computed(shadow.clone()))
            .collect()
    }

    /// When an operation is undefined.
    pub(super) fn hazards(
        &mut self,
        operation: BinaryOperation,
        poison_flags: PoisonFlags,
        width: u8,
        left: &Value,
        right: &Value,
    ) -> Vec<(Term, HazardKind)> {
        if left.is_concrete() && right.is_concrete() {
            return Vec::new();
        }
        let reports =
            self.frames.last().expect("a frame").users && self.overflow == Overflow::Undefined;
        let checked = checks_overflow(poison_flags, reports);
        if !can_be_undefined(operation, checked) {
            return Vec::new();
        }
        let (Some(a), Some(b)) = (self.term_of(left, width), self.term_of(right, width)) else {
            self.decide(left);
            self.decide(right);
            return Vec::new();
        };
        let hazards = OnTerms(self.terms).hazards(operation, checked, a, b);
        let hazards = hazards.into_iter();
        hazards
            .map(|(term, hazard)| (term, hazard.into()))
            .collect()
    }

    /// Converts between types.
    pub(super) fn converted(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        values: &[Value],
    ) -> Vec<Value> {
        let Some(sign) = extension(conversion).filter(|_| from.words() == 1 && to.words() == 1)
        else {
            return self.opaque_words(values, to.words());
        };
        let shadow = match self.symbolic_term(&values[0], from.bits() as u8) {
            Ok(term) => {
                Shadow::Term(OnTerms(self.terms).resize(sign, term, from.bits(), to.bits()))
            }
            Err(shadow) => shadow,
        };
        vec![Value::computed(shadow)]
    }

    /// One of two values, word by word.
    pub(super) fn chosen(
        &mut self,
        scalar: Scalar,
        chooser: &Value,
        yes: &[Value],
        no: &[Value],
    ) -> Vec<Value> {
        let mut words = Vec::new();
        for (index, (yes, no)) in yes.iter().zip(no).enumerate() {
            let width = match index {
                0 => scalar.bits().min(64) as u8,
                _ => (scalar.bits() - 64) as u8,
            };
            let shadow = match (chooser.is_concrete(), self.term_of(chooser, 1)) {
                (true, _) if chooser.known.bits & 1 == 1 => yes.shadow.clone(),
                (true, _) => no.shadow.clone(),
                (_, Some(condition)) => {
                    let yes_term = self.term_of(yes, width);
                    match (yes_term, self.term_of(no, width)) {
                        (Some(a), Some(b)) => Shadow::Term(self.terms.choose(condition, a, b)),
                        _ => self.opaque([chooser, yes, no]),
                    }
                }
                (_, None) => self.opaque([chooser, yes, no]),
            };
            words.push(Value::computed(shadow));
        }
        words
    }

    /// The words of the results of an intrinsic.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Vec<Value> {
        let mut values = Vec::new();
        for (index, &operand) in arguments.iter().enumerate() {
            values.push(self.word(operand));
            if intrinsic.argument_words(index, scalar) == 2 {
                values.push(self.word(operand.second()));
            }
        }
        let width = scalar.bits() as u8;
        let followed = scalar.words() == 1 && values.iter().any(|value| !value.is_concrete());
        let terms: Option<Vec<Term>> = match followed {
            true => values
                .iter()
                .map(|value| self.term_of(value, width))
                .collect(),
            false => None,
        };
        let results = terms.and_then(|arguments| {
            vectors::compute(OnTerms(self.terms), intrinsic, &arguments, width)
        });
        match results {
            Some(results) => {
                let shadows = results.into_iter().map(Shadow::Term);
                shadows.map(Value::computed).collect()
            }
            None => self.opaque_words(&values, intrinsic.result_words(scalar)),
        }
    }
}
