//! Which of the values that an input can have a report shows.

use super::private::PATIENCE;
use impasse_solver::{Answer, Solver, Term, Terms, Test};

/// Values that a report shows rather than others, if a person could have chosen them.
const PLAIN: [i64; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 100, -1, -2];

/// The same of floating-point numbers.
const PLAIN_FLOATS: [f64; 8] = [1.0, 2.0, 0.5, -1.0, 3.0, 10.0, 100.0, 1e6];

/// A plain value that a term can have; the least one if none is plain.
pub(super) fn plain_value(terms: &Terms, solver: &Solver<'_>, term: Term) -> Option<u64> {
    let width = terms.width(term);
    let constant = |value: u128| terms.constant(value, width);
    let floats = PLAIN_FLOATS.map(|plain| match width {
        32 => u128::from((plain as f32).to_bits()),
        _ => plain.to_bits().into(),
    });
    let are_floats = terms.has_floats() && (width == 32 || width == 64);
    let floats = floats.into_iter().filter(|_| are_floats);
    let others = PLAIN[1..].iter().map(|&plain| plain as u128);
    for plain in [0].into_iter().chain(floats).chain(others) {
        let equal = terms.equal(term, constant(plain));
        if let Answer::Satisfiable(_) = solver.check(&[equal], PATIENCE) {
            return terms.as_constant(constant(plain)).map(|value| value as u64);
        }
    }
    let found = solver.check(&[], PATIENCE).model()?;
    let (mut least, mut most) = (0, terms.value(term, &found));
    while least < most {
        let middle = least + (most - least) / 2;
        let below = terms.test(Test::UnsignedLessEqual, term, constant(middle));
        match solver.check(&[below], PATIENCE) {
            Answer::Satisfiable(found) => most = terms.value(term, &found),
            _ => least = middle + 1,
        }
    }
    Some(most as u64)
}
