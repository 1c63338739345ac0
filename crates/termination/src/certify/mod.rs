//! The checker of certificates. It uses no solver and nothing of the solver's crate.
//!
//! What it checks is that the lasso of the certificate goes around forever: the inputs take the
//! stem, the iterations before can be taken, and then either the run returns to the state it is
//! in, or it is in a set that is closed. A run is computed iteration by iteration ([`circuit`] with
//! constants). That a set of machine states is closed is a statement on all of them: the circuit
//! that looks for a state of the set without an iteration back into it is turned into clauses, and
//! the certificate's steps must refute them ([`clauses`]). Equations that follow from equations of
//! the set by the laws of rings need no clauses ([`identities`]).
//!
//! Over integers ([`linear`]) an iteration is affine near the state that is reached ([`integers`]);
//! that a set given by inequalities is closed follows from multiples of them, which the certificate
//! gives ([`crate::affine`]).
//!
//! What it cannot check is that the lasso is one of the program: that the terms say what the
//! program computes. For that `impasse certify` executes the program with the inputs and derives
//! the lasso again ([`crate::concolic::derive`]).

pub mod circuit;
pub mod clauses;
mod gates;
pub mod identities;
pub mod integers;
pub mod linear;
pub mod table;
pub(crate) mod validity;

use crate::certificate::{
    Certificate, Claim, FORMAT, IdentityRecord, Index, InputRecord, IterationSequenceRecord,
    LassoRecord, Number, Numbers,
};
use circuit::{Bus, Circuit, Computation, TRUE, Wire, constant, number};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use table::Table;

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection(String);

impl Rejection {
    pub(crate) fn new(why: impl Into<String>) -> Rejection {
        Rejection(why.into())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Rejection {}

/// What was checked of a certificate that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What was checked and how, a sentence each.
    pub statements: Vec<String>,
    /// What is not checked here and rests on the solver that found the proof.
    pub unchecked: Option<String>,
}

/// Checks a certificate.
pub fn certify(certificate: &Certificate) -> Result<Checked, Rejection> {
    if certificate.format != FORMAT {
        return Err(Rejection::new(format!(
            "the certificate has form {}, not {FORMAT}",
            certificate.format
        )));
    }
    let lasso = &certificate.lasso;
    let table = Table::read(&lasso.terms)?;
    well_formed(lasso, &table)?;
    let checker = Checker { lasso, table };
    match (&certificate.claim, certificate.arithmetic) {
        (Claim::RepeatedState { cycle, state }, Numbers::Machine) => {
            checker.repeated(certificate, cycle, state)
        }
        (
            Claim::RecurrenceSet {
                set,
                policy,
                identities,
                steps,
                ..
            },
            Numbers::Machine,
        ) => {
            let closed = Closed {
                set,
                policy,
                identities,
            };
            checker.closed(certificate, &closed, steps.as_deref())
        }
        (
            Claim::LinearRecurrenceSet {
                iterations,
                fixed,
                policy,
                set,
                multipliers,
                ..
            },
            Numbers::Integer,
        ) => checker.linear(
            certificate,
            &linear::Linear {
                iterations: *iterations,
                fixed: *fixed,
                policy,
                set,
                multipliers,
            },
        ),
        _ => Err(Rejection::new(
            "a claim on machine states cannot be one on integers",
        )),
    }
}

/// Checks what the rest relies on: places exist, widths agree, variables are variables.
fn well_formed(lasso: &LassoRecord, table: &Table) -> Result<(), Rejection> {
    let malformed = |what: &str| Rejection::new(format!("{what} of the lasso is malformed"));
    let exists = |at: Index| at < table.entries.len();
    let is_variable = |at: Index| exists(at) && table.entries[at].0 == table::Entry::Variable;
    let is_bit = |at: Index| exists(at) && table.width(at) == 1;
    let state_like = |values: &[Index]| {
        values.len() == lasso.variables.len()
            && values
                .iter()
                .zip(&lasso.variables)
                .all(|(&value, v)| exists(value) && table.width(value) == table.width(v.term))
    };
    if !lasso
        .variables
        .iter()
        .all(|variable| is_variable(variable.term))
    {
        return Err(malformed("the state"));
    }
    let inputs_are = |inputs: &[InputRecord]| inputs.iter().all(|input| is_variable(input.term));
    let stem = &lasso.stem;
    if !inputs_are(&stem.inputs)
        || !stem.conditions.iter().all(|c| is_bit(c.term))
        || !state_like(&stem.entry)
    {
        return Err(malformed("the stem"));
    }
    for iteration in &lasso.iterations {
        let conditions = iteration
            .guard
            .iter()
            .map(|c| c.term)
            .chain(iteration.hazards.iter().map(|h| h.term));
        if !inputs_are(&iteration.inputs)
            || !conditions.into_iter().all(is_bit)
            || !state_like(&iteration.updates)
        {
            return Err(malformed("an iteration"));
        }
    }
    Ok(())
}

/// A recurrence set.
pub struct Closed<'c> {
    /// What holds of its states.
    pub set: &'c [Index],
    /// For each iteration what is read in it.
    pub policy: &'c [Vec<Index>],
    /// What follows from the equations of the set.
    pub identities: &'c [IdentityRecord],
}

struct Checker<'c> {
    lasso: &'c LassoRecord,
    table: Table,
}

impl Checker<'_> {
    fn repeated(
        &self,
        certificate: &Certificate,
        cycle: &IterationSequenceRecord,
        state: &[Number],
    ) -> Result<Checked, Rejection> {
        let reached = self.reached(certificate)?;
        let expected: Vec<u128> = state.iter().map(|number| number.0).collect();
        if reached != expected {
            return Err(Rejection::new(
                "the run does not lead to the state that is said to repeat",
            ));
        }
        let iterations = cycle.iterations();
        if iterations == 0 {
            return Err(Rejection::new("a cycle has at least one iteration"));
        }
        if self.follow(reached.clone(), cycle)? != reached {
            return Err(Rejection::new(
                "the iterations do not lead back to the state",
            ));
        }
        let mut statements = self.entrance(certificate);
        statements.push(format!(
            "after {iterations} more the state is the same (computed)"
        ));
        Ok(Checked {
            statements,
            unchecked: None,
        })
    }

    fn closed(
        &self,
        certificate: &Certificate,
        claim: &Closed,
        steps: Option<&[Vec<i32>]>,
    ) -> Result<Checked, Rejection> {
        let reached = self.reached(certificate)?;
        let mut circuit = Circuit::new();
        let state = reached
            .iter()
            .zip(&self.lasso.variables)
            .map(|(&value, v)| constant(value, self.table.width(v.term)));
        let state: Vec<Bus> = state.collect();
        if self.contains(&mut circuit, claim.set, &state)? != TRUE {
            return Err(Rejection::new("the run does not lead into the set"));
        }
        let mut statements = self.entrance(certificate);
        statements.push("there the state is in the set (computed)".into());
        let clauses = clauses_of_closure(self.lasso, &self.table, claim)?;
        if !claim.identities.is_empty() {
            statements.push(format!(
                "{} equations follow from those of the set by the laws of rings (expanded)",
                claim.identities.len()
            ));
        }
        let closure = "from each state of the set an iteration can be taken, without undefined behaviour, into the set";
        let Some(steps) = steps else {
            return Ok(Checked {
                statements,
                unchecked: Some(format!("{closure}: only the solver says so")),
            });
        };
        if !clauses::refutes(&clauses, steps) {
            return Err(Rejection::new(format!("it does not follow that {closure}")));
        }
        statements.push(format!(
            "{closure} (a clausal proof of {} steps, checked)",
            steps.len()
        ));
        Ok(Checked {
            statements,
            unchecked: None,
        })
    }

    fn entrance(&self, certificate: &Certificate) -> Vec<String> {
        let iterations = certificate.before.iterations();
        vec![format!(
            "the inputs lead to the loop and through {iterations} iterations (computed)"
        )]
    }

    /// The state after the stem and the iterations before.
    fn reached(&self, certificate: &Certificate) -> Result<Vec<u128>, Rejection> {
        self.follow(self.entered(certificate)?, &certificate.before)
    }

    /// The state after the stem.
    fn entered(&self, certificate: &Certificate) -> Result<Vec<u128>, Rejection> {
        let stem = &self.lasso.stem;
        if stem.inputs.len() != certificate.inputs.len() {
            return Err(Rejection::new(
                "the certificate does not give each input of the stem a value",
            ));
        }
        let inputs = stem.inputs.iter().zip(&certificate.inputs);
        let mut circuit = Circuit::new();
        let values = inputs
            .map(|(input, value)| (input.term, constant(value.0, self.table.width(input.term))));
        let mut computation = Computation::new(&mut circuit, values.collect());
        for condition in &stem.conditions {
            if computation.bit(&self.table, condition.term) != Some(TRUE) {
                let Line(place) = Line::of(&condition.line);
                return Err(Rejection::new(format!(
                    "with the inputs the program takes another path at {place}"
                )));
            }
        }
        let entry = stem
            .entry
            .iter()
            .map(|&value| number(&computation.value(&self.table, value)?))
            .collect();
        let entry: Option<Vec<u128>> = entry;
        entry.ok_or_else(|| Rejection::new("the entry depends on more than the inputs"))
    }

    /// The state after a sequence of iterations.
    fn follow(
        &self,
        mut state: Vec<u128>,
        sequence: &IterationSequenceRecord,
    ) -> Result<Vec<u128>, Rejection> {
        let refused = |iteration: u64| {
            Rejection::new(format!("iteration {iteration} of the run cannot be taken"))
        };
        match sequence {
            IterationSequenceRecord::Forced(iterations) => {
                for iteration in 0..*iterations {
                    let next =
                        (0..self.lasso.iterations.len()).find_map(|at| self.take(at, &state, &[]));
                    state = next.ok_or_else(|| refused(iteration))?;
                }
            }
            IterationSequenceRecord::Chosen(choices) => {
                for (iteration, choice) in choices.iter().enumerate() {
                    let inputs: Vec<u128> = choice.inputs.iter().map(|number| number.0).collect();
                    let next = self.take(choice.iteration, &state, &inputs);
                    state = next.ok_or_else(|| refused(iteration as u64))?;
                }
            }
        }
        Ok(state)
    }

    /// The state after an iteration, if it can be taken.
    fn take(&self, iteration: usize, state: &[u128], inputs: &[u128]) -> Option<Vec<u128>> {
        let reads = &self.lasso.iterations.get(iteration)?.inputs;
        if reads.len() != inputs.len() {
            return None;
        }
        let bus = |at: Index, value: u128| constant(value, self.table.width(at));
        let state: Vec<Bus> = self
            .lasso
            .variables
            .iter()
            .zip(state)
            .map(|(variable, &value)| bus(variable.term, value))
            .collect();
        let inputs: Vec<Bus> = reads
            .iter()
            .zip(inputs)
            .map(|(input, &value)| bus(input.term, value))
            .collect();
        let (taken, next) = step(
            self.lasso,
            &self.table,
            &mut Circuit::new(),
            iteration,
            (&state, &inputs),
            &FxHashSet::default(),
        )?;
        (taken == TRUE).then(|| next.iter().map(|bus| number(bus)).collect())?
    }

    fn contains(
        &self,
        circuit: &mut Circuit,
        set: &[Index],
        state: &[Bus],
    ) -> Result<Wire, Rejection> {
        contains(self.lasso, &self.table, circuit, set, state)
    }
}

/// A place for people.
struct Line(String);

impl Line {
    fn of(line: &crate::problem::Line) -> Line {
        Line(format!("{}:{}", line.file, line.line))
    }
}

impl IterationSequenceRecord {
    /// How many iterations.
    pub fn iterations(&self) -> u64 {
        match self {
            IterationSequenceRecord::Forced(iterations) => *iterations,
            IterationSequenceRecord::Chosen(choices) => choices.len() as u64,
        }
    }
}

/// When an iteration is taken from a state with inputs, if the conditions of its guard in `shown`
/// hold, and the state after it.
fn step(
    lasso: &LassoRecord,
    table: &Table,
    circuit: &mut Circuit,
    iteration: usize,
    (state, inputs): (&[Bus], &[Bus]),
    shown: &FxHashSet<usize>,
) -> Option<(Wire, Vec<Bus>)> {
    let iteration = &lasso.iterations[iteration];
    let mut values = named(lasso, state);
    values.extend(
        iteration
            .inputs
            .iter()
            .map(|input| input.term)
            .zip(inputs.iter().cloned()),
    );
    let mut computation = Computation::new(circuit, values);
    let mut conditions = Vec::new();
    for (at, condition) in iteration.guard.iter().enumerate() {
        let holds = computation.bit(table, condition.term)?;
        conditions.push(if shown.contains(&at) { TRUE } else { holds });
    }
    for hazard in &iteration.hazards {
        conditions.push(computation.bit(table, hazard.term)?.inverse());
    }
    let next = iteration
        .updates
        .iter()
        .map(|&update| computation.value(table, update))
        .collect::<Option<_>>()?;
    Some((circuit.all(conditions), next))
}

fn named(lasso: &LassoRecord, state: &[Bus]) -> FxHashMap<Index, Bus> {
    lasso
        .variables
        .iter()
        .map(|variable| variable.term)
        .zip(state.iter().cloned())
        .collect()
}

fn contains(
    lasso: &LassoRecord,
    table: &Table,
    circuit: &mut Circuit,
    set: &[Index],
    state: &[Bus],
) -> Result<Wire, Rejection> {
    let mut computation = Computation::new(circuit, named(lasso, state));
    let bits: Option<Vec<Wire>> = set
        .iter()
        .map(|&condition| {
            (condition < table.entries.len())
                .then(|| computation.bit(table, condition))
                .flatten()
        })
        .collect();
    let bits = bits.ok_or_else(|| Rejection::new("the set is not one of states"))?;
    Ok(circuit.all(bits))
}

fn unfit_policy() -> Rejection {
    Rejection::new("the policy does not say what each iteration reads")
}

/// Clauses that are satisfied by the states of a set from which no iteration that can be taken,
/// with the inputs of the policy, leads into the set. What the
/// identities show is left out of what must hold. Fails if an identity is none.
pub fn clauses_of_closure(
    lasso: &LassoRecord,
    table: &Table,
    claim: &Closed,
) -> Result<Vec<Vec<i32>>, Rejection> {
    let Closed { set, policy, .. } = *claim;
    let shown = identities::check((lasso, table), set, policy, claim.identities)?;
    let mut circuit = Circuit::new();
    let state: Vec<Bus> = lasso
        .variables
        .iter()
        .map(|v| circuit.variables(table.width(v.term)))
        .collect();
    let before = contains(lasso, table, &mut circuit, set, &state)?;
    // Whether some iteration can be taken and leads into the set: inputs may choose between them.
    let mut stays = circuit::FALSE;
    for (at, (iteration, reads)) in lasso.iterations.iter().zip(policy).enumerate().rev() {
        let fits = |input: &InputRecord, read: Index| {
            read < table.entries.len() && table.width(read) == table.width(input.term)
        };
        if iteration.inputs.len() != reads.len()
            || !iteration
                .inputs
                .iter()
                .zip(reads)
                .all(|(input, &read)| fits(input, read))
        {
            return Err(unfit_policy());
        }
        let mut computation = Computation::new(&mut circuit, named(lasso, &state));
        let inputs: Option<Vec<Bus>> = reads
            .iter()
            .map(|&read| computation.value(table, read))
            .collect();
        let (taken, next) = inputs
            .and_then(|inputs| {
                let from = (&state[..], &inputs[..]);
                step(lasso, table, &mut circuit, at, from, &shown[at].guard)
            })
            .ok_or_else(unfit_policy)?;
        let left = set.iter().enumerate();
        let left = left.filter(|(condition, _)| !shown[at].set.contains(condition));
        let left: Vec<Index> = left.map(|(_, &condition)| condition).collect();
        let inside = contains(lasso, table, &mut circuit, &left, &next)?;
        let stays_here = circuit.and(taken, inside);
        stays = circuit.or(stays_here, stays);
    }
    let leaves = circuit.and(before, stays.inverse());
    Ok(circuit.clauses(leaves))
}
