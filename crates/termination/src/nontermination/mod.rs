//! Proofs for one lasso.
//!
//! The engines, in the order in which they are tried, cheapest first:
//!
//! - `orbit`: the example's inputs, executed further; a state that repeats is a proof.
//! - `repeat`: equation (5) of the paper, for the loop unrolled once, twice, …: a state reachable
//!   through the stem that repeats, inputs of each iteration chosen by the solver.
//! - `rank`: a lexicographic ranking function: no run goes around forever.
//! - `closed`: a recurrent set over bit vectors, guessed from a run and checked.
//! - `identities`: a recurrent set of polynomial equations, asked before all others
//!   ([`prove_by_equations`]): ring laws decide, not a solver.
//! - `together`: the two before for several paths of one loop at once.
//! - `integer`: a linear recurrent set over mathematical integers, by Farkas' lemma.
//!
//! On a machine the state is finite, so every run forever repeats a state sooner or later; sets are
//! for those where it is later than anyone can wait, as with a counter of 32 bits that takes
//! every value.

mod atoms;
mod components;
mod identities;
mod integer;
pub(crate) mod invariants;
mod neighbours;
mod orbit;
pub(crate) mod policies;
pub(crate) mod rank;
mod recurrence_set;
pub(crate) mod repeat;
mod seeds;
pub(crate) mod step;
mod synthesis;
mod together;

use crate::affine::Affine;
use crate::certificate::{
    Certificate, ChoiceRecord, Claim, FORMAT, IdentityRecord, IterationSequenceRecord, Number,
    Numbers, Writer,
};
use crate::certify::{Closed, Rejection, clauses_of_closure, table::Table};
use crate::clausal::{self, Refutation};
use crate::problem::Lasso;
use impasse_solver::work::Moment;
use impasse_solver::{Term, Terms, Values};
use num_bigint::BigInt;
use num_rational::BigRational;
use repeat::Unrolled;
use std::time::Duration;
use step::Step;

pub use identities::is_nonlinear_equation;
pub(crate) use integer::read_until;
pub use rank::Ranking;
pub use together::prove_together;

/// How often the loop is unrolled before anything else is tried.
const FIRST_UNROLLINGS: usize = 2;

/// Which numbers a proof may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Only the machine's: vectors of bits.
    Machine,
    /// Only mathematical integers: overflow does not exist.
    Integer,
    /// Either; machine first.
    Both,
}

/// What to look for and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which numbers.
    pub arithmetic: Arithmetic,
    /// How long in all.
    pub time: Duration,
    /// How often the loop is unrolled at most.
    pub unrollings: usize,
    /// How many iterations of a concrete run are followed at most.
    pub iterations: u64,
    /// Whether to try only what takes a few milliseconds.
    pub is_brief: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arithmetic: Arithmetic::Machine,
            time: Duration::from_secs(10),
            unrollings: 8,
            iterations: 50_000,
            is_brief: false,
        }
    }
}

/// What was proved of a lasso.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// With these inputs the program goes around forever.
    Nonterminating(Box<Proof>),
    /// Nothing goes around forever through the iterations of the lasso.
    Terminating(Ranking),
    /// Neither was found, and why.
    Unknown(String),
}

/// A proof that a lasso is never left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Values for the stem's inputs.
    pub inputs: Values,
    /// The iterations before the state or the set of the evidence is reached. Over integers they
    /// read what the policy says.
    pub before: IterationSequence,
    /// Why the run runs forever from there.
    pub evidence: Evidence,
}

/// Iterations of a concrete run. Wherever several iterations could be taken, the first of the
/// lasso's is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IterationSequence {
    /// So many iterations that read nothing.
    Forced(u64),
    /// Iterations with what each reads.
    Chosen(Vec<Choice>),
}

/// One iteration of a concrete run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Which of the lasso's iterations.
    pub iteration: usize,
    /// The values of its inputs, in their order.
    pub inputs: Vec<u128>,
}

/// Why a run never leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// After these iterations it is in the same state.
    Repeats {
        /// The iterations; at least one.
        cycle: IterationSequence,
        /// The values of the variables, in their order.
        state: Vec<u128>,
    },
    /// From every state of a set, some iteration leads into the set, over bit vectors.
    Closed {
        /// What holds of the states of the set, over the lasso's variables; all of it.
        set: Vec<Term>,
        /// For each iteration what is read in it, over the lasso's variables. In each state of the
        /// set, one whose guard then holds leads into the set.
        policy: Vec<Vec<Term>>,
    },
    /// Over integers, some iterations lead from every state of a set into the set.
    Linear(LinearRecurrenceSet),
}

/// A set of integer states that is given by inequalities, and the proof that it is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearRecurrenceSet {
    /// The names of the variables, for people.
    pub names: Vec<String>,
    /// Expressions over the lasso's variables, numbered in their order, that are at most zero.
    pub set: Vec<Affine>,
    /// How many iterations lead back into it.
    pub iterations: usize,
    /// Variables that have one value in all states of the set.
    pub fixed: Vec<(usize, BigInt)>,
    /// For each iteration what is read in it.
    pub policy: Vec<Vec<Affine>>,
    /// The multipliers that show that it is closed.
    pub multipliers: Vec<Vec<BigRational>>,
}

impl IterationSequence {
    /// How many iterations.
    pub fn len(&self) -> u64 {
        match self {
            IterationSequence::Forced(iterations) => *iterations,
            IterationSequence::Chosen(choices) => choices.len() as u64,
        }
    }

    fn record(&self) -> IterationSequenceRecord {
        match self {
            IterationSequence::Forced(iterations) => IterationSequenceRecord::Forced(*iterations),
            IterationSequence::Chosen(choices) => {
                let record = |choice: &Choice| ChoiceRecord {
                    iteration: choice.iteration,
                    inputs: choice.inputs.iter().map(|&value| Number(value)).collect(),
                };
                IterationSequenceRecord::Chosen(choices.iter().map(record).collect())
            }
        }
    }

    /// Whether it has no iterations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The work that is left.
pub(crate) struct Budget {
    end: Moment,
}

impl Budget {
    /// All that there is until then.
    pub(crate) fn until(end: Moment) -> Budget {
        Budget { end }
    }

    /// What may be spent on one question: no more than `most`, nor more than what is left.
    fn slice(&self, most: Duration) -> Duration {
        most.min(self.end.since(Moment::now()))
    }

    /// A part of what is left.
    fn part(&self, percent: u32) -> Budget {
        let now = Moment::now();
        Budget {
            end: now + self.end.since(now) * percent / 100,
        }
    }

    fn is_spent(&self) -> bool {
        self.end.is_over()
    }
}

impl Proof {
    /// Which numbers it speaks of.
    pub fn numbers(&self) -> Numbers {
        match self.evidence {
            Evidence::Linear(_) => Numbers::Integer,
            _ => Numbers::Machine,
        }
    }
    /// The proof as a certificate, if its set is one indeed: a second solver is asked, for up to
    /// `time`.
    pub fn certificate(
        &self,
        terms: &Terms,
        lasso: &Lasso,
        time: Duration,
    ) -> Result<Certificate, Rejection> {
        let mut writer = Writer::new(terms);
        // The lasso comes first: its part of the table is the same whatever is proved of it.
        let mut record = writer.lasso(lasso);
        let number = |symbol| Number(self.inputs.get(symbol));
        let inputs = lasso
            .stem
            .inputs
            .iter()
            .map(|input| number(input.symbol))
            .collect();
        let mut claim = match &self.evidence {
            Evidence::Repeats { cycle, state } => Claim::RepeatedState {
                cycle: cycle.record(),
                state: state.iter().map(|&value| Number(value)).collect(),
            },
            Evidence::Closed { set, policy } => Claim::RecurrenceSet {
                shown: set.iter().map(|&condition| terms.show(condition)).collect(),
                set: set
                    .iter()
                    .map(|&condition| writer.write(condition))
                    .collect(),
                policy: policy
                    .iter()
                    .map(|reads| reads.iter().map(|&read| writer.write(read)).collect())
                    .collect(),
                identities: identities::of(terms, lasso, (set, policy), &mut writer),
                steps: None,
            },
            Evidence::Linear(linear) => linear.claim(),
        };
        record.terms = writer.into_lines();
        if let Claim::RecurrenceSet {
            set,
            policy,
            identities,
            steps,
            ..
        } = &mut claim
        {
            let table = Table::read(&record.terms)?;
            let clauses = |identities: &[IdentityRecord]| {
                let closed = Closed {
                    set,
                    policy,
                    identities,
                };
                clauses_of_closure(&record, &table, &closed)
            };
            let mut found = clauses(identities);
            if found.is_err() {
                identities.clear();
                found = clauses(&[]);
            }
            let clauses = found?;
            match clausal::refute(&clauses, Moment::now() + time) {
                Refutation::Steps(found) => *steps = Some(found),
                Refutation::Satisfiable => {
                    return Err(Rejection::new(
                        "two solvers disagree whether the set is closed",
                    ));
                }
                Refutation::Unknown => {}
            }
        }
        let before = self.before.record();
        Ok(Certificate {
            format: FORMAT,
            arithmetic: self.numbers(),
            lasso: record,
            inputs,
            before,
            claim,
        })
    }
}

/// Looks for a proof that the lasso is never left, or that it always is.
pub fn prove(terms: &Terms, lasso: &Lasso, options: &Options) -> Verdict {
    if let Err(what) = lasso.check(terms) {
        return Verdict::Unknown(format!("the lasso is malformed: {what}"));
    }
    let budget = Budget {
        end: Moment::now() + options.time,
    };
    let on_machine = match options.arithmetic {
        Arithmetic::Integer => None,
        _ => {
            let (special, known) = step::specialise(terms, lasso);
            let general = (!known.is_empty()).then(|| Step::new(terms, lasso, Vec::new()));
            prove_machine(
                &Step::new(terms, &special, known),
                general.as_ref(),
                options,
                &budget,
            )
        }
    };
    if let Some(Verdict::Nonterminating(_)) = on_machine {
        return on_machine.expect("a verdict");
    }
    if options.arithmetic != Arithmetic::Machine
        && let Some(proof) = integer::look_for(&Step::new(terms, lasso, Vec::new()), &budget)
    {
        return Verdict::Nonterminating(Box::new(proof));
    }
    if let Some(verdict) = on_machine {
        return verdict;
    }
    Verdict::Unknown(if budget.is_spent() {
        format!("no proof within {} s", options.time.as_secs())
    } else {
        "neither a repeated state, nor a recurrent set, nor a ranking function was found".into()
    })
}

/// Looks only for a set of machine states given by equations, for up to `time`: a guard of
/// polynomial equations that imply themselves by ring laws, and little else. Takes next to no time
/// where the guard has none. If so asked, only sets that the example stays in for a while.
pub fn prove_by_equations(
    terms: &Terms,
    lasso: &Lasso,
    (time, only_on_example): (Duration, bool),
) -> Option<Proof> {
    let budget = Budget::until(Moment::now() + time);
    let of = |lasso: &Lasso| {
        let (special, known) = step::specialise(terms, lasso);
        let step = Step::new(terms, &special, known);
        recurrence_set::by_equations(&step, only_on_example, &budget)
    };
    of(lasso).or_else(|| of(&step::on_example(terms, lasso)))
}

/// Proofs over bit vectors. A ranking function is looked for in the general iterations as well, if
/// there are any other than those of `step`: one that relies on no constant holds with any stem.
fn prove_machine(
    step: &Step,
    general: Option<&Step>,
    options: &Options,
    budget: &Budget,
) -> Option<Verdict> {
    let nonterminating = |proof: Proof| Verdict::Nonterminating(Box::new(proof));
    if options.is_brief {
        if let Unrolled::Repeats(proof) = repeat::look_for(step, 1, &budget.part(30)) {
            return Some(nonterminating(proof));
        }
        return recurrence_set::look_for(step, options, budget).map(nonterminating);
    }
    if let Some(proof) = orbit::from_example(step, options.iterations, &budget.part(15)) {
        return Some(nonterminating(proof));
    }
    match repeat::look_for(
        step,
        FIRST_UNROLLINGS.min(options.unrollings),
        &budget.part(30),
    ) {
        Unrolled::Repeats(proof) => return Some(nonterminating(proof)),
        Unrolled::Bound(iterations) => {
            return Some(Verdict::Terminating(Ranking::Bound(iterations)));
        }
        Unrolled::Nothing => {}
    }
    if let Some(ranking) = general.and_then(|general| rank::everywhere(general, &budget.part(15))) {
        return Some(Verdict::Terminating(ranking));
    }
    if let Some(ranking) = rank::look_for(step, &budget.part(40)) {
        return Some(Verdict::Terminating(ranking));
    }
    if let Some(proof) = recurrence_set::look_for(step, options, &budget.part(60)) {
        return Some(nonterminating(proof));
    }
    if let Some(Proof {
        inputs,
        evidence: Evidence::Linear(set),
        ..
    }) = integer::look_for(step, &budget.part(40))
        && let Some(proof) =
            recurrence_set::from_integers(step, (&inputs, &set), options, &budget.part(40))
    {
        return Some(nonterminating(proof));
    }
    match repeat::look_for(step, options.unrollings, budget) {
        Unrolled::Repeats(proof) => Some(nonterminating(proof)),
        Unrolled::Bound(iterations) => Some(Verdict::Terminating(Ranking::Bound(iterations))),
        Unrolled::Nothing => None,
    }
}
