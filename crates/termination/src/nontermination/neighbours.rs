//! Values near those of a model, by changing one variable after the other. Trying a condition on
//! them takes microseconds, where a question to the solver takes milliseconds.

use impasse_solver::{Evaluator, Model, Symbol, Term, Terms};

/// How many changes are tried at most.
const CHANGES: usize = 1000;
/// And how many in a row that refute nothing else.
const IDLE: usize = 60;

/// For each of `images`, whether it fails at a model of `known`, or at values near it of which
/// `known` holds as well.
pub(super) fn failing(terms: &Terms, known: &[Term], images: &[Term], model: &Model) -> Vec<bool> {
    let mut at_image = Evaluator::new(terms, images);
    let mut failed = vec![false; images.len()];
    let mut note = |values: &Model| {
        let held = at_image.run(values).into_iter().map(|held| held == 1);
        let mut is_new = false;
        for (failed, held) in failed.iter_mut().zip(held) {
            is_new |= !held && !*failed;
            *failed |= !held;
        }
        is_new
    };
    note(model);
    let symbols = terms.symbols_in(&[known, images].concat());
    if symbols.is_empty() {
        return failed;
    }
    let mut at_known = Evaluator::new(terms, known);
    let mut numbers = Numbers::of_run(0);
    let mut values = model.clone();
    let mut idle = 0;
    for _ in 0..CHANGES {
        let symbol = symbols[numbers.next() as usize % symbols.len()];
        let before = values.get(symbol);
        let other = symbols[numbers.next() as usize % symbols.len()];
        let after = changed(terms, symbol, (before, values.get(other)), &mut numbers);
        values.set(symbol, after);
        let holds = !at_known.run(&values).contains(&0);
        if !holds {
            values.set(symbol, before);
        }
        idle = if holds && note(&values) { 0 } else { idle + 1 };
        if idle == IDLE {
            break;
        }
    }
    failed
}

/// Another value for a variable that has the value `before`, where another one is `other`.
fn changed(
    terms: &Terms,
    symbol: Symbol,
    (before, other): (u128, u128),
    numbers: &mut Numbers,
) -> u128 {
    let width = terms.symbol_width(symbol);
    let mask = u128::MAX >> (128 - width);
    let value = match numbers.next() % 8 {
        0 => 0,
        1 => mask,
        2 => mask >> 1,
        3 => before.wrapping_add(1),
        4 => before.wrapping_sub(1),
        5 => before ^ 1 << (numbers.next() % u64::from(width)),
        6 => other,
        _ => numbers.of_width(width),
    };
    value & mask
}

/// Numbers that look like chance and are the same every time.
pub(super) struct Numbers {
    state: u64,
}

impl Numbers {
    /// The numbers of a run.
    pub(super) fn of_run(run: u64) -> Numbers {
        let state = (run + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Numbers { state }
    }

    /// Xorshift.
    pub(super) fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// A number of at most so many bits; small ones are as frequent as large ones.
    pub(super) fn of_width(&mut self, width: u8) -> u128 {
        let (high, low, size) = (self.next(), self.next(), self.next());
        let bits = (u128::from(high) << 64 | u128::from(low)) >> (size % 128);
        bits & (u128::MAX >> (128 - width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_solver::Values;

    /// What fails near a model fails under some values of which what is known holds, and what
    /// follows from it never fails.
    #[test]
    fn only_what_does_not_follow_fails() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, 8));
        let [a, b] = [x, y].map(|symbol| terms.variable(symbol));
        let number = |value: u128| terms.constant(value, 8);
        let less = |a, b| terms.test(impasse_solver::Test::UnsignedLess, a, b);
        let known = [less(a, number(100)), less(b, a)];
        let images = [
            less(b, number(99)),
            less(a, number(50)),
            terms.equal(b, number(0)),
            less(number(98), b),
        ];
        let model = Values::from_iter([(x, 1), (y, 0)]);
        let found = failing(&terms, &known, &images, &model);
        assert_eq!(found, [false, true, true, true]);
    }
}
