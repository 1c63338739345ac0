//! Values that are computed from others: arithmetic, comparisons, conversions, choices, and the intrinsics that are one of these.
//!
//! What a term can say is a term; where the operation is undefined, a condition says that it is not there on the path.

use super::{ForkKind, Replay};
use crate::concolic::shadow::{Shadow, Value};
use crate::concolic::trace::Known;
use crate::problem::{HazardKind, Overflow};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Intrinsic, Operand, PoisonFlags, Range, Scalar, Slot,
};
use impasse_solver::{Binary, Term, Terms, Test};

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

    pub(super) fn index(
        &mut self,
        destination: Slot,
        base: Operand,
        index: Operand,
        width: u8,
        scale: u64,
        known: Known,
    ) {
        let (base, index) = (self.word(base), self.word(index));
        let shadow = self.of_two(&base, 64, &index, width, |terms, base, index| {
            let scale = terms.constant(u128::from(scale), 64);
            let distance = terms.multiply(terms.resize_signed(index, 64), scale);
            terms.add(base, distance)
        });
        self.assign(destination, known, shadow);
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

    #[allow(clippy::too_many_arguments, reason = "the fields of one instruction")]
    pub(super) fn binary(
        &mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        poison_flags: PoisonFlags,
        destination: Slot,
        left: Vec<Value>,
        right: Vec<Value>,
        known: &[Known],
    ) {
        if left.len() > 1 {
            let values = [left, right].concat();
            return self.wide_binary(operation, destination, known, &values);
        }
        let width = scalar.bits() as u8;
        let hazards = self.hazards(operation, poison_flags, width, &left[0], &right[0]);
        for (term, kind) in hazards {
            self.fork(term, ForkKind::Hazard(kind));
        }
        let shadow = self.of_two(&left[0], width, &right[0], width, |terms, a, b| {
            terms.binary(of_program(operation), a, b)
        });
        self.assign(destination, known[0], shadow);
    }

    /// Arithmetic on more than 64 bits: what could go wrong with it is not followed.
    fn wide_binary(
        &mut self,
        operation: BinaryOperation,
        destination: Slot,
        known: &[Known],
        values: &[Value],
    ) {
        let harmless = matches!(
            operation,
            BinaryOperation::And | BinaryOperation::Or | BinaryOperation::Xor
        );
        if !harmless && values.iter().any(|value| !value.is_concrete()) {
            for value in values {
                self.decide(value);
            }
        }
        self.assign_opaque(destination, known, values);
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
        let checked = self.frames.last().expect("a frame").users
            && self.overflow == Overflow::Undefined
            && poison_flags.no_signed_wrap;
        if !can_be_undefined(operation, checked) {
            return Vec::new();
        }
        let (Some(a), Some(b)) = (self.term_of(left, width), self.term_of(right, width)) else {
            self.decide(left);
            self.decide(right);
            return Vec::new();
        };
        undefined_where(self.terms, operation, checked, a, b)
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        destination: Slot,
        left: Vec<Value>,
        right: Vec<Value>,
        known: &[Known],
    ) {
        let width = scalar.bits() as u8;
        let shadow = match left.len() {
            1 => self.of_two(&left[0], width, &right[0], width, |terms, a, b| {
                compare(terms, comparison, a, b)
            }),
            _ => self.opaque(left.iter().chain(&right)),
        };
        self.assign(destination, known[0], shadow);
    }

    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        source: Operand,
        known: &[Known],
    ) {
        use Conversion as C;
        let values = self.words(source, from);
        let integral = matches!(
            conversion,
            C::Truncate | C::ZeroExtend | C::SignExtend | C::PointerToInteger | C::IntegerToPointer
        );
        if !integral || from.words() > 1 || to.words() > 1 {
            return self.assign_opaque(destination, known, &values);
        }
        let is_address = matches!(conversion, C::PointerToInteger | C::IntegerToPointer);
        if is_address && (from == Scalar::Pointer32 || to == Scalar::Pointer32) {
            // Which number an address has, no term says.
            self.pin(&values[0], from.bits() as u8);
            return self.assign(destination, known[0], Shadow::Concrete);
        }
        let (from, to) = (from.bits() as u8, to.bits() as u8);
        let shadow = match self.symbolic_term(&values[0], from) {
            Ok(term) if conversion == C::SignExtend => {
                Shadow::Term(self.terms.resize_signed(term, to))
            }
            Ok(term) => Shadow::Term(self.terms.resize_unsigned(term, to)),
            Err(shadow) => shadow,
        };
        self.assign(destination, known[0], shadow);
    }

    pub(super) fn select(
        &mut self,
        scalar: Scalar,
        destination: Slot,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
        known: &[Known],
    ) {
        let chooser = self.word(condition);
        let (yes, no) = (self.words(then, scalar), self.words(otherwise, scalar));
        for index in 0..yes.len() {
            let width = match index {
                0 => scalar.bits().min(64) as u8,
                _ => (scalar.bits() - 64) as u8,
            };
            let shadow = match (chooser.is_concrete(), self.term_of(&chooser, 1)) {
                (true, _) if chooser.known.bits & 1 == 1 => yes[index].shadow.clone(),
                (true, _) => no[index].shadow.clone(),
                (_, Some(condition)) => {
                    let yes_term = self.term_of(&yes[index], width);
                    match (yes_term, self.term_of(&no[index], width)) {
                        (Some(a), Some(b)) => Shadow::Term(self.terms.choose(condition, a, b)),
                        _ => self.opaque([&chooser, &yes[index], &no[index]]),
                    }
                }
                (_, None) => self.opaque([&chooser, &yes[index], &no[index]]),
            };
            self.assign(Slot(destination.0 + index as u32), known[index], shadow);
        }
    }

    pub(super) fn repack(
        &mut self,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        arguments: Range,
        known: &[Known],
    ) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(arguments);
        let values: Vec<Value> = operands
            .iter()
            .flat_map(|&operand| self.words(operand, from))
            .collect();
        if from.words() == 1 && to.words() == 1 && from.bits() == to.bits() {
            for (index, value) in values.into_iter().enumerate() {
                let slot = Slot(destination.0 + index as u32);
                self.assign(slot, known[index], value.shadow);
            }
            return;
        }
        self.assign_opaque(destination, known, &values);
    }

    pub(super) fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
        known: &[Known],
    ) {
        let function = self.frames.last().expect("a frame").function;
        let operands = function.body.operands_in(arguments);
        let mut values = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
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
        match terms.and_then(|arguments| compute(self.terms, intrinsic, &arguments, width)) {
            Some(results) => {
                for (index, result) in results.into_iter().enumerate() {
                    let slot = Slot(destination.0 + index as u32);
                    self.assign(slot, known[index], Shadow::Term(result));
                }
            }
            None => self.assign_opaque(destination, known, &values),
        }
    }
}

/// Whether an operation is undefined for some operands; `checked` says that overflow with sign counts.
fn can_be_undefined(operation: BinaryOperation, checked: bool) -> bool {
    use BinaryOperation as Op;
    match operation {
        Op::Add | Op::Subtract | Op::Multiply => checked,
        Op::And | Op::Or | Op::Xor => false,
        _ => true,
    }
}

/// The conditions under which an operation is undefined.
pub(crate) fn undefined_where(
    terms: &Terms,
    operation: BinaryOperation,
    checked: bool,
    a: Term,
    b: Term,
) -> Vec<(Term, HazardKind)> {
    use BinaryOperation as Op;
    if !can_be_undefined(operation, checked) {
        return Vec::new();
    }
    let width = terms.width(a);
    let mut found = Vec::new();
    let overflow = match operation {
        Op::Add => Some(Test::SignedAddOverflow),
        Op::Subtract => Some(Test::SignedSubtractOverflow),
        Op::Multiply => Some(Test::SignedMultiplyOverflow),
        _ => None,
    };
    if let Some(test) = overflow {
        found.push((terms.test(test, a, b), HazardKind::Overflow));
    }
    if matches!(
        operation,
        Op::UnsignedDivide | Op::UnsignedRemainder | Op::SignedDivide | Op::SignedRemainder
    ) {
        let zero = terms.equal(b, terms.constant(0, width));
        found.push((zero, HazardKind::DivisionByZero));
    }
    if matches!(operation, Op::SignedDivide | Op::SignedRemainder) {
        let least = terms.equal(a, terms.constant(1 << (width - 1), width));
        let minus_one = terms.equal(b, terms.constant(!0, width));
        found.push((terms.and(least, minus_one), HazardKind::DivisionOverflow));
    }
    if matches!(
        operation,
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight
    ) {
        let most = terms.constant(u128::from(width) - 1, width);
        found.push((terms.test(Test::UnsignedLess, most, b), HazardKind::Shift));
    }
    if operation == Op::ShiftLeft && checked {
        let shifted = terms.binary(Binary::ShiftLeft, a, b);
        let back = terms.binary(Binary::ArithmeticShiftRight, shifted, b);
        found.push((terms.differ(back, a), HazardKind::Overflow));
    }
    found
}

pub(crate) fn of_program(operation: BinaryOperation) -> Binary {
    use BinaryOperation as Op;
    match operation {
        Op::Add => Binary::Add,
        Op::Subtract => Binary::Subtract,
        Op::Multiply => Binary::Multiply,
        Op::UnsignedDivide => Binary::UnsignedDivide,
        Op::SignedDivide => Binary::SignedDivide,
        Op::UnsignedRemainder => Binary::UnsignedRemainder,
        Op::SignedRemainder => Binary::SignedRemainder,
        Op::ShiftLeft => Binary::ShiftLeft,
        Op::LogicalShiftRight => Binary::LogicalShiftRight,
        Op::ArithmeticShiftRight => Binary::ArithmeticShiftRight,
        Op::And => Binary::And,
        Op::Or => Binary::Or,
        Op::Xor => Binary::Xor,
    }
}

pub(crate) fn compare(terms: &Terms, comparison: Comparison, a: Term, b: Term) -> Term {
    match comparison {
        Comparison::Equal => terms.equal(a, b),
        Comparison::NotEqual => terms.differ(a, b),
        Comparison::UnsignedGreater => terms.test(Test::UnsignedLess, b, a),
        Comparison::UnsignedGreaterEqual => terms.test(Test::UnsignedLessEqual, b, a),
        Comparison::UnsignedLess => terms.test(Test::UnsignedLess, a, b),
        Comparison::UnsignedLessEqual => terms.test(Test::UnsignedLessEqual, a, b),
        Comparison::SignedGreater => terms.test(Test::SignedLess, b, a),
        Comparison::SignedGreaterEqual => terms.test(Test::SignedLessEqual, b, a),
        Comparison::SignedLess => terms.test(Test::SignedLess, a, b),
        Comparison::SignedLessEqual => terms.test(Test::SignedLessEqual, a, b),
    }
}

/// What a function without effects gives, where terms can say it. Values that it does not define are not asked for: the machine has found
/// the result defined.
pub(crate) fn compute(
    terms: &Terms,
    intrinsic: Intrinsic,
    a: &[Term],
    width: u8,
) -> Option<Vec<Term>> {
    use Intrinsic as F;
    let less = |test, x, y| terms.test(test, x, y);
    let overflow = |operation, test| {
        Some(vec![
            terms.binary(operation, a[0], a[1]),
            terms.test(test, a[0], a[1]),
        ])
    };
    match intrinsic {
        F::SignedMinimum => Some(vec![terms.choose(
            less(Test::SignedLess, a[0], a[1]),
            a[0],
            a[1],
        )]),
        F::SignedMaximum => Some(vec![terms.choose(
            less(Test::SignedLess, a[1], a[0]),
            a[0],
            a[1],
        )]),
        F::UnsignedMinimum => Some(vec![terms.choose(
            less(Test::UnsignedLess, a[0], a[1]),
            a[0],
            a[1],
        )]),
        F::UnsignedMaximum => Some(vec![terms.choose(
            less(Test::UnsignedLess, a[1], a[0]),
            a[0],
            a[1],
        )]),
        F::SignedAddOverflow => overflow(Binary::Add, Test::SignedAddOverflow),
        F::UnsignedAddOverflow => overflow(Binary::Add, Test::UnsignedAddOverflow),
        F::SignedSubtractOverflow => overflow(Binary::Subtract, Test::SignedSubtractOverflow),
        F::UnsignedSubtractOverflow => overflow(Binary::Subtract, Test::UnsignedLess),
        F::SignedMultiplyOverflow => overflow(Binary::Multiply, Test::SignedMultiplyOverflow),
        F::UnsignedMultiplyOverflow => overflow(Binary::Multiply, Test::UnsignedMultiplyOverflow),
        F::SwapBytes => {
            let bytes = (0..width / 8).map(|n| terms.extract(a[0], n * 8, 8));
            let joined = bytes.reduce(|high, low| terms.concatenate(high, low));
            Some(vec![joined?])
        }
        _ => None,
    }
}
