//! Endless executions that take several paths of a loop, in an order that no pattern describes.
//!
//! Of a loop whose iterations took a few different paths, these paths together are a lasso; a
//! recurrence set is looked for in whose states some of them can always be taken. The program is
//! then executed with the inputs that the set's policy chooses. In that execution all paths must
//! occur, and the certificate names the visits between which each lies.

use super::candidates::{self, Signature};
use super::confirm::{LONGEST, chain_at, said_of};
use super::{Endless, Pass, Reason, Search};
use crate::concolic::derive::PathInputs;
use crate::concolic::iteration::{LoopRelation, StemSearch};
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::several::{Pair, lasso, lasso_of, relations};
use crate::concolic::trace::{End, Trace};
use crate::nontermination::step::{Runner, Step};
use crate::nontermination::{self, Arithmetic, Evidence, Proof, prove_together};
use crate::problem::{Lasso, Overflow};
use impasse_machine::base::fault::CodePlace;
use impasse_solver::work::Moment;
use impasse_solver::{Evaluator, Term, Terms, Values};
use std::time::Duration;

/// How many different paths a lasso may have.
const PATHS: usize = 6;
/// How much work is done for one lasso, and how much where only equations are tried.
const LASSO: Duration = Duration::from_millis(400);
const EQUATIONS: Duration = Duration::from_millis(150);
/// How many lassos of a loop are asked about, not counting those of equations alone.
const LASSOS: usize = 4;
/// How many iterations are executed, until all paths occur.
const SHOWN: [usize; 2] = [64, 4096];

/// Paths of a loop in an execution.
struct Paths {
    place: CodePlace,
    /// The visit at which the loop is entered.
    visit: u32,
    /// An iteration on each path.
    pairs: Vec<Pair>,
    signatures: Vec<Signature>,
}

/// The paths of each loop that took a few, those of loops that the execution was in last first:
/// from its first visit on, and from one in the middle.
fn paths(trace: &Trace) -> Vec<Paths> {
    let mut found: Vec<Paths> = Vec::new();
    for chain in candidates::chains(trace) {
        for from in [0, chain.len() / 2] {
            let windows = chain[from..].windows(2);
            let all: Vec<Pair> = windows.map(|pair| (pair[0], pair[1])).collect();
            let each = candidates::signatures(trace, &all);
            let mut paths = Paths {
                place: trace.visits[chain[from] as usize].place,
                visit: chain[from],
                pairs: Vec::new(),
                signatures: Vec::new(),
            };
            for (pair, signature) in all.into_iter().zip(each) {
                if !paths.signatures.contains(&signature) {
                    paths.pairs.push(pair);
                    paths.signatures.push(signature);
                }
                if paths.pairs.len() > PATHS {
                    break;
                }
            }
            if (2..=PATHS).contains(&paths.pairs.len()) {
                found.push(paths);
            }
        }
    }
    found
}

impl Search<'_, '_> {
    /// Looks for sets that several paths of a loop together never leave; `is_brief` says whether
    /// only for equations.
    pub(super) fn by_several_paths(
        &mut self,
        trace: &Trace,
        pass: Pass,
        is_brief: bool,
    ) -> Option<Endless> {
        if self.arithmetic == Arithmetic::Integer || trace.skipped > 0 {
            return None;
        }
        for paths in paths(trace) {
            for &overflow in self.assumptions() {
                if self.out_of_time() || !(is_brief || self.may_prove(pass)) {
                    return None;
                }
                let asked = self.together.iter().filter(|(place, of, brief, _)| {
                    (*place, *of, *brief) == (paths.place, overflow, false)
                });
                if !is_brief && asked.count() >= LASSOS {
                    continue;
                }
                let mut key = paths.signatures.clone();
                key.sort_unstable();
                if !self.together.insert((paths.place, overflow, is_brief, key)) {
                    continue;
                }
                let before = Moment::now();
                let found = self.of_paths(trace, &paths, (overflow, is_brief));
                self.proving += Moment::now().since(before);
                match found {
                    Some(endless) if overflow == Overflow::Undefined => return Some(endless),
                    Some(endless) => self.keep_conditional(endless),
                    None => {}
                }
            }
        }
        None
    }

    fn of_paths(
        &mut self,
        trace: &Trace,
        paths: &Paths,
        (overflow, is_brief): (Overflow, bool),
    ) -> Option<Endless> {
        let (subject, terms) = (self.subject, self.terms);
        let each = relations(subject, terms, trace, (&paths.pairs, overflow)).ok()?;
        if is_brief && !each.iter().any(|one| self.has_equations(one)) {
            return None;
        }
        let mut inputs = PathInputs::default();
        let mut stems = StemSearch::new(subject, terms, trace, &mut inputs, overflow);
        let lasso = lasso(&each, paths.visit, &mut stems)?;
        let options = nontermination::Options {
            time: self.left(if is_brief { EQUATIONS } else { LASSO }),
            is_brief,
            ..nontermination::Options::default()
        };
        let proof = prove_together(terms, &lasso, &options);
        tracing::debug!(
            paths = each.len(),
            ?overflow,
            found = proof.is_some(),
            "asked of paths"
        );
        let said = (terms, &lasso, &proof?);
        let time = self.left(Duration::from_secs(20));
        let found = SHOWN
            .into_iter()
            .find_map(|shown| seen(subject, (trace, paths, overflow), said, (shown, time)));
        self.statistics.unconfirmed += u64::from(found.is_none());
        found
    }
}

/// The execution that a proof speaks of, if all paths occur in so many of its iterations, with a
/// certificate that holds.
fn seen(
    subject: &Subject<'_>,
    (trace, paths, overflow): (&Trace, &Paths, Overflow),
    (terms, lasso, proof): (&Terms, &Lasso, &Proof),
    (shown, time): (usize, Duration),
) -> Option<Endless> {
    let step_of = |visit: u32| trace.visits[visit as usize].step as usize;
    let lengths = paths
        .pairs
        .iter()
        .map(|&(from, to)| step_of(to) - step_of(from));
    let start = step_of(paths.visit);
    let steps = lengths
        .max()?
        .checked_mul(shown)?
        .checked_add(start + 1000)?;
    let values = chosen(terms, lasso, proof, shown)?;
    let reads = lasso.iterations.iter().any(|one| !one.inputs.is_empty());
    let bounds = Bounds {
        steps: Some(steps).filter(|&steps| steps <= LONGEST)?,
        inputs: values.len() + usize::from(!reads),
        skip: 0,
    };
    let seen = execute(subject, &values, bounds);
    if seen.end != End::Cut && seen.repeated.is_none() {
        return None;
    }
    let of_start = |visit: &crate::concolic::trace::Visit| visit.step as usize;
    let first = seen.visits.binary_search_by_key(&start, of_start).ok()? as u32;
    let (chain, at) = chain_at(&seen, first)?;
    let windows = chain[at..].windows(2);
    let all: Vec<Pair> = windows.map(|pair| (pair[0], pair[1])).collect();
    let each = candidates::signatures(&seen, &all);
    let place = |wanted: &Signature| Some(all[each.iter().position(|one| one == wanted)?]);
    let pairs: Vec<Pair> = paths.signatures.iter().map(place).collect::<Option<_>>()?;
    let bounds = Bounds {
        steps: seen.steps.len() + 1,
        inputs: seen.values.len(),
        skip: 0,
    };
    let again = execute(subject, &seen.values, bounds);
    let own = Terms::new();
    let (mut relations, derived) =
        lasso_of(subject, &own, &again, first, (&pairs, overflow)).ok()?;
    let proof = said_of(proof, (terms, lasso), (&own, &derived))?;
    let certificate = proof.certificate(&own, &derived, time).ok()?;
    crate::certify::certify(&certificate).ok()?;
    let taken = pairs.iter().position(|&(from, _)| from == first)?;
    let relation: LoopRelation = relations.swap_remove(taken);
    Some(Endless {
        trace: seen,
        relation,
        paths: pairs,
        iterations: 1,
        reason: Reason::Proved(Box::new(certificate)),
    })
}

/// The inputs of an execution that enters a recurrence set at once, with so many iterations.
fn chosen(terms: &Terms, lasso: &Lasso, proof: &Proof, shown: usize) -> Option<Vec<u64>> {
    let Evidence::Closed { policy, set } = &proof.evidence else {
        return None;
    };
    if !proof.before.is_empty() {
        return None;
    }
    let stem = lasso.stem.inputs.iter();
    let mut read: Vec<u64> = stem
        .map(|input| proof.inputs.get(input.symbol) as u64)
        .collect();
    let step = Step::new(terms, lasso, Vec::new());
    let mut runner = Runner::new(&step);
    let flat: Vec<Term> = policy.iter().flatten().copied().collect();
    let mut choose = Evaluator::new(terms, &flat);
    let mut is_inside = Evaluator::new(terms, set);
    let mut state = step.enter(&proof.inputs)?;
    let named = |state: &[u128]| -> Values {
        let variables = lasso.variables.iter().map(|variable| variable.symbol);
        variables.zip(state.iter().copied()).collect()
    };
    for _ in 0..shown {
        let mut values = choose.run(&named(&state)).into_iter();
        let inputs: Vec<Vec<u128>> = policy
            .iter()
            .map(|reads| values.by_ref().take(reads.len()).collect())
            .collect();
        // The first path that can be taken and leads into the set.
        let mut each = inputs.iter().enumerate();
        let (taken, next) = each.find_map(|(at, inputs)| {
            let next = runner.take(at, &state, inputs)?;
            let stays = !is_inside.run(&named(&next)).contains(&0);
            stays.then_some((at, next))
        })?;
        read.extend(inputs[taken].iter().map(|&value| value as u64));
        state = next;
    }
    Some(read)
}
