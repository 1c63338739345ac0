//! Ranking functions for transition systems, by Farkas' lemma.
//!
//! The unknown coefficients of the functions and the multipliers that show what they must satisfy
//! are the unknowns of one linear program.

use super::farkas::{contradiction, implied};
use super::proof::{FunctionRecord, Step, Works};
use super::system::{Order, System};
use crate::affine::Affine;
use crate::certificate::{AffineRecord, Rational};
use impasse_solver::linear::{Equation, nonnegative};
use impasse_solver::work::Moment;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use std::collections::BTreeMap;
use std::time::Duration;

/// How many functions one step may have.
const NESTED: usize = 3;
/// Linear programs with more multipliers than this are not tried.
const MULTIPLIERS: usize = 3000;
/// How much work one of them may take.
const QUESTION: Duration = Duration::from_millis(500);

/// Steps after which no transition is left that may be taken again and again, as far as they are
/// found. Whether nothing is left.
pub(super) fn steps(system: &System, premises: &[Vec<Affine>], end: Moment) -> Option<Vec<Step>> {
    let mut search = Search {
        system,
        premises,
        is_alive: vec![true; system.transitions.len()],
        order: Order::new(system, premises),
        steps: Vec::new(),
        end,
    };
    search.impossible();
    loop {
        let components = search.order.components(&search.is_alive);
        if components.iter().all(Option::is_none) {
            return Some(search.steps);
        }
        if !search.one_step(&components) {
            return None;
        }
    }
}

struct Search<'p> {
    system: &'p System,
    premises: &'p [Vec<Affine>],
    is_alive: Vec<bool>,
    order: Order,
    steps: Vec<Step>,
    end: Moment,
}

impl Search<'_> {
    /// Removes transitions that are never taken.
    fn impossible(&mut self) {
        for (transition, premises) in self.premises.iter().enumerate() {
            if self.end.is_over() {
                return;
            }
            if let Some(multipliers) = contradiction(premises) {
                self.is_alive[transition] = false;
                self.steps.push(Step::Impossible {
                    transition,
                    multipliers: multipliers.into_iter().map(Rational).collect(),
                });
            }
        }
    }

    /// Finds functions that show of some transition that it is taken finitely often.
    fn one_step(&mut self, components: &[Option<usize>]) -> bool {
        let all = 0..components.len();
        let open = all.clone().filter(|&one| components[one].is_some());
        for nested in 1..=NESTED {
            for chosen in open.clone() {
                if self.end.is_over() {
                    return false;
                }
                let of_component = |one: &usize| components[*one] == components[chosen];
                let inside: Vec<usize> = all.clone().filter(of_component).collect();
                let problem = Problem::new(self.system, self.premises, &inside, nested);
                let Some(functions) = problem.solved(chosen) else {
                    continue;
                };
                if let Some((step, removed)) = self.step(&inside, functions) {
                    removed.iter().for_each(|&one| self.is_alive[one] = false);
                    self.steps.push(step);
                    return true;
                }
            }
        }
        false
    }

    /// What functions show of transitions.
    fn step(
        &self,
        inside: &[usize],
        functions: BTreeMap<usize, Vec<Affine>>,
    ) -> Option<(Step, Vec<usize>)> {
        let mut removed = Vec::new();
        let mut works = Vec::new();
        for &transition in inside {
            let prove = |is_removed| {
                let goals = super::proof::goals(self.system, &functions, transition, is_removed)?;
                let proved = goals.iter().map(|goal| {
                    let multipliers = implied(&self.premises[transition], goal)?;
                    Some(multipliers.into_iter().map(Rational).collect())
                });
                proved.collect::<Option<Vec<Vec<Rational>>>>()
            };
            let (is_removed, multipliers) = match prove(true) {
                Some(multipliers) => (true, multipliers),
                None => (false, prove(false)?),
            };
            if is_removed {
                removed.push(transition);
            }
            works.push(Works {
                transition,
                is_removed,
                multipliers,
            });
        }
        let record = |(location, components): (usize, Vec<Affine>)| {
            let variables = self.system.locations[location].variables;
            let components = components
                .iter()
                .map(|one| AffineRecord::new(one, variables));
            FunctionRecord {
                location,
                components: components.collect(),
            }
        };
        let functions = functions.into_iter().map(record).collect();
        (!removed.is_empty()).then_some((Step::Decreases { functions, works }, removed))
    }
}

/// The linear program for the functions of a component.
struct Problem<'p> {
    system: &'p System,
    premises: &'p [Vec<Affine>],
    inside: &'p [usize],
    nested: usize,
    /// The first unknown of each location: for each function, twice as many as it has coefficients,
    /// of which the second half is subtracted.
    first: BTreeMap<usize, usize>,
    unknowns: usize,
    rows: Vec<Equation>,
}

/// A sum of multiples of the unknowns, for each unknown of a transition; the constant is last.
type Form = BTreeMap<Option<usize>, Vec<(usize, i128)>>;

impl<'p> Problem<'p> {
    fn new(
        system: &'p System,
        premises: &'p [Vec<Affine>],
        inside: &'p [usize],
        nested: usize,
    ) -> Self {
        let mut first = BTreeMap::new();
        let mut unknowns = 0;
        for &transition in inside {
            let location = system.transitions[transition].from;
            first.entry(location).or_insert_with(|| {
                let start = unknowns;
                unknowns += nested * 2 * (system.locations[location].variables + 1);
                start
            });
        }
        Problem {
            system,
            premises,
            inside,
            nested,
            first,
            unknowns,
            rows: Vec::new(),
        }
    }

    /// Functions that show that a transition is taken finitely often.
    fn solved(mut self, chosen: usize) -> Option<BTreeMap<usize, Vec<Affine>>> {
        let count = |&one: &usize| self.premises[one].len();
        if self.inside.iter().map(count).sum::<usize>() * self.nested > MULTIPLIERS {
            return None;
        }
        for &transition in self.inside {
            for function in 0..self.nested {
                self.decrease(transition, function, transition == chosen)?;
            }
        }
        let mut bound = Form::new();
        let last = self.nested - 1;
        self.add_function(
            &mut bound,
            (self.system.transitions[chosen].from, last),
            None,
            -1,
        )?;
        self.require(chosen, bound)?;
        let values = nonnegative(&self.rows, self.unknowns, QUESTION)?;
        Some(self.functions(&values))
    }

    /// After a transition a function is not greater than before; if the transition is to be
    /// removed, less by one and the function before it.
    fn decrease(&mut self, transition: usize, function: usize, is_chosen: bool) -> Option<()> {
        let one = &self.system.transitions[transition];
        let mut form = Form::new();
        self.add_function(&mut form, (one.to, function), Some(&one.after), 1)?;
        self.add_function(&mut form, (one.from, function), None, -1)?;
        let mut constant = 0;
        if is_chosen {
            constant = 1;
            if function > 0 {
                self.add_function(&mut form, (one.from, function - 1), None, -1)?;
            }
        }
        self.require_with(transition, form, constant)
    }

    /// Adds a multiple of a location's function, of expressions for its variables.
    fn add_function(
        &self,
        form: &mut Form,
        (location, function): (usize, usize),
        values: Option<&[Affine]>,
        factor: i128,
    ) -> Option<()> {
        let variables = self.system.locations[location].variables;
        let size = variables + 1;
        let start = self.first.get(&location)? + function * 2 * size;
        let mut add = |unknown: Option<usize>, coefficient: usize, by: i128| {
            if by != 0 {
                let row = form.entry(unknown).or_default();
                row.push((start + coefficient, by * factor));
                row.push((start + size + coefficient, -by * factor));
            }
        };
        for variable in 0..variables {
            match values {
                None => add(Some(variable), variable, 1),
                Some(values) => {
                    for (&unknown, by) in &values[variable].coefficients {
                        add(Some(unknown), variable, by.to_i64()?.into());
                    }
                    add(None, variable, values[variable].constant.to_i64()?.into());
                }
            }
        }
        add(None, variables, 1);
        Some(())
    }

    fn require(&mut self, transition: usize, form: Form) -> Option<()> {
        self.require_with(transition, form, 0)
    }

    /// A form plus a constant must be at most zero on a transition: the premises add up to it.
    fn require_with(&mut self, transition: usize, mut form: Form, constant: i128) -> Option<()> {
        let premises = &self.premises[transition];
        let start = self.unknowns;
        self.unknowns += premises.len() + 1;
        let slack = start + premises.len();
        form.entry(None).or_default();
        for (at, premise) in premises.iter().enumerate() {
            for (&unknown, by) in &premise.coefficients {
                let row = form.entry(Some(unknown)).or_default();
                row.push((start + at, -i128::from(by.to_i64()?)));
            }
            let row = form.entry(None).or_default();
            row.push((start + at, -i128::from(premise.constant.to_i64()?)));
        }
        for (unknown, mut row) in form {
            match unknown {
                Some(_) => self.rows.push((row, 0)),
                None => {
                    row.push((slack, 1));
                    self.rows.push((row, -constant));
                }
            }
        }
        Some(())
    }

    /// The functions that a solution describes, with whole coefficients.
    fn functions(&self, values: &[BigRational]) -> BTreeMap<usize, Vec<Affine>> {
        let count = self.first.iter().map(|(&location, _)| {
            self.nested * 2 * (self.system.locations[location].variables + 1)
        });
        let count: usize = count.sum();
        let denominators = values[..count].iter().map(BigRational::denom);
        let scale = denominators.fold(BigInt::one(), |all, one| all.lcm(one));
        let whole = |value: BigRational| (value * &scale).to_integer();
        let mut functions = BTreeMap::new();
        for (&location, &first) in &self.first {
            let size = self.system.locations[location].variables + 1;
            let mut components = Vec::new();
            for function in 0..self.nested {
                let start = first + function * 2 * size;
                let coefficient =
                    |at: usize| whole(&values[start + at] - &values[start + size + at]);
                let mut component = Affine::constant(coefficient(size - 1));
                for at in 0..size - 1 {
                    component = component.plus(&coefficient(at), &Affine::unknown(at));
                }
                components.push(component);
            }
            functions.insert(location, components);
        }
        functions
    }
}
