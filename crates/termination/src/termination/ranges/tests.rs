//! Intervals against all values of the variables.

use super::{is_impossible, range};
use impasse_solver::{Binary, Evaluator, Term, Terms, Test, Values};

/// Xorshift.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())]
    }
}

/// A term of four bits, or of six.
fn number(terms: &Terms, dice: &mut Dice, variables: &[Term], (depth, width): (u32, u8)) -> Term {
    let narrow = |dice: &mut Dice| match dice.roll(3) {
        0 => terms.constant(dice.roll(16) as u128, 4),
        _ => dice.one_of(variables),
    };
    if width > 4 && (depth == 0 || dice.roll(3) == 0) {
        let below = number(terms, dice, variables, (depth.saturating_sub(1), 4));
        return match dice.roll(2) {
            0 => terms.sign_extend(below, width),
            _ => terms.zero_extend(below, width),
        };
    }
    if depth == 0 {
        return narrow(dice);
    }
    let one = number(terms, dice, variables, (depth - 1, width));
    let other = match dice.roll(2) {
        0 => terms.constant(dice.roll(16) as u128, width),
        _ => number(terms, dice, variables, (depth - 1, width)),
    };
    match dice.roll(3) {
        0 => {
            let chosen = condition(terms, dice, variables, depth - 1);
            terms.choose(chosen, one, other)
        }
        _ => terms.binary(dice.one_of(&Binary::ALL), one, other),
    }
}

fn condition(terms: &Terms, dice: &mut Dice, variables: &[Term], depth: u32) -> Term {
    let width = dice.one_of(&[4, 6]);
    let one = match (width, dice.roll(2)) {
        (4, 0) => dice.one_of(variables),
        _ => number(terms, dice, variables, (depth, width)),
    };
    let other = number(terms, dice, variables, (depth, width));
    let test = terms.test(dice.one_of(&Test::ALL), one, other);
    match dice.roll(4) {
        0 => terms.not(test),
        1 if depth > 0 => terms.and(test, condition(terms, dice, variables, depth - 1)),
        2 if depth > 0 => terms.or(test, condition(terms, dice, variables, depth - 1)),
        _ => test,
    }
}

#[test]
fn intervals_have_every_value() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut narrowed, mut impossible) = (0, 0);
    for _ in 0..1500 {
        let terms = Terms::new();
        let symbols = [terms.symbol("a", 4), terms.symbol("b", 4)];
        let variables = symbols.map(|symbol| terms.variable(symbol));
        let known: Vec<Term> = (0..dice.roll(3))
            .map(|_| condition(&terms, &mut dice, &variables, 1))
            .collect();
        let width = dice.one_of(&[4, 6]);
        let term = number(&terms, &mut dice, &variables, (3, width));
        let asked = condition(&terms, &mut dice, &variables, 2);
        let (low, high) = range(&terms, &known, term);
        let never = is_impossible(&terms, &known, asked);
        narrowed += usize::from(high - low < (1 << width) - 1);
        impossible += usize::from(never && !terms.is_false(asked));
        let roots: Vec<Term> = known.iter().copied().chain([term, asked]).collect();
        let mut evaluator = Evaluator::new(&terms, &roots);
        for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
            let values: Values = symbols.into_iter().zip([a, b]).collect();
            let results = evaluator.run(&values);
            let (conditions, rest) = results.split_at(known.len());
            if conditions.contains(&0) {
                continue;
            }
            let unused = 128 - u32::from(width);
            let value = ((rest[0] << unused) as i128) >> unused;
            let shown = || (terms.show(term), terms.show(asked));
            assert!(low <= value && value <= high, "{:?} of {a}, {b}", shown());
            assert!(!(never && rest[1] == 1), "{:?} of {a}, {b}", shown());
        }
    }
    assert!(narrowed > 100, "{narrowed} intervals say something");
    assert!(impossible > 10, "{impossible} conditions are ruled out");
}
