//! Addresses of eight bytes: how far they are from a start, and when they wrap around.

use impasse_solver::{Node, Term, Terms, Test};

/// Below the lowest object, and above the highest one, at least so many addresses are free.
pub(super) const FREE: u64 = 1 << 40;

/// How far an address is from a start, in each of the cases that it consists of.
pub(super) fn distance(terms: &Terms, address: Term, start: Term, cases: u32) -> Term {
    match terms.node(address) {
        Node::Choose(c, a, b) if cases > 0 => {
            let of = |one| distance(terms, one, start, cases - 1);
            terms.choose(c, of(a), of(b))
        }
        _ => terms.expanded(terms.subtract(address, start)),
    }
}

/// When an address plus a signed distance is outside of the address space.
pub(super) fn wraps(terms: &Terms, from: Term, by: Term) -> Term {
    let sum = terms.add(from, by);
    let less = |one, other| terms.test(Test::UnsignedLess, one, other);
    if let Some(by) = terms.as_constant(by) {
        return match by as i64 {
            up @ 0.. => less(number(terms, u64::MAX - up as u64), from),
            down => less(from, number(terms, down.unsigned_abs())),
        };
    }
    let down = terms.test(Test::SignedLess, by, number(terms, 0));
    terms.choose(down, less(from, sum), less(sum, from))
}

/// Whenever the address at an offset from the start of an object wraps around as it is moved up or
/// down by up to [`FREE`] bytes: it is that far below the object, or further.
pub(super) fn far_below(terms: &Terms, offset: Term) -> Term {
    terms.test(Test::SignedLess, offset, number(terms, FREE.wrapping_neg()))
}

/// Whenever it wraps around as it is moved up by less than 2⁶³ bytes: it is that far below the
/// object, or 2⁶² bytes above it.
pub(super) fn far_away(terms: &Terms, offset: Term) -> Term {
    let above = terms.test(Test::SignedLess, number(terms, 1 << 62), offset);
    terms.or(far_below(terms, offset), above)
}

fn number(terms: &Terms, value: u64) -> Term {
    terms.constant(u128::from(value), 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_solver::Solver;
    use std::time::Duration;

    /// Asks for an object, an offset, and a distance that keeps to some bounds, for which the sum
    /// wraps around although the offset is not as it is said to be then.
    fn is_complete(within: &dyn Fn(&Terms, Term) -> Term, far: fn(&Terms, Term) -> Term) -> bool {
        let terms = &Terms::new();
        let variable = |name: &str| terms.variable(terms.symbol(name, 64));
        let (start, offset, by) = (variable("start"), variable("offset"), variable("by"));
        let low = terms.test(Test::UnsignedLessEqual, number(terms, 1 << 41), start);
        let high = terms.test(Test::UnsignedLess, start, number(terms, 1 << 47));
        let asked = [
            terms.all(&[low, high]),
            within(terms, by),
            wraps(terms, terms.add(start, offset), by),
            terms.not(far(terms, offset)),
        ];
        let answer = Solver::new(terms).check(&asked, Duration::from_secs(60));
        answer.is_unsatisfiable()
    }

    fn up_to(most: u64) -> impl Fn(&Terms, Term) -> Term {
        move |terms, by| {
            let shifted = terms.add(by, number(terms, most));
            terms.test(Test::UnsignedLessEqual, shifted, number(terms, 2 * most))
        }
    }

    #[test]
    fn what_wraps_around_is_far_below() {
        assert!(is_complete(&up_to(FREE), far_below));
        assert!(!is_complete(&up_to(FREE + (1 << 41)), far_below));
    }

    #[test]
    fn what_is_moved_up_and_wraps_around_is_far_away() {
        let up = |terms: &Terms, by| terms.test(Test::SignedLessEqual, number(terms, 0), by);
        assert!(is_complete(&up, far_away));
        assert!(!is_complete(&up, far_below));
    }

    #[test]
    fn a_number_is_a_distance_like_any_other() {
        let terms = &Terms::new();
        let from = terms.variable(terms.symbol("from", 64));
        for number in [
            1,
            4096,
            u64::MAX,
            i64::MAX as u64,
            1 << 63,
            FREE.wrapping_neg(),
        ] {
            let (by, one) = (
                terms.variable(terms.symbol("by", 64)),
                self::number(terms, number),
            );
            let asked = [
                terms.equal(by, one),
                terms.differ(wraps(terms, from, by), wraps(terms, from, one)),
            ];
            let answer = Solver::new(terms).check(&asked, Duration::from_secs(60));
            assert!(answer.is_unsatisfiable(), "{number}");
        }
    }
}
