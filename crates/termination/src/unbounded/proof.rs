//! The proof that a transition system has no infinite run, in a form that stands alone, and its
//! check.

use super::farkas::shows;
use super::system::{Order, System};
use crate::affine::Affine;
use crate::certificate::{AffineRecord, Integer, Rational};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The proof that a program ends over unbounded integers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnboundedProof {
    /// What always holds at locations: expressions that are at most zero.
    pub invariants: Vec<Invariants>,
    /// For each transition into a location with invariants, in order, and for each of them, the
    /// multipliers that show that it holds afterwards.
    pub preserved: Vec<Vec<Vec<Rational>>>,
    /// Which transitions are taken finitely often, one step after the other.
    pub steps: Vec<Step>,
    /// Equations between polynomials, where products are followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub equations: Option<Equations>,
    /// What recursive functions return, where that is needed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub returned: Vec<Returned>,
    /// The multipliers that show it, for each return of such a function and each bound.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub returns: Vec<Vec<Rational>>,
    /// Invariants that this needs of the locations that the returns are reached from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before_returns: Option<Box<UnboundedProof>>,
}

/// Equations, and why they hold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Equations {
    /// Inequalities, without equations, that show of some transitions that they are never taken.
    pub bounds: Box<UnboundedProof>,
    /// For each location polynomials that are zero there.
    pub zeros: Vec<Vec<PolynomialRecord>>,
    /// For each transition, in order, and each polynomial of where it leads, the sum that it is
    /// after the transition.
    pub preserved: Vec<Vec<SumRecord>>,
}

/// A polynomial: products of variables with their multiples.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PolynomialRecord(pub Vec<(Integer, Vec<usize>)>);

/// That a polynomial, this many times, is the sum of these parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SumRecord {
    /// How many times; positive.
    pub times: Integer,
    /// The number of something that is zero before (first what is zero on the transition), a
    /// product, and the multiple.
    pub parts: Vec<(usize, Vec<usize>, Integer)>,
}

/// What a function returns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Returned {
    /// The function, by its number in the program.
    pub function: u32,
    /// Expressions over its arguments and its result, which comes last, that are at most zero.
    pub rows: Vec<AffineRecord>,
}

/// What always holds at a location.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Invariants {
    /// The location.
    pub location: usize,
    /// Expressions over its variables that are at most zero.
    pub rows: Vec<AffineRecord>,
}

/// Why some transitions are taken finitely often.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// One is never taken.
    Impossible {
        /// The transition.
        transition: usize,
        /// The multipliers that show that what is known on it is contradictory.
        multipliers: Vec<Rational>,
    },
    /// Functions decrease.
    Decreases {
        /// The functions of the locations of a component, all with as many components.
        functions: Vec<FunctionRecord>,
        /// What they do on each transition of the component that is left.
        works: Vec<Works>,
    },
}

/// The function of a location.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionRecord {
    /// The location.
    pub location: usize,
    /// Expressions over its variables.
    pub components: Vec<AffineRecord>,
}

/// What functions do on a transition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Works {
    /// The transition.
    pub transition: usize,
    /// Whether it is taken finitely often.
    pub is_removed: bool,
    /// The multipliers for each inequality that must follow.
    pub multipliers: Vec<Vec<Rational>>,
}

/// What must be at most zero on a transition. No component f₁, …, fₙ may grow. Where the transition
/// is removed, f₁ must become less instead, each further fᵢ less than the sum of fᵢ and fᵢ₋₁, and
/// fₙ must not be negative before.
pub(super) fn goals(
    system: &System,
    functions: &BTreeMap<usize, Vec<Affine>>,
    transition: usize,
    is_removed: bool,
) -> Option<Vec<Affine>> {
    let transition = &system.transitions[transition];
    let (from, to) = (
        functions.get(&transition.from)?,
        functions.get(&transition.to)?,
    );
    if from.len() != to.len() || from.is_empty() {
        return None;
    }
    let mut goals = Vec::new();
    for (at, (before, after)) in from.iter().zip(to).enumerate() {
        let difference = after.substitute(&transition.after).subtract(before);
        goals.push(match (is_removed, at) {
            (false, _) => difference,
            (true, 0) => difference.shifted(1),
            (true, _) => difference.subtract(&from[at - 1]).shifted(1),
        });
    }
    if is_removed {
        goals.push(from.last()?.times(&(-1).into()));
    }
    Some(goals)
}

/// What is known on each transition, invariants of its source included. Fails if an invariant is
/// not one of its location.
pub(super) fn premises(
    system: &System,
    invariants: &[Invariants],
) -> Result<Vec<Vec<Affine>>, String> {
    let mut rows: BTreeMap<usize, Vec<Affine>> = BTreeMap::new();
    for Invariants {
        location,
        rows: own,
    } in invariants
    {
        let count = system
            .locations
            .get(*location)
            .map(|location| location.variables);
        // The first location is where the program starts, whatever its variables are.
        if *location == 0 || own.iter().any(|row| Some(row.coefficients.len()) != count) {
            return Err("its invariants are not those of a location".into());
        }
        let own = own.iter().map(AffineRecord::affine);
        if rows.insert(*location, own.collect()).is_some() {
            return Err("a location has invariants twice".into());
        }
    }
    let of = |transition: &super::system::Transition| {
        let own = rows.get(&transition.from).into_iter().flatten();
        transition.known.iter().chain(own).cloned().collect()
    };
    Ok(system.transitions.iter().map(of).collect())
}

/// Checks that invariants hold. Returns what is known on each transition.
pub(super) fn check_invariants(
    system: &System,
    proof: &UnboundedProof,
) -> Result<Vec<Vec<Affine>>, String> {
    let premises = premises(system, &proof.invariants)?;
    let shown = shown(&premises);
    let mut preserved = proof.preserved.iter();
    for (number, transition) in system.transitions.iter().enumerate() {
        let invariants = proof
            .invariants
            .iter()
            .find(|one| one.location == transition.to);
        let Some(Invariants { rows, .. }) = invariants else {
            continue;
        };
        let multipliers = preserved.next().filter(|all| all.len() == rows.len());
        let multipliers = multipliers.ok_or("there are no multipliers for an invariant")?;
        for (row, multipliers) in rows.iter().zip(multipliers) {
            shown(
                number,
                multipliers,
                &row.affine().substitute(&transition.after),
            )?;
        }
    }
    if preserved.next().is_some() {
        return Err("there are multipliers without an invariant".into());
    }
    drop(shown);
    Ok(premises)
}

/// Checks invariants, and steps that show that transitions are never taken. Returns which these
/// are.
pub(super) fn check_impossible(
    system: &System,
    proof: &UnboundedProof,
) -> Result<Vec<bool>, String> {
    let premises = check_invariants(system, proof)?;
    let shown = shown(&premises);
    let mut found = vec![false; system.transitions.len()];
    for step in &proof.steps {
        let Step::Impossible {
            transition,
            multipliers,
        } = step
        else {
            return Err("a step does not show that a transition is never taken".into());
        };
        let one = found.get_mut(*transition);
        *one.ok_or("there is no such transition")? = true;
        shown(*transition, multipliers, &Affine::constant(1))?;
    }
    Ok(found)
}

/// Whether multipliers of what is known on transitions show what they should.
fn shown(
    premises: &[Vec<Affine>],
) -> impl Fn(usize, &[Rational], &Affine) -> Result<(), String> + '_ {
    |transition, multipliers, goal| {
        let multipliers: Vec<_> = multipliers.iter().map(|one| one.0.clone()).collect();
        match shows(&premises[transition], &multipliers, goal) {
            true => Ok(()),
            false => Err(format!(
                "the multipliers for transition {transition} do not show it"
            )),
        }
    }
}

/// Checks a proof. `Err` says what does not hold.
pub(super) fn check(system: &System, proof: &UnboundedProof) -> Result<(), String> {
    let premises = check_invariants(system, proof)?;
    let shown = shown(&premises);
    let order = Order::new(system, &premises);
    let mut is_alive = vec![true; system.transitions.len()];
    for step in &proof.steps {
        match step {
            Step::Impossible {
                transition,
                multipliers,
            } => {
                let alive = is_alive
                    .get_mut(*transition)
                    .ok_or("there is no such transition")?;
                shown(*transition, multipliers, &Affine::constant(1))?;
                *alive = false;
            }
            Step::Decreases { functions, works } => {
                let components = order.components(&is_alive);
                decreases(system, (functions, works), &components, &shown)?;
                for work in works.iter().filter(|work| work.is_removed) {
                    is_alive[work.transition] = false;
                }
            }
        }
    }
    let components = order.components(&is_alive);
    match components.iter().position(Option::is_some) {
        Some(one) => Err(format!("transition {one} may be taken again and again")),
        None => Ok(()),
    }
}

/// Checks that multipliers of what holds on a transition show that an expression is at most zero
/// there.
type Shows<'a> = dyn Fn(usize, &[Rational], &Affine) -> Result<(), String> + 'a;

/// Checks that functions decrease on what they should, and that they grow on no transition of their
/// component that is left.
fn decreases(
    system: &System,
    (functions, works): (&[FunctionRecord], &[Works]),
    components: &[Option<usize>],
    shown: &Shows<'_>,
) -> Result<(), String> {
    let mut known = BTreeMap::new();
    for FunctionRecord {
        location,
        components,
    } in functions
    {
        let variables = system
            .locations
            .get(*location)
            .map(|location| location.variables);
        if components
            .iter()
            .any(|one| Some(one.coefficients.len()) != variables)
        {
            return Err("a function is not one of its location".into());
        }
        let components: Vec<Affine> = components.iter().map(AffineRecord::affine).collect();
        if known.insert(*location, components).is_some() {
            return Err("a location has two functions".into());
        }
    }
    let first = works.first().ok_or("a step shows nothing")?;
    let component = components.get(first.transition).copied().flatten();
    let component = component.ok_or("a step speaks of a transition that is not left")?;
    let must = |one: &usize| components[*one] == Some(component);
    let expected: Vec<usize> = (0..components.len()).filter(must).collect();
    if !works.iter().map(|work| work.transition).eq(expected) {
        return Err("a step does not speak of all transitions that are left".into());
    }
    for work in works {
        let goals = goals(system, &known, work.transition, work.is_removed);
        let goals = goals.ok_or("a location has no function")?;
        if goals.len() != work.multipliers.len() {
            return Err("there are not as many multipliers as inequalities".into());
        }
        for (goal, multipliers) in goals.iter().zip(&work.multipliers) {
            shown(work.transition, multipliers, goal)?;
        }
    }
    Ok(())
}
