//! What is kept of candidates, compared with all states of two variables of three bits.

use super::*;
use impasse_solver::Test;
use impasse_solver::work::Moment;

const WIDTH: u8 = 3;
const STATES: u128 = 64;

/// Conditions and updates of two variables that are made up.
struct MadeUp<'t> {
    terms: &'t Terms,
    variables: [Symbol; 2],
    numbers: Numbers,
}

impl MadeUp<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        (self.numbers.next() >> 20) % bound
    }

    fn operand(&mut self) -> Term {
        match self.below(3) {
            0 => self.terms.constant(u128::from(self.below(8)), WIDTH),
            _ => {
                let variable = self.variables[self.below(2) as usize];
                self.terms.variable(variable)
            }
        }
    }

    fn condition(&mut self) -> Term {
        let (a, b) = (self.operand(), self.operand());
        let tests = [Test::Equal, Test::UnsignedLess, Test::SignedLessEqual];
        let condition = self.terms.test(tests[self.below(3) as usize], a, b);
        match self.below(2) {
            0 => condition,
            _ => self.terms.not(condition),
        }
    }

    fn update(&mut self) -> Term {
        let (a, b) = (self.operand(), self.operand());
        match self.below(3) {
            0 => a,
            1 => self.terms.add(a, b),
            _ => self.terms.subtract(a, b),
        }
    }

    /// For each state, whether these conditions hold.
    fn table(&self, conditions: &[Term]) -> Table {
        let mut evaluator = Evaluator::new(self.terms, conditions);
        let [x, y] = self.variables;
        let states = (0..STATES).map(|state| Values::from_iter([(x, state % 8), (y, state / 8)]));
        states
            .map(|state| evaluator.run(&state).into_iter().map(|one| one == 1))
            .map(Iterator::collect)
            .collect()
    }
}

/// For each state, whether some conditions hold.
type Table = Vec<Vec<bool>>;

/// The largest part that every iteration preserves, one candidate after the other. Of each
/// iteration it is given where it is taken, and where the images hold.
fn obvious(tables: &[(Table, Table)], holds: &[Vec<bool>]) -> Vec<usize> {
    let count = holds[0].len();
    let mut left: Vec<usize> = (0..count).collect();
    loop {
        let is_broken = |at: usize| {
            tables.iter().any(|(taken, images)| {
                (0..STATES as usize).any(|state| {
                    let known = left.iter().all(|&at| holds[state][at]);
                    taken[state][0] && known && !images[state][at]
                })
            })
        };
        let Some(broken) = left.iter().position(|&at| is_broken(at)) else {
            return left;
        };
        left.remove(broken);
    }
}

/// What single questions keep of some candidates, if none of them stays open.
fn alone(step: &Preservation, left: &[usize], budget: &Budget) -> Result<Vec<usize>, Vec<usize>> {
    let found = step.alone(left.to_vec(), Duration::from_secs(20), budget);
    match found.open.is_empty() {
        true => Ok(found.kept),
        false => Err(found.open),
    }
}

#[test]
fn the_largest_part_is_kept_and_nothing_else() {
    let budget = Budget::until(Moment::now() + Duration::from_secs(1000));
    let mut kept = [0, 0];
    for run in 0..150 {
        let terms = Terms::new();
        let variables = ["x", "y"].map(|name| terms.symbol(name, WIDTH));
        let mut made_up = MadeUp {
            terms: &terms,
            variables,
            numbers: Numbers::of_run(run),
        };
        // They hold together in some state: otherwise all would be kept.
        let mut candidates: Vec<Term> = (0..16).map(|_| made_up.condition()).collect();
        let at_one = made_up.table(&candidates).swap_remove(run as usize % 64);
        candidates = those(candidates, at_one.into_iter());
        candidates.sort_unstable();
        candidates.dedup();
        let holds = made_up.table(&candidates);
        let (mut preserved, mut tables) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let taken = made_up.condition();
            let updates = variables.map(|variable| (variable, made_up.update()));
            let images = terms.substitute(&candidates, &updates.into_iter().collect());
            tables.push((made_up.table(&[taken]), made_up.table(&images)));
            preserved.push(Preservation::by_step(&terms, taken, (&candidates, images)));
        }
        let found = inductive(&preserved, candidates.len(), &budget);
        assert_eq!(found, obvious(&tables, &holds), "run {run}");
        for step in &preserved {
            assert_eq!(alone(step, &found, &budget), Ok(found.clone()), "run {run}");
            let all: Vec<usize> = (0..candidates.len()).collect();
            let together = step.together(all.clone(), Duration::from_secs(20));
            assert_eq!(alone(step, &all, &budget), together, "run {run}");
            // Without work, what is kept is kept with it.
            let none = step.alone(all, EASY_ALONE, &Budget::until(Moment::now()));
            let kept = together.unwrap_or_default();
            assert!(none.kept.iter().all(|at| kept.contains(at)), "run {run}");
        }
        kept[0] += found.len();
        kept[1] += candidates.len();
        let one = independent(&terms, candidates.clone(), &budget);
        let at = |one| candidates.iter().position(|&other| other == one);
        let one: Vec<usize> = one.into_iter().filter_map(at).collect();
        for state in &holds {
            let all = state.iter().all(|&holds| holds);
            assert_eq!(one.iter().all(|&at| state[at]), all, "run {run}");
        }
        for &without in &one {
            let says_more = |state: &Vec<bool>| {
                let mut others = one.iter().filter(|&&at| at != without);
                !state[without] && others.all(|&at| state[at])
            };
            assert!(holds.iter().any(says_more), "run {run}");
        }
    }
    assert!(
        kept[0] * 20 > kept[1] && kept[0] * 10 < kept[1] * 9,
        "{kept:?}"
    );
}
