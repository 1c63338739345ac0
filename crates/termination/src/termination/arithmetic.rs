//! Arithmetic, where the language defines the result and where it does not.
//!
//! What an undefined operation gives is a variable of its own, so that a proof holds whatever the
//! machine makes of it: an overflow that wraps around, as in a program that is compiled without
//! optimisation, or does anything else; a shift that is masked or not; a division by zero that ends
//! the program, or gives some number. The path continues in any case, so that no loop is said to
//! end because of it. Whatever is computed from such a value, and whether it is less than another,
//! is a variable as well: even without optimisation, compilers take `x + 1 > x` for true, and `2 *
//! x / 2` for `x`.

use super::Executor;
use super::ranges::is_impossible;
use super::state::{Base, Object, State, Val};
use crate::problem::{HazardKind, Overflow};
use crate::vectors::{self, OnTerms};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{BinaryOperation, Comparison, Conversion, Intrinsic, Scalar};
use impasse_semantics::arithmetic::{checks_overflow, extension};
use impasse_semantics::domain::Arithmetic;
use impasse_semantics::vectors::Vectors;
use impasse_solver::{Node, Term, Test};

impl Executor<'_, '_> {
    /// Arithmetic on scalars of one word, in code of the user or of a library.
    pub(super) fn arithmetic(
        &mut self,
        state: &State,
        of: Arithmetic,
        (one, other): (Val, Val),
        (users, place): (bool, CodePlace),
    ) -> Val {
        let (left, right) = (one.term, other.term);
        let terms = self.terms;
        let checked = checks_overflow(of.flags, users);
        let exact = OnTerms(terms).arithmetic(of.operation, left, right);
        let mut undefined = self.either_poison(one, other);
        let mut known: Vec<Term> = self.context.concat();
        known.extend(&state.path);
        for (condition, hazard) in OnTerms(terms).hazards(of.operation, checked, left, right) {
            let kind = HazardKind::from(hazard);
            if self.overflow == Overflow::Wraps && kind == HazardKind::Overflow {
                continue;
            }
            if !self.is_harmless(state, of.operation, left, right)
                && !is_impossible(terms, &known, condition)
            {
                let line = self.own_line(place);
                self.hazards.insert((line, kind));
                let before = undefined.unwrap_or_else(|| terms.boolean(false));
                undefined = Some(terms.or(before, condition));
            }
        }
        self.poisoned(Val::of(exact), undefined)
    }

    /// When one of two values comes from an undefined operation.
    fn either_poison(&self, one: Val, other: Val) -> Option<Term> {
        match (one.undefined(self.terms), other.undefined(self.terms)) {
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

    /// An address that no access finds its object by: anything where it wrapped around.
    pub(super) fn settled(&mut self, value: Val) -> Val {
        let exact = Val {
            wrapped: None,
            ..value
        };
        let Some(undefined) = value.wrapped.and_then(|_| value.undefined(self.terms)) else {
            return value;
        };
        match value.base {
            Base::Object(object) if !self.is_ilp32() && self.terms.width(value.term) == 64 => {
                self.settled_in(object, exact, undefined)
            }
            _ => self.poisoned(exact, Some(undefined)),
        }
    }

    /// The same, of an address in an object: anything is any distance from its start.
    fn settled_in(&mut self, object: Object, exact: Val, undefined: Term) -> Val {
        let terms = self.terms;
        if terms.is_false(undefined) {
            return exact;
        }
        let distance = self.distance(exact.term, object);
        let any = self.fresh(64);
        if let Node::Symbol(symbol) = terms.node(any) {
            self.undefined.insert(symbol, distance);
        }
        let anywhere = terms.add(self.start(object), any);
        Val {
            term: terms.choose(undefined, anywhere, exact.term),
            poison: Some(undefined),
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

    /// Compares scalars of one word.
    pub(super) fn compared(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Val,
        right: Val,
    ) -> Val {
        let with_null = match scalar.is_pointer() {
            true => self.compare_with_null(left, right),
            false => None,
        };
        let term = match (comparison, with_null) {
            (Comparison::Equal, Some(is_null)) => is_null,
            (Comparison::NotEqual, Some(is_null)) => self.terms.not(is_null),
            _ => OnTerms(self.terms).compare(comparison, left.term, right.term),
        };
        // A compiler may decide a comparison without the value: `x < x + 1` always holds, or `x +
        // 1` overflows.
        let poison = self.either_poison(left, right);
        Val::of(self.poisoned(Val::of(term), poison).term)
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
        let width = to.bits().min(64);
        let undefined = value.undefined(self.terms);
        let Some(sign) = extension(conversion).filter(|_| from.words() == 1) else {
            let any = self.anything(width as u8);
            return self.poisoned(any, undefined.filter(|_| from.words() == 1));
        };
        let term = OnTerms(self.terms).resize(sign, value.term, from.bits(), width);
        let converted = match conversion {
            // A number that is an address keeps what is known of it.
            Conversion::PointerToInteger | Conversion::IntegerToPointer => {
                Val::at(term, value.base)
            }
            _ => Val::of(term),
        };
        self.poisoned(converted, undefined)
    }

    /// The words of the results of an intrinsic.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        values: &[Val],
    ) -> Vec<Val> {
        let poison = values.iter().copied().reduce(|one, other| Val {
            poison: self.either_poison(one, other),
            ..one
        });
        let poison = poison.and_then(|value| value.undefined(self.terms));
        let terms: Vec<Term> = values.iter().map(|value| value.term).collect();
        let results = match scalar {
            Scalar::Integer(width) => {
                vectors::compute(OnTerms(self.terms), intrinsic, &terms, width)
            }
            _ => None,
        };
        match results {
            Some(results) => {
                let results = results.into_iter();
                results
                    .map(|term| self.poisoned(Val::of(term), poison))
                    .collect()
            }
            None => self.any_words(intrinsic.result_words(scalar)),
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
        let either = |yes: Option<Term>, no: Option<Term>| {
            let or_not = |when: Option<Term>| when.unwrap_or_else(|| terms.boolean(false));
            let known = yes.or(no);
            known.map(|_| terms.choose(condition, or_not(yes), or_not(no)))
        };
        let poison = either(yes.poison, no.poison);
        let wrapped = either(yes.wrapped, no.wrapped);
        let (yes, no) = self.alike(yes.term, no.term);
        let term = terms.choose(condition, yes, no);
        Val {
            term,
            base,
            poison,
            wrapped,
        }
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
