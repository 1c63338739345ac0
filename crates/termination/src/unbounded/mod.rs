//! Proofs that a program ends over unbounded integers.
//!
//! The program is read as a transition system (`follow`): between locations, paths change
//! integers by affine expressions under affine conditions. Affine functions show of one transition
//! after the other that it is taken finitely often (`ranking`), with invariants where they are
//! needed (`invariants`). A proof consists of multipliers, which `certify` adds up (`proof`).
//!
//! *Why the program ends.* An execution that does not end stays in one activation of a function
//! from some point on, or calls functions that may call themselves ever deeper. Either way it is an
//! infinite run of the system: each cycle of the control flow has a header, which is a location,
//! and so is the entry of each such function. Of an infinite run, from some point on, all
//! transitions are taken infinitely often, so each of them comes some time after each other one:
//! they belong to one component of what may come after what. A step of the proof speaks of all
//! transitions of a component that are left. Those that it removes are taken finitely often
//! (`proof` says which inequalities show it: as often as f₁ decreases without becoming negative,
//! then, while f₁ is negative, as often as f₂ does, and so on), so they are none of the run's.
//! After the last step none is left.

mod arithmetic;
mod branches;
mod calls;
mod endless;
mod equations;
mod farkas;
mod follow;
mod invariants;
mod lifted;
mod linear;
mod modular;
mod polynomial;
mod proof;
mod ranking;
mod returned;
mod state;
mod step;
mod system;

use crate::certificate::Rational;
use crate::concolic::run::Subject;
use crate::problem::Line;
pub use endless::{EndlessProof, check_endless, prove_endless};
use follow::Mode;
use impasse_solver::work::Moment;
use polynomial::Expanded;
pub use proof::{
    Equations, FunctionRecord, Invariants, PolynomialRecord, Returned, Step, SumRecord,
    UnboundedProof, Works,
};
use std::fmt;
use std::time::Duration;
use system::{Summaries, System};

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// Something in the program is not followed.
    Unsupported(String),
    /// No ranking function was found.
    NotFound,
    /// Nor was the search for one finished.
    Time,
}

impl fmt::Display for Unproved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::Unsupported(what) => out.write_str(what),
            Unproved::NotFound => out.write_str("no ranking function was found"),
            Unproved::Time => out.write_str("no ranking function was found in time"),
        }
    }
}

/// The part of the time, in per cent, after which bounds of what recursive functions return are
/// tried.
const WITHOUT_BOUNDS: u32 = 70;

/// Proves that a program ends over unbounded integers.
pub fn prove(subject: &Subject<'_>, time: Duration) -> Result<UnboundedProof, Unproved> {
    let linear = prove_linear(subject, time);
    let Err(why) = linear else {
        return linear;
    };
    match prove_with_products(subject, time) {
        Some(proof) => Ok(proof),
        None => Err(why),
    }
}

/// Proves it where products are numbers of which little is known.
fn prove_linear(subject: &Subject<'_>, time: Duration) -> Result<UnboundedProof, Unproved> {
    let end = Moment::now() + time;
    let system = follow::system(subject, &Summaries::new(), Mode::default());
    let system = system.map_err(Unproved::Unsupported)?;
    let count = system.transitions.len();
    tracing::debug!(
        locations = system.locations.len(),
        transitions = count,
        "followed"
    );
    if system.recursive.is_empty() {
        return of_system(&system, time);
    }
    let why = match of_system(&system, time * WITHOUT_BOUNDS / 100) {
        Err(why) => why,
        proved => return proved,
    };
    let found = returned::summaries(subject, &system.recursive, end);
    let Some((bounds, system, always)) = found else {
        return Err(why);
    };
    let proof = of_system(&system, end.since(Moment::now()))?;
    let proof = returned::record(proof, &bounds, (&system, &always)).ok_or(Unproved::NotFound)?;
    returned::check(&system, &proof).map_err(Unproved::Unsupported)?;
    Ok(proof)
}

/// What is followed where products are.
const EXACT: Mode<'static> = Mode {
    is_exact: true,
    inputs: None,
};
/// Of how many variables products are looked for in equations.
const DEGREES: [usize; 2] = [2, 3];

/// Proves it with equations between polynomials, where the program computes products.
pub fn prove_with_products(subject: &Subject<'_>, time: Duration) -> Option<UnboundedProof> {
    let end = Moment::now() + time;
    let system = follow::system(subject, &Summaries::new(), EXACT).ok()?;
    if !system.has_products() {
        return None;
    }
    let products = Products::new(&system, end)?;
    for degree in DEGREES {
        let Some((lifted, equations)) = products.equations(degree) else {
            continue;
        };
        let Ok(proof) = of_system(&lifted, end.since(Moment::now())) else {
            continue;
        };
        return Some(UnboundedProof {
            equations: Some(equations),
            ..proof
        });
    }
    None
}

/// A system with products, and what is known of it without equations.
struct Products<'s> {
    system: &'s System,
    expanded: Vec<Expanded>,
    bounds: UnboundedProof,
    /// Which transitions are never taken.
    never: Vec<bool>,
}

impl<'s> Products<'s> {
    fn new(system: &'s System, end: Moment) -> Option<Products<'s>> {
        let (expanded, base) = without_equations(system).ok()?;
        let rows = invariants::invariants(&base, end)?;
        let wanted = factors(system, &rows);
        let mut steps = Vec::new();
        let mut never = vec![false; base.transitions.len()];
        for (number, transition) in base.transitions.iter().enumerate() {
            let own = rows[transition.from].iter();
            let premises: Vec<_> = transition.known.iter().chain(own).cloned().collect();
            if let Some(multipliers) = farkas::contradiction(&premises) {
                never[number] = true;
                steps.push(Step::Impossible {
                    transition: number,
                    multipliers: multipliers.into_iter().map(Rational).collect(),
                });
            }
        }
        let bounds = invariants::proof(&base, &rows, steps, &wanted)?;
        Some(Products {
            system,
            expanded,
            bounds,
            never,
        })
    }

    /// The system in which products are unknowns, with equations that are found.
    fn equations(&self, degree: usize) -> Option<(System, Equations)> {
        let transitions = (&self.expanded[..], &self.never[..]);
        let equations = equations::find(self.system, transitions, degree)?;
        let counts: Vec<usize> = equations.zeros.iter().map(Vec::len).collect();
        tracing::debug!(?counts, degree, "equations");
        let zeros = equations::check(self.system, transitions, &equations);
        let zeros = zeros.inspect_err(|why| tracing::debug!(why, "equations are wrong"));
        let invariants = &self.bounds.invariants;
        let lifted = lifted::lifted(self.system, transitions, &zeros.ok()?, invariants);
        let bounds = Box::new(self.bounds.clone());
        Some((
            lifted,
            Equations {
                bounds,
                ..equations
            },
        ))
    }
}

/// Which bounds of single variables there are, by location and number, where products are computed.
fn factors(system: &System, rows: &invariants::Rows) -> Vec<(usize, usize)> {
    let computes = |location: usize| {
        let mut own = system.transitions.iter().filter(|one| one.from == location);
        own.any(|one| !one.products.is_empty())
    };
    let places = (0..rows.len()).filter(|&location| computes(location));
    let of = |location: usize| {
        let bounds = rows[location].iter().enumerate();
        let bounds = bounds.filter(|(_, row)| lifted::is_bound(row));
        bounds.map(move |(number, _)| (location, number))
    };
    places.flat_map(of).collect()
}

/// The transitions of a system on polynomials, and the system in which products are unknowns.
fn without_equations(system: &System) -> Result<(Vec<Expanded>, System), String> {
    let expanded = system.transitions.iter().map(Expanded::of);
    let expanded = expanded.collect::<Option<Vec<_>>>();
    let expanded = expanded.ok_or("products of too many numbers")?;
    let none = vec![Vec::new(); system.locations.len()];
    let never = vec![false; expanded.len()];
    let base = lifted::lifted(system, (&expanded, &never), &none, &[]);
    Ok((expanded, base))
}

/// The system in which products are unknowns, with equations that are checked.
fn with_equations(system: &System, equations: &Equations) -> Result<System, String> {
    let (expanded, base) = without_equations(system)?;
    let never = proof::check_impossible(&base, &equations.bounds)?;
    let transitions = (&expanded[..], &never[..]);
    let zeros = equations::check(system, transitions, equations)?;
    let invariants = &equations.bounds.invariants;
    Ok(lifted::lifted(system, transitions, &zeros, invariants))
}

/// Proves that a transition system has no infinite run.
fn of_system(system: &System, time: Duration) -> Result<UnboundedProof, Unproved> {
    let end = Moment::now() + time;
    let none = || match end.is_over() {
        true => Err(Unproved::Time),
        false => Err(Unproved::NotFound),
    };
    let bare = vec![Vec::new(); system.locations.len()];
    let known: Vec<_> = system
        .transitions
        .iter()
        .map(|one| one.known.clone())
        .collect();
    let half = Moment::now() + time / 2;
    let (rows, steps) = match ranking::steps(system, &known, half) {
        Some(steps) => (bare, steps),
        None => {
            let Some(rows) = invariants::invariants(system, end) else {
                return none();
            };
            let with = |transition: &system::Transition| {
                let own = rows[transition.from].iter();
                transition.known.iter().chain(own).cloned().collect()
            };
            let premises: Vec<_> = system.transitions.iter().map(with).collect();
            match ranking::steps(system, &premises, end) {
                Some(steps) => (rows, steps),
                None => return none(),
            }
        }
    };
    let Some(proof) = invariants::proof(system, &rows, steps, &[]) else {
        return none();
    };
    proof::check(system, &proof).map_err(Unproved::Unsupported)?;
    Ok(proof)
}

/// Checks a proof. Returns the lines where loops and recursions start; `Err` says what does not
/// hold.
pub fn check(subject: &Subject<'_>, proof: &UnboundedProof) -> Result<Vec<Line>, String> {
    if let Some(equations) = &proof.equations {
        let system = follow::system(subject, &Summaries::new(), EXACT)?;
        let lifted = with_equations(&system, equations)?;
        proof::check(&lifted, proof)?;
        return Ok(headers(&lifted));
    }
    let system = follow::system(subject, &returned::read(&proof.returned), Mode::default())?;
    returned::check(&system, proof)?;
    proof::check(&system, proof)?;
    Ok(headers(&system))
}

/// The lines where loops and recursions start.
fn headers(system: &System) -> Vec<Line> {
    let to = system.transitions.iter().map(|transition| transition.to);
    let mut lines: Vec<Line> = to.map(|to| system.locations[to].line.clone()).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
