//! Intervals of terms, read with sign: what they rule out needs neither a question nor a proof.
//!
//! Of an operation whose operands are known to be small it is plain that it does not overflow, and
//! then its result needs no variable for what an overflow gives. An interval is computed from the
//! term itself and from comparisons that are known to hold; each rule is a theorem about integers,
//! so whoever checks a proof computes the same.

use impasse_solver::{Binary, Node, Term, Terms, Test};

/// How far down a term is looked at.
const DEPTH: u32 = 6;
/// Wider numbers may be anything.
const WIDEST: u8 = 64;

/// Where a number lies, both ends included.
type Interval = (i128, i128);

/// Whether a condition cannot hold where others do, as far as intervals show it.
pub(super) fn is_impossible(terms: &Terms, known: &[Term], condition: Term) -> bool {
    let mut known = known.to_vec();
    never(terms, &mut known, condition, DEPTH)
}

/// Where a number of at least two bits lies, read with sign, as far as conditions and the term
/// itself show it.
pub(super) fn range(terms: &Terms, known: &[Term], term: Term) -> (i128, i128) {
    interval(terms, &mut known.to_vec(), term, DEPTH)
}

fn never(terms: &Terms, known: &mut Vec<Term>, condition: Term, depth: u32) -> bool {
    if terms.is_false(condition) {
        return true;
    }
    if depth == 0 || terms.width(condition) != 1 {
        return false;
    }
    let deeper = depth - 1;
    match terms.node(condition) {
        Node::Binary(Binary::And, a, b) => {
            never(terms, known, a, deeper) || never(terms, known, b, deeper)
        }
        Node::Binary(Binary::Or, a, b) => {
            never(terms, known, a, deeper) && never(terms, known, b, deeper)
        }
        Node::Choose(c, a, b) => {
            let of_case = |known: &mut Vec<Term>, case: Term, part: Term| {
                known.push(case);
                let is_never = never(terms, known, part, deeper);
                known.pop();
                is_never
            };
            of_case(known, c, a) && of_case(known, terms.not(c), b)
        }
        Node::Test(test, a, b) if (2..=WIDEST).contains(&terms.width(a)) => {
            let width = terms.width(a);
            let (x, y) = (
                interval(terms, known, a, deeper),
                interval(terms, known, b, deeper),
            );
            let unsigned = || (without_sign(x, width), without_sign(y, width));
            let fits = |low: i128, high: i128| {
                let (least, greatest) = all(width);
                least <= low && high <= greatest
            };
            match test {
                Test::Equal => x.1 < y.0 || y.1 < x.0,
                Test::SignedLess => x.0 >= y.1,
                Test::SignedLessEqual => x.0 > y.1,
                Test::UnsignedLess => {
                    let (x, y) = unsigned();
                    x.0 >= y.1
                }
                Test::UnsignedLessEqual => {
                    let (x, y) = unsigned();
                    x.0 > y.1
                }
                Test::SignedAddOverflow => fits(x.0 + y.0, x.1 + y.1),
                Test::SignedSubtractOverflow => fits(x.0 - y.1, x.1 - y.0),
                Test::SignedMultiplyOverflow => {
                    let (low, high) = product(x, y);
                    fits(low, high)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// All numbers of so many bits.
fn all(width: u8) -> Interval {
    let half = 1i128 << (width - 1);
    (-half, half - 1)
}

/// The same numbers read without sign.
fn without_sign((low, high): Interval, width: u8) -> Interval {
    let range = 1i128 << width;
    match (low < 0, high < 0) {
        (false, false) => (low, high),
        (true, true) => (low + range, high + range),
        _ => (0, range - 1),
    }
}

/// Products of numbers that are less than 2^63 in size.
fn product(x: Interval, y: Interval) -> Interval {
    let ends = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
    let low = ends.into_iter().min().unwrap_or(0);
    (low, ends.into_iter().max().unwrap_or(0))
}

/// Where a term of at least two bits lies.
fn interval(terms: &Terms, known: &mut Vec<Term>, term: Term, depth: u32) -> Interval {
    let width = terms.width(term);
    let of_itself = of_node(terms, known, term, depth);
    if depth == 0 || matches!(terms.node(term), Node::Constant(_)) {
        return of_itself;
    }
    let (mut low, mut high) = of_itself;
    // What is above a number without sign is so with sign, if it is known not to be negative.
    let conditions: Vec<Term> = known.iter().chain(known.iter()).copied().collect();
    for condition in conditions {
        let Node::Test(test, a, b) = terms.node(condition) else {
            continue;
        };
        if (a != term && b != term) || a == b || terms.width(a) != width {
            continue;
        }
        // Of the other side no comparisons are looked at, so that this ends.
        let other = if a == term { b } else { a };
        let of_other = of_node(terms, &mut Vec::new(), other, depth - 1);
        let strict = i128::from(matches!(test, Test::SignedLess | Test::UnsignedLess));
        match test {
            Test::Equal => {
                low = low.max(of_other.0);
                high = high.min(of_other.1);
            }
            Test::SignedLess | Test::SignedLessEqual if a == term => {
                high = high.min(of_other.1 - strict);
            }
            Test::SignedLess | Test::SignedLessEqual => low = low.max(of_other.0 + strict),
            // What is below a number that is not negative is not negative.
            Test::UnsignedLess | Test::UnsignedLessEqual if a == term && of_other.0 >= 0 => {
                low = low.max(0);
                high = high.min(of_other.1 - strict);
            }
            Test::UnsignedLess | Test::UnsignedLessEqual
                if b == term && low >= 0 && of_other.0 >= 0 =>
            {
                low = low.max(of_other.0 + strict);
            }
            _ => {}
        }
    }
    // Where conditions contradict each other nothing is claimed.
    if low > high { of_itself } else { (low, high) }
}

/// Where a term lies by what it is made of.
fn of_node(terms: &Terms, known: &mut Vec<Term>, term: Term, depth: u32) -> Interval {
    let width = terms.width(term);
    let any = all(width.min(127));
    let Some(deeper) = depth.checked_sub(1).filter(|_| width <= WIDEST) else {
        return match terms.as_constant(term) {
            Some(number) if width <= WIDEST => exactly(number, width),
            _ => any,
        };
    };
    let within = |(low, high): Interval| match any.0 <= low && high <= any.1 {
        true => (low, high),
        false => any,
    };
    let mut of = |one: Term| match terms.width(one) {
        0..=1 => any,
        _ => interval(terms, known, one, deeper),
    };
    match terms.node(term) {
        Node::Constant(number) => exactly(number, width),
        Node::SignExtend(one) if terms.width(one) > 1 => of(one),
        Node::ZeroExtend(one) => {
            let below = terms.width(one);
            match below {
                0..=1 => (0, 1),
                _ => without_sign(of(one), below),
            }
        }
        Node::Binary(Binary::Add, a, b) => {
            let (x, y) = (of(a), of(b));
            within((x.0 + y.0, x.1 + y.1))
        }
        Node::Binary(Binary::Subtract, a, b) => {
            let (x, y) = (of(a), of(b));
            within((x.0 - y.1, x.1 - y.0))
        }
        Node::Binary(Binary::Multiply, a, b) => within(product(of(a), of(b))),
        Node::Binary(Binary::And, a, b) => {
            let (x, y) = (of(a), of(b));
            match (x.0 >= 0, y.0 >= 0) {
                (true, true) => (0, x.1.min(y.1)),
                (true, false) => (0, x.1),
                (false, true) => (0, y.1),
                _ => any,
            }
        }
        Node::Binary(Binary::UnsignedRemainder | Binary::SignedRemainder, a, b) => {
            let (x, y) = (of(a), of(b));
            match x.0 >= 0 && y.0 > 0 {
                true => (0, x.1.min(y.1 - 1)),
                false => any,
            }
        }
        Node::Binary(Binary::UnsignedDivide | Binary::SignedDivide, a, b) => {
            let (x, y) = (of(a), of(b));
            match x.0 >= 0 && y.0 > 0 {
                true => (x.0 / y.1, x.1 / y.0),
                false => any,
            }
        }
        Node::Binary(Binary::LogicalShiftRight | Binary::ArithmeticShiftRight, a, b) => {
            let (x, y) = (of(a), of(b));
            match x.0 >= 0 && y.0 >= 0 {
                true => (0, x.1 >> y.0.min(126)),
                false => any,
            }
        }
        Node::Choose(c, a, b) => {
            let mut of_case = |case: Term, part: Term| {
                known.push(case);
                let found = interval(terms, known, part, deeper);
                known.pop();
                found
            };
            let (x, y) = (of_case(c, a), of_case(terms.not(c), b));
            (x.0.min(y.0), x.1.max(y.1))
        }
        _ => any,
    }
}

/// A number of so many bits, read with sign.
fn exactly(number: u128, width: u8) -> Interval {
    let unused = 128 - u32::from(width);
    let number = ((number << unused) as i128) >> unused;
    (number, number)
}

#[cfg(test)]
mod tests;
