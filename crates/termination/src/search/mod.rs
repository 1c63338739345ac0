//! Looks for inputs on which a program runs forever.
//!
//! Section 4 of "Proving Non-Termination" (Gupta, Henzinger, Majumdar, Rybalchenko, Xu; POPL 2008).
//! All paths are enumerated depth-first, within bounds that grow; whenever an execution passes a
//! cutpoint again, the iteration between the two visits goes to the provers. Departures from the
//! paper:
//!
//! - An execution is recorded once, and iterations are cut out of the record afterwards: any two
//!   visits make a lasso, at no cost to the execution.
//! - A state that repeats within one execution needs no solver, and is looked for first, over any
//!   number of iterations.
//! - Iterations that take the same path are given to the provers with a few stems only.
//!
//! *When the program terminates.* Loops whose number of iterations depends on the inputs have more
//! paths than can be enumerated: once the first, cheap pass has found nothing, a proof for all of
//! them at once is looked for ([`crate::termination`]). Where that fails: if within some bounds
//! every alternative of every decision was taken or has no inputs, and every path ended by itself,
//! then every execution is one of these paths.

mod analyse;
mod candidates;
mod confirm;
mod enumerate;
mod glance;
mod incompleteness;
mod integers;
mod later;
mod limits;
pub mod paths;
mod several;
mod tree;

use crate::certificate::Certificate;
use crate::concolic::acceleration::Inner;
use crate::concolic::derive::PathInputs;
use crate::concolic::iteration::LoopRelation;
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::trace::Trace;
use crate::nontermination::Arithmetic;
use crate::problem::{Line, Overflow};
use crate::termination::record::TerminationProof;
use crate::unbounded::{EndlessProof, UnboundedProof, Unproved};
use candidates::{Signature, chain_of};
pub use confirm::LONGEST;
use enumerate::seeds;
use glance::ranked;
use impasse_machine::base::fault::{CodePlace, ErrorKind};
use impasse_solver::work::{Moment, set_deadline};
use impasse_solver::{Solver, Terms};
pub use incompleteness::Incompleteness;
use paths::PathsProof;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tree::Tree;

/// What the search tries to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// That the program runs forever, or that it ends.
    Both,
    /// That the program runs forever on some inputs.
    Endless,
    /// That it ends on all inputs, by ranking functions, without executing it.
    End,
}

/// What a search looks for, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to prove.
    pub goal: Goal,
    /// Which integers a proof may be about.
    pub arithmetic: Arithmetic,
    /// The time limit of the whole search.
    pub time: Duration,
    /// How much work it may do, if that is limited.
    pub work: Option<Duration>,
    /// Known reasons why the paths over the inputs are not all, for people.
    pub gaps: Vec<String>,
}

/// Why an execution never ends.
pub enum Reason {
    /// Everything that decides its path is the same at two visits of the cutpoint.
    Repeats,
    /// It never leaves a set of states: the certificate's recurrence set.
    Proved(Box<Certificate>),
    /// No path leaves the loop.
    NoExit,
    /// Over unbounded integers, the program ends on no path.
    Unending(Box<EndlessProof>),
}

/// An execution that never ends.
pub struct Endless {
    /// The execution, up to and including the iteration.
    pub trace: Trace,
    /// The iterations after which what they depend on is the same, or one iteration within the set.
    pub relation: LoopRelation,
    /// Where it takes several paths within the set, the visits between which each lies.
    pub paths: Vec<(u32, u32)>,
    /// How many iterations of the loop `relation` covers.
    pub iterations: u64,
    /// Why it never ends.
    pub reason: Reason,
}

impl Endless {
    /// An execution that returns to a state.
    fn repeating(trace: Trace, visits: (u32, u32), relation: LoopRelation) -> Endless {
        Endless {
            iterations: iterations_between(&trace, visits),
            trace,
            relation,
            paths: Vec::new(),
            reason: Reason::Repeats,
        }
    }

    /// An execution that reaches a loop that nothing leaves.
    fn without_exit(trace: Trace, relation: LoopRelation) -> Endless {
        Endless {
            trace,
            relation,
            paths: Vec::new(),
            iterations: 1,
            reason: Reason::NoExit,
        }
    }
}

/// How many iterations lie between two visits of the same cutpoint.
fn iterations_between(trace: &Trace, (from, to): (u32, u32)) -> u64 {
    let chain = chain_of(trace, from).unwrap_or_default();
    let inside = chain.iter().filter(|&&visit| from < visit && visit <= to);
    (inside.count() as u64).max(1)
}

/// The answer of a search.
pub enum Verdict {
    /// The program runs forever on some inputs.
    Nonterminating(Box<Endless>),
    /// It ends on all inputs.
    Terminating(Ending),
    /// The search proved neither, for these reasons.
    Unknown(Vec<Incompleteness>),
}

/// Why a program ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Every path was followed to its end.
    Followed(PathsProof),
    /// Loops and recursive functions have ranking functions.
    Ranked(Box<TerminationProof>),
    /// They have ranking functions over unbounded integers, and start at these lines.
    Unbounded(Box<UnboundedProof>, Vec<Line>),
}

/// Counts of what a search did.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many executions it recorded.
    pub executions: u64,
    /// How many lassos it gave to the provers.
    pub lassos: u64,
    /// How many proofs no execution confirmed.
    pub unconfirmed: u64,
    /// How many executions ended by themselves.
    pub ended: u64,
    /// Undefined behaviour that executions reached: an example for each pair of place and kind.
    pub undefined: BTreeMap<(String, &'static str), String>,
}

/// The bounds of one pass over the paths.
#[derive(Clone, Copy, Debug)]
struct Pass {
    bounds: Bounds,
    /// How many decisions on a path may be taken otherwise.
    decisions: usize,
    /// How long the provers and the solver may take for one question.
    question: Duration,
    /// How much work it may do.
    work: Duration,
    /// Whether to try only what takes the provers little time.
    is_glance: bool,
}

impl Pass {
    fn first() -> Pass {
        Pass {
            bounds: Bounds {
                steps: 4_000,
                inputs: 1000,
                skip: 0,
            },
            decisions: 8,
            question: Duration::ZERO,
            work: FIRST_WORK,
            is_glance: false,
        }
    }

    fn next(self) -> Pass {
        if self.question.is_zero() {
            return Pass {
                question: FIRST_QUESTION,
                work: Duration::MAX,
                ..self
            };
        }
        Pass {
            bounds: Bounds {
                steps: (self.bounds.steps * 5).min(2_000_000),
                inputs: self.bounds.inputs * 3,
                skip: 0,
            },
            decisions: self.decisions * 2,
            question: (self.question * 2).min(Duration::from_secs(20)),
            work: Duration::MAX,
            is_glance: false,
        }
    }
}

/// Enumerates executions of the subject until one provably never ends, all of them provably end, or
/// `options.time` is over. Returns the verdict and counts of the work done.
pub fn search(subject: &Subject<'_>, terms: &Terms, options: &Options) -> (Verdict, Statistics) {
    let deadline = Instant::now() + options.time;
    subject.deadline.set(Some(deadline));
    set_deadline(Some(deadline));
    let mut search = Search {
        subject,
        terms,
        options,
        deadline,
        end: options.work.map(|work| Moment::now() + work),
        inputs: PathInputs::default(),
        solver: Solver::new(terms),
        tried: FxHashMap::default(),
        asked: FxHashSet::default(),
        together: FxHashSet::default(),
        ending: FxHashSet::default(),
        statistics: Statistics::default(),
        started: Instant::now(),
        first: Moment::now(),
        proving: Duration::ZERO,
        conditional: None,
        paths: Vec::new(),
        assumes_memory: false,
        unfollowed: None,
        unranked: None,
        arithmetic: options.arithmetic,
        is_long: false,
        executed_late: 0,
        unended: Vec::new(),
        leavable: FxHashSet::default(),
    };
    let verdict = search.passes();
    subject.deadline.set(None);
    set_deadline(None);
    (verdict, search.statistics)
}

/// A loop as the provers are asked about it: where it is, how inner loops are treated, and what is
/// assumed of overflow.
type Asked = (CodePlace, Inner, Overflow);

struct Search<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    options: &'a Options,
    deadline: Instant,
    /// When it has done as much work as it may.
    end: Option<Moment>,
    inputs: PathInputs,
    solver: Solver<'a>,
    /// How often iterations were given to the provers in this pass.
    tried: FxHashMap<Signature, u32>,
    /// The loops of which the provers were asked in this pass.
    asked: FxHashSet<Asked>,
    /// The paths of loops that were asked about together, and whether only briefly.
    together: FxHashSet<(CodePlace, Overflow, bool, Vec<Signature>)>,
    /// Iterations that were proved to end whatever the state: the search goes through them without
    /// asking again.
    ending: FxHashSet<Signature>,
    statistics: Statistics,
    started: Instant,
    /// The same as a moment of the work.
    first: Moment,
    /// How much work the provers have done.
    proving: Duration,
    /// A proof that holds if signed overflow wraps around, and until when a better one is looked
    /// for.
    conditional: Option<(Box<Endless>, Moment)>,
    /// The inputs of the executions of this pass.
    paths: Vec<Vec<u64>>,
    /// Whether one of them looked whether memory is short.
    assumes_memory: bool,
    /// Why they are not a proof that the program ends.
    unfollowed: Option<String>,
    /// Why no ranking functions over unbounded integers were found.
    unranked: Option<Unproved>,
    /// What proofs of single loops may be about.
    arithmetic: Arithmetic,
    /// Whether executions were longer than what was followed.
    is_long: bool,
    /// On how many of the first inputs the longest beginnings were executed.
    executed_late: usize,
    /// Inputs of the first executions that did not end by themselves.
    unended: Vec<Vec<u64>>,
    /// The headers of loops that something may leave.
    leavable: FxHashSet<CodePlace>,
}

/// How long a proof without conditions is looked for at least, once there is one with a condition.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much work the first pass may do: what can prove the program as a whole comes next.
const FIRST_WORK: Duration = Duration::from_secs(4);
/// The time for a question in the second pass.
const FIRST_QUESTION: Duration = Duration::from_millis(300);

/// What came of one pass.
enum Outcome {
    Found(Box<Endless>),
    /// Every path was followed to its end.
    Exhausted,
    /// Paths are missing, for these reasons.
    Gaps(BTreeSet<Incompleteness>),
}

impl<'a, 's> Search<'a, 's> {
    fn passes(&mut self) -> Verdict {
        if self.options.goal == Goal::End {
            return self.only_ranked();
        }
        let mut pass = Pass::first();
        let mut unproved = None;
        let mut has_skipped = false;
        let gaps = loop {
            let outcome = self.pass(pass);
            let reasons = match &outcome {
                Outcome::Gaps(reasons) => Some(reasons),
                Outcome::Found(_) | Outcome::Exhausted => None,
            };
            let executions = self.statistics.executions;
            tracing::debug!(executions, ?pass, incomplete = ?reasons, "enumerated paths");
            if let Outcome::Found(endless) = outcome {
                return Verdict::Nonterminating(endless);
            }
            let is_open = matches!(&outcome, Outcome::Gaps(gaps) if gaps.iter().any(Incompleteness::may_close));
            let is_last = self.has_waited() || !is_open;
            if is_last && self.conditional.is_some() {
                if pass.question.is_zero()
                    && let Some(verdict) = self.without_condition()
                {
                    return verdict;
                }
                return self.undecided(BTreeSet::new(), None);
            }
            self.is_long |=
                matches!(&outcome, Outcome::Gaps(gaps) if gaps.contains(&Incompleteness::Length));
            // This takes little time, and proofs that a program terminates take long to fail.
            if self.is_long
                && pass.question.is_zero()
                && let Some(endless) = self.repeating_soon()
            {
                return Verdict::Nonterminating(endless);
            }
            if pass.question.is_zero()
                && is_open
                && self.options.goal == Goal::Both
                && let Some(endless) = self.first_glance(pass)
            {
                return Verdict::Nonterminating(endless);
            }
            if pass.question.is_zero()
                && matches!(outcome, Outcome::Exhausted)
                && let Some(verdict) = self.ended_soon(pass)
            {
                return verdict;
            }
            if pass.question.is_zero()
                && let Some(verdict) = self.by_products()
            {
                return verdict;
            }
            if pass.question.is_zero() && self.may_end() {
                match self.ranked_or_endless(is_open.then_some(pass)) {
                    Ok(verdict) => return verdict,
                    Err(stop) => {
                        self.keep_time_for(&stop);
                        unproved = Some(stop);
                    }
                }
            }
            let is_early = pass.question <= FIRST_QUESTION;
            if is_early && let Some(ending) = self.ranked_between_passes(pass.question.is_zero()) {
                return Verdict::Terminating(ending);
            }
            if is_early && let Some(endless) = self.unending_over_integers(false) {
                return Verdict::Nonterminating(Box::new(endless));
            }
            if self.may_be_followed(&outcome)
                && let Some(proof) = self.followed(pass, self.options.time)
            {
                return Verdict::Terminating(Ending::Followed(proof));
            }
            if self.is_long && !pass.question.is_zero() && !has_skipped {
                has_skipped = true;
                if let Some(endless) = self.later(pass) {
                    return Verdict::Nonterminating(endless);
                }
            }
            if matches!(outcome, Outcome::Exhausted) && self.is_only_for_integers(pass) {
                self.arithmetic = Arithmetic::Integer;
                pass = pass.next();
                continue;
            }
            let Outcome::Gaps(gaps) = outcome else {
                return Verdict::Unknown(vec![self.only_undefined()]);
            };
            let only_final = !gaps.iter().any(Incompleteness::may_close);
            if self.out_of_time() || only_final {
                break gaps;
            }
            pass = pass.next();
        };
        self.undecided(gaps, unproved)
    }

    /// The verdict without executing the program.
    fn only_ranked(&mut self) -> Verdict {
        let on_machine = match self.options.arithmetic {
            Arithmetic::Integer => Err(None),
            _ => ranked(self.subject, self.left(self.options.time), &mut || false).map_err(Some),
        };
        on_machine.unwrap_or_else(|stop| {
            match self.ranked_over_integers(self.left(self.options.time)) {
                Some(ending) => Verdict::Terminating(ending),
                None => {
                    Verdict::Unknown(stop.into_iter().chain(self.not_over_integers()).collect())
                }
            }
        })
    }

    /// The verdict after the last pass: a proof with a condition, if there is one, or why there is
    /// no proof.
    fn undecided(
        &mut self,
        mut gaps: BTreeSet<Incompleteness>,
        unproved: Option<Incompleteness>,
    ) -> Verdict {
        if let Some((endless, _)) = self.conditional.take() {
            return Verdict::Nonterminating(endless);
        }
        gaps.extend(self.on_other_terms(unproved.as_ref()));
        gaps.extend(unproved);
        gaps.extend(self.not_over_integers());
        if let (true, Some(why)) = (self.subject.integers, &self.unfollowed) {
            gaps.insert(Incompleteness::Other(format!(
                "to its end, it was not followed: {why}"
            )));
        }
        if self.out_of_time() {
            gaps.insert(Incompleteness::Time);
        }
        if self.has_worked() && gaps.remove(&Incompleteness::Time) {
            gaps.insert(Incompleteness::Work);
        }
        Verdict::Unknown(gaps.into_iter().collect())
    }

    /// Whether every path may have been followed to its end: over unbounded integers, also those on
    /// which a number leaves its type.
    fn may_be_followed(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Exhausted => true,
            Outcome::Gaps(gaps) => gaps
                .iter()
                .all(|gap| matches!(gap, Incompleteness::Wrapped(_))),
            Outcome::Found(_) => false,
        }
    }

    /// Whether only signed overflow ends some path, and nothing was asked yet of the loops: over
    /// unbounded integers they may run forever.
    fn is_only_for_integers(&self, pass: Pass) -> bool {
        let mut undefined = self.statistics.undefined.keys();
        pass.question.is_zero()
            && self.arithmetic == Arithmetic::Both
            && undefined.any(|(_, kind)| *kind == ErrorKind::SignedOverflow.name())
    }

    /// All paths were followed, some into undefined behaviour.
    fn only_undefined(&self) -> Incompleteness {
        if self.statistics.undefined.is_empty() {
            let why = self.unfollowed.as_deref().unwrap_or_default();
            return Incompleteness::Other(format!(
                "every path ended, but there is no proof of it: {why}"
            ));
        }
        let what = match self.statistics.ended {
            0 => "there are paths that end in undefined behaviour, and no others",
            _ => "some paths end in undefined behaviour; the others end by themselves",
        };
        let mut undefined = self.statistics.undefined.keys();
        let reads_nothing = undefined.any(|(_, kind)| *kind == ErrorKind::UndefinedValue.name());
        let option = match reads_nothing && !self.subject.havoc_locals {
            true => "; --havoc-locals treats uninitialised locals as inputs",
            false => "",
        };
        Incompleteness::Other(format!("{what}{option}"))
    }

    /// Whether it makes sense to ask whether every execution ends.
    fn may_end(&self) -> bool {
        self.options.goal == Goal::Both
            && self.options.arithmetic != Arithmetic::Integer
            && self.conditional.is_none()
    }

    /// Enumerates the paths within the bounds.
    fn pass(&mut self, pass: Pass) -> Outcome {
        let started = match pass.question.is_zero() {
            true => self.first,
            false => Moment::now(),
        };
        self.tried.clear();
        self.asked.clear();
        self.paths.clear();
        self.assumes_memory = false;
        let mut tree = Tree::new(pass.decisions);
        let given = self.options.gaps.iter().cloned().map(Incompleteness::Other);
        let mut gaps: BTreeSet<Incompleteness> = given.collect();
        let mut next: Vec<Vec<u64>> = seeds();
        next.reverse();
        loop {
            let late = self.started.elapsed() > self.share(pass)
                || Moment::now().since(started) > pass.work;
            if late || self.out_of_time() || self.has_waited() {
                gaps.insert(Incompleteness::Time);
                return Outcome::Gaps(gaps);
            }
            let (values, asked) = match next.pop() {
                Some(values) => (values, None),
                None => match self.alternative(&mut tree, pass, &mut gaps) {
                    Some((node, values)) => (values, Some(node)),
                    None => break,
                },
            };
            let trace = execute(self.subject, &values, pass.bounds);
            self.statistics.executions += 1;
            self.paths.push(trace.values.clone());
            self.assumes_memory |= trace.assumes_memory;
            self.note_end(&trace, &mut gaps);
            self.note_unended(&trace);
            let before = tree.len();
            self.grow(&mut tree, &trace, &mut gaps);
            let known = tree.len() == before && before > 1;
            if let (true, Some(node)) = (known, asked) {
                tree.give_up(node);
                let what = "inputs did not take the path that they were made for";
                gaps.insert(Incompleteness::Other(what.into()));
            }
            if known && trace.repeated.is_none() {
                continue;
            }
            if let Some(endless) = self.analyse(trace, pass) {
                if endless.relation.overflow == Overflow::Undefined {
                    return Outcome::Found(Box::new(endless));
                }
                self.keep_conditional(endless);
            }
        }
        match gaps.is_empty() {
            true => Outcome::Exhausted,
            false => Outcome::Gaps(gaps),
        }
    }
}
