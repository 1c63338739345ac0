//! Arithmetic, where the language defines the result and where it does not.
//!
//! What an undefined operation gives is a variable of its own, so that a proof holds whatever the
//! machine makes of it: an overflow that wraps around, as in a program that is compiled without
//! optimisation, or does anything else; a shift that is masked or not; a division by zero that ends
//! the program, or gives some number. The path goes on in any case, so that no loop is said to end
//! because of it. Whatever is computed from such a value, and whether it is less than another, is a
//! variable as well: even without optimisation, compilers take `x + 1 > x` for true, and `2 * x /
//! 2` for `x`.

use super::Executor;
use super::execute::Frame;
use super::state::{Base, State, Val};
use crate::concolic::replay::arithmetic::{compare, compute, of_program, undefined_where};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Instruction, Intrinsic, Range, Scalar, Slot,
};
use impasse_solver::{Node, Term, Test};

impl Executor<'_, '_> {
    pub(super) fn binary(
        &mut self,
        frame: &Frame<'_>,
        state: &mut State,
        instruction: &Instruction,
        place: CodePlace,
    ) {
        let Instruction::Binary {
            operation,
            scalar,
            poison_flags,
            destination,
            left,
            right,
        } = instruction
        else {
            unreachable!("only arithmetic comes here");
        };
        let one = self.read_operand(frame, state, *left, *scalar);
        let other = self.read_operand(frame, state, *right, *scalar);
        let (left, right) = (one.term, other.term);
        let terms = self.terms;
        let checked = frame.users && poison_flags.no_signed_wrap;
        let exact = terms.binary(of_program(*operation), left, right);
        let mut undefined = self.either_poison(one, other);
        for (condition, kind) in undefined_where(terms, *operation, checked, left, right) {
            if !self.is_harmless(state, *operation, left, right) && !terms.is_false(condition) {
                let line = self.own_line(place);
                self.hazards.insert((line, kind));
                let before = undefined.unwrap_or_else(|| terms.boolean(false));
                undefined = Some(terms.or(before, condition));
            }
        }
        let result = self.poisoned(Val::of(exact), undefined);
        self.set(state, *destination, result);
    }

    /// When one of two values comes from an undefined operation.
    fn either_poison(&self, one: Val, other: Val) -> Option<Term> {
        match (one.poison, other.poison) {
            (Some(a), Some(b)) => Some(self.terms.or(a, b)),
            (one, other) => one.or(other),
        }
    }

    /// A value, but anything where what it is computed from comes from an undefined operation.
    pub(super) fn poisoned(&mut self, exact: Val, poison: Option<Term>) -> Val {
        let poison = poison.filter(|&poison| !self.terms.is_false(poison));
        let Some(undefined) = poison else {
            return exact;
        };
        Val {
            term: self.unless(undefined, exact.term),
            poison,
            ..exact
        }
    }

    /// A term, or anything where a condition holds.
    fn unless(&mut self, undefined: Term, exact: Term) -> Term {
        if self.terms.is_false(undefined) {
            return exact;
        }
        let any = self.fresh(self.terms.width(exact));
        if let Node::Symbol(symbol) = self.terms.node(any) {
            self.undefined.insert(symbol, exact);
        }
        self.terms.choose(undefined, any, exact)
    }

    /// Whether what is known of the state rules an overflow out at once: one more than what is less
    /// than something, or one less than what is greater.
    fn is_harmless(&self, state: &State, operation: BinaryOperation, a: Term, b: Term) -> bool {
        let terms = self.terms;
        let (mask, one) = (u128::MAX >> (128 - terms.width(a)), 1);
        let up = match (operation, terms.as_constant(a), terms.as_constant(b)) {
            (BinaryOperation::Add, None, Some(number)) if number == one => true,
            (BinaryOperation::Add, None, Some(number)) if number == mask => false,
            (BinaryOperation::Subtract, None, Some(number)) if number == one => false,
            (BinaryOperation::Subtract, None, Some(number)) if number == mask => true,
            _ => return false,
        };
        state.path.iter().any(|&known| match terms.node(known) {
            Node::Test(Test::SignedLess, x, y) => a == if up { x } else { y },
            _ => false,
        })
    }

    pub(super) fn compare_values(
        &mut self,
        frame: &Frame<'_>,
        state: &mut State,
        instruction: &Instruction,
    ) {
        let Instruction::Compare {
            comparison,
            scalar,
            destination,
            left,
            right,
        } = instruction
        else {
            unreachable!("only comparisons come here");
        };
        let left = self.read_operand(frame, state, *left, *scalar);
        let right = self.read_operand(frame, state, *right, *scalar);
        let with_null = match scalar.is_pointer() {
            true => self.compare_with_null(left, right),
            false => None,
        };
        let term = match (comparison, with_null) {
            (Comparison::Equal, Some(is_null)) => is_null,
            (Comparison::NotEqual, Some(is_null)) => self.terms.not(is_null),
            _ => compare(self.terms, *comparison, left.term, right.term),
        };
        // A compiler may decide a comparison without the value: `x < x + 1` always holds, or `x +
        // 1` overflows.
        let poison = self.either_poison(left, right);
        let term = self.poisoned(Val::of(term), poison).term;
        self.set(state, *destination, Val::of(term));
    }

    /// Whether an address in an object is null, where that is plain.
    fn compare_with_null(&mut self, one: Val, other: Val) -> Option<Term> {
        let is_null = |value: Val| self.terms.as_constant(value.term) == Some(0);
        let address = match (is_null(one), is_null(other)) {
            (true, false) => other,
            (false, true) => one,
            _ => return None,
        };
        let Base::Object(object) = address.base else {
            return None;
        };
        let offset = self.offset(address.term, object);
        self.terms
            .as_constant(offset)
            .filter(|&offset| offset < 1 << 15)?;
        let made = self.is_not_null(address.term);
        Some(self.terms.not(made))
    }

    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Val,
    ) -> Val {
        use Conversion as C;
        let width = to.bits().min(64) as u8;
        if from.words() > 1 {
            return self.anything(width);
        }
        let zeros = self.terms.resize_unsigned(value.term, width);
        let converted = match conversion {
            C::SignExtend => Val::of(self.terms.resize_signed(value.term, width)),
            C::Truncate | C::ZeroExtend => Val::of(zeros),
            // A number that is an address keeps what is known of it.
            C::PointerToInteger | C::IntegerToPointer => Val::at(zeros, value.base),
            _ => self.anything(width),
        };
        self.poisoned(converted, value.poison)
    }

    pub(super) fn compute(
        &mut self,
        frame: &Frame<'_>,
        state: &mut State,
        (intrinsic, scalar): (Intrinsic, Scalar),
        destination: Slot,
        arguments: Range,
    ) {
        let operands = frame.function.body.operands_in(arguments);
        let values: Vec<Val> = operands
            .iter()
            .map(|&operand| self.read_operand(frame, state, operand, scalar))
            .collect();
        let poison = values.iter().copied().reduce(|one, other| Val {
            poison: self.either_poison(one, other),
            ..one
        });
        let poison = poison.and_then(|value| value.poison);
        let values: Vec<Term> = values.iter().map(|value| value.term).collect();
        let results = match scalar {
            Scalar::Integer(width) => compute(self.terms, intrinsic, &values, width),
            _ => None,
        };
        match results {
            Some(results) => {
                for (index, term) in (0u32..).zip(results) {
                    let result = self.poisoned(Val::of(term), poison);
                    self.set(state, Slot(destination.0 + index), result);
                }
            }
            None => self.set_anything(state, (destination, intrinsic.result_words(scalar))),
        }
    }

    /// One value or another.
    pub(super) fn choose(&mut self, condition: Term, yes: Val, no: Val) -> Val {
        let terms = self.terms;
        if yes == no || terms.is_true(condition) {
            return yes;
        }
        if terms.is_false(condition) {
            return no;
        }
        let base = self.common_base(yes, no);
        let poison = match (yes.poison, no.poison) {
            (None, None) => None,
            (yes, no) => {
                let or_not = |poison: Option<Term>| poison.unwrap_or_else(|| terms.boolean(false));
                Some(terms.choose(condition, or_not(yes), or_not(no)))
            }
        };
        let (yes, no) = self.alike(yes.term, no.term);
        let term = terms.choose(condition, yes, no);
        Val { term, base, poison }
    }

    /// Two terms with the same width: bits above a term are zero, and constants are as narrow as
    /// they can be.
    pub(super) fn alike(&self, one: Term, other: Term) -> (Term, Term) {
        let terms = self.terms;
        let (a, b) = (terms.width(one), terms.width(other));
        let narrow = |term: Term, width: u8| {
            let fits = terms
                .as_constant(term)
                .is_some_and(|value| value >> width == 0);
            fits.then(|| terms.resize_unsigned(term, width))
        };
        if a > b
            && let Some(one) = narrow(one, b)
        {
            return (one, other);
        }
        if b > a
            && let Some(other) = narrow(other, a)
        {
            return (one, other);
        }
        let width = a.max(b);
        (
            terms.resize_unsigned(one, width),
            terms.resize_unsigned(other, width),
        )
    }
}
