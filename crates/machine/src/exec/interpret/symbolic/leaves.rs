//! Comparisons of choices among constants, as C++'s three-way comparison gives: what was compared
//! first is seen again.

use impasse_program::instruction::Comparison;
use impasse_solver::{Node, OnTerms, Term, Terms};

/// Compares terms, and of a choice among two or three constants each of these.
pub(super) fn compare(v: OnTerms<'_>, comparison: Comparison, a: Term, b: Term) -> Term {
    let terms = v.0;
    let is_constant = |term: Term| terms.as_constant(term).is_some();
    let choice = match (is_constant(a), is_constant(b)) {
        (false, true) => choice(terms, a),
        (true, false) => choice(terms, b),
        _ => None,
    };
    let Some((condition, leaves)) = choice else {
        return v.compare(comparison, a, b);
    };
    let [x, y] = leaves.map(|leaf| match is_constant(b) {
        true => compare(v, comparison, leaf, b),
        false => compare(v, comparison, a, leaf),
    });
    terms.choose(condition, x, y)
}

/// The condition and the alternatives of a choice among constants, which may be extended.
fn choice(terms: &Terms, term: Term) -> Option<(Term, [Term; 2])> {
    let width = terms.width(term);
    let (inner, is_signed) = match terms.node(term) {
        Node::SignExtend(inner) => (inner, true),
        Node::ZeroExtend(inner) => (inner, false),
        _ => (term, false),
    };
    let Node::Choose(condition, x, y) = terms.node(inner) else {
        return None;
    };
    let is_constant = |term: Term| terms.as_constant(term).is_some();
    let has_constants = |term: Term| match terms.node(term) {
        Node::Choose(_, x, y) => is_constant(x) && is_constant(y),
        _ => is_constant(term),
    };
    let is_plain = is_constant(x) && has_constants(y) || has_constants(x) && is_constant(y);
    let extended = |leaf: Term| match is_signed {
        true => terms.sign_extend(leaf, width),
        false => terms.zero_extend(leaf, width),
    };
    is_plain.then(|| (condition, [x, y].map(extended)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_solver::{Evaluator, Values};

    /// A three-way comparison that is compared again, with all values of two bits.
    #[test]
    fn leaves_are_compared() {
        let terms = Terms::new();
        let v = OnTerms(&terms);
        let symbols = ["x", "y"].map(|name| terms.symbol(name, 2));
        let [x, y] = symbols.map(|symbol| terms.variable(symbol));
        let less = v.compare(Comparison::SignedLess, x, y);
        let [least, zero, one] = [255, 0, 1].map(|value| terms.constant(value, 8));
        let order = terms.choose(less, least, one);
        let order = terms.choose(terms.equal(x, y), zero, order);
        let wide = terms.sign_extend(order, 32);
        for comparison in [
            Comparison::SignedLess,
            Comparison::SignedGreaterEqual,
            Comparison::UnsignedGreater,
            Comparison::Equal,
        ] {
            for (order, width) in [(order, 8), (wide, 32)] {
                for number in [terms.constant(0, width), terms.constant(!0, width)] {
                    for (a, b) in [(order, number), (number, order)] {
                        let roots = [compare(v, comparison, a, b), v.compare(comparison, a, b)];
                        assert!(choice(&terms, order).is_some());
                        let mut evaluator = Evaluator::new(&terms, &roots);
                        for values in (0..4).flat_map(|a| (0..4).map(move |b| [a, b])) {
                            let values: Values = symbols.into_iter().zip(values).collect();
                            let [leaves, whole] = evaluator.run(&values)[..] else {
                                panic!("two roots");
                            };
                            assert_eq!(leaves, whole);
                        }
                    }
                }
            }
        }
    }
}
