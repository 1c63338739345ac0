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
//! - Iterations that go the same way are given to the provers with a few stems only.
//!
//! *When the program terminates.* Loops whose number of iterations depends on the inputs have more
//! paths than can be enumerated: once the first, cheap pass has found nothing, a proof for all of
//! them at once is looked for ([`crate::termination`]). Where that fails: if within some bounds
//! every alternative of every decision was taken or has no inputs, and every path ended by itself,
//! then every execution is one of these paths.

mod candidates;
mod confirm;
mod incompleteness;
mod later;
pub mod paths;
mod tree;

use crate::certificate::Certificate;
use crate::concolic::acceleration::{Inner, runs};
use crate::concolic::derive::PathInputs;
use crate::concolic::iteration::{Assumed, LoopRelation, StemSearch, line_of};
use crate::concolic::replay::{ForkKind, InputSymbols, Replay};
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::trace::{End, Trace};
use crate::nontermination::{self, Arithmetic, prove};
use crate::problem::Overflow;
use crate::termination::{self, record::TerminationProof};
use candidates::{Candidates, Signature, chain_of};
pub use confirm::LONGEST;
use confirm::confirm;
use impasse_machine::base::fault::ErrorKind;
use impasse_solver::{Answer, Evaluator, Solver, Symbol, Term, Terms, Test, Values};
pub use incompleteness::Incompleteness;
use paths::PathsProof;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tree::{Event, NodeId, Tree};

/// Which of the two proofs is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Either.
    Both,
    /// That the program runs forever on some inputs.
    Endless,
    /// That it ends on all inputs, without executing it.
    End,
}

/// What to look for, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which proof.
    pub goal: Goal,
    /// Which numbers a proof may speak of.
    pub arithmetic: Arithmetic,
    /// How long in all.
    pub time: Duration,
    /// What the program may do that its inputs do not show.
    pub gaps: Vec<String>,
}

/// How the program runs forever.
pub enum Reason {
    /// What the way depends on is the same at two visits of the cutpoint.
    Repeats,
    /// It stays in a set of states forever.
    Proved(Box<Certificate>),
    /// Nothing leaves the loop.
    NoExit,
}

/// An execution that never ends.
pub struct Endless {
    /// The execution, up to and including the iteration.
    pub trace: Trace,
    /// The iterations after which what they depend on is the same, or one iteration within the set.
    pub relation: LoopRelation,
    /// How many iterations of the loop that is.
    pub iterations: u64,
    /// Why it never ends.
    pub reason: Reason,
}

/// What was found.
pub enum Verdict {
    /// The program runs forever on some inputs.
    Nonterminating(Box<Endless>),
    /// It ends on all inputs.
    Terminating(Ending),
    /// Neither was found, and why.
    Unknown(Vec<Incompleteness>),
}

/// Why a program ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Every path was followed to its end.
    Followed(PathsProof),
    /// Loops and recursive functions have ranking functions.
    Ranked(Box<TerminationProof>),
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many executions.
    pub executions: u64,
    /// How many iterations the provers were asked about.
    pub lassos: u64,
    /// How many proofs could not be seen on the machine.
    pub unconfirmed: u64,
    /// How many paths ended by themselves.
    pub ended: u64,
    /// Undefined behaviour that was met, an example for each place and kind.
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
        }
    }

    fn next(self) -> Pass {
        if self.question.is_zero() {
            return Pass {
                question: FIRST_QUESTION,
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
        }
    }
}

/// Looks for an execution that never ends.
pub fn search(subject: &Subject<'_>, terms: &Terms, options: &Options) -> (Verdict, Statistics) {
    let deadline = Instant::now() + options.time;
    subject.deadline.set(Some(deadline));
    let mut search = Search {
        subject,
        terms,
        options,
        deadline,
        inputs: PathInputs::default(),
        solver: Solver::new(terms),
        tried: FxHashMap::default(),
        ending: FxHashSet::default(),
        statistics: Statistics::default(),
        started: Instant::now(),
        proving: Duration::ZERO,
        conditional: None,
        paths: Vec::new(),
        assumes_memory: false,
        unfollowed: None,
        arithmetic: options.arithmetic,
        is_long: false,
    };
    let verdict = search.passes();
    subject.deadline.set(None);
    (verdict, search.statistics)
}

struct Search<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    options: &'a Options,
    deadline: Instant,
    inputs: PathInputs,
    solver: Solver<'a>,
    /// How often iterations were given to the provers in this pass.
    tried: FxHashMap<Signature, u32>,
    /// Iterations that were proved to end whatever the state: the search goes through them without
    /// asking again.
    ending: FxHashSet<Signature>,
    statistics: Statistics,
    started: Instant,
    /// How long the provers have had.
    proving: Duration,
    /// A proof that holds if signed overflow wraps around, and until when a better one is looked
    /// for.
    conditional: Option<(Box<Endless>, Instant)>,
    /// The inputs of the executions of this pass.
    paths: Vec<Vec<u64>>,
    /// Whether one of them looked whether memory is short.
    assumes_memory: bool,
    /// Why they are not a proof that the program ends.
    unfollowed: Option<String>,
    /// What proofs of single loops may be about.
    arithmetic: Arithmetic,
    /// Whether executions were longer than what was followed.
    is_long: bool,
}

/// How long a proof without conditions is looked for at least, once there is one with a condition.
const PATIENCE: Duration = Duration::from_secs(1);
/// Inputs between minus this and twice this are small.
const SMALL: u128 = 12;
/// How many instructions of one execution are evaluated in iterations.
const EVALUATED: usize = 3_000_000;
/// How many lassos of one execution the provers get at most.
const LASSOS: usize = 16;
/// The part of the time that the first pass may take.
const FIRST_PASS: u32 = 6;
/// And the second one, if there are long executions.
const SECOND_PASS: u32 = 3;
/// The time for a question in the second pass.
const FIRST_QUESTION: Duration = Duration::from_millis(300);
/// With how many stems an iteration is given to the provers in one pass.
const STEMS: u32 = 3;

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
            return match termination::prove(self.subject, self.options.time) {
                Ok(proof) => Verdict::Terminating(Ending::Ranked(Box::new(proof))),
                Err(stop) => Verdict::Unknown(vec![Incompleteness::Unproved(stop)]),
            };
        }
        let mut pass = Pass::first();
        let mut unproved = None;
        // After the second pass, beginnings are left out, each longer than the one before.
        let mut beginnings = later::SKIPPED.iter();
        let mut last = loop {
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
            let may_close = matches!(&outcome, Outcome::Gaps(gaps) if gaps.iter().any(Incompleteness::may_close));
            let is_last = self.has_waited() || !may_close;
            if is_last && let Some((endless, _)) = self.conditional.take() {
                return Verdict::Nonterminating(endless);
            }
            if pass.question.is_zero() && self.may_end() {
                match termination::prove(self.subject, self.left(self.options.time / 2)) {
                    Ok(proof) => return Verdict::Terminating(Ending::Ranked(Box::new(proof))),
                    Err(stop) => unproved = Some(stop),
                }
            }
            if self.may_be_followed(&outcome)
                && let Some(proof) = self.followed(pass)
            {
                return Verdict::Terminating(Ending::Followed(proof));
            }
            self.is_long |=
                matches!(&outcome, Outcome::Gaps(gaps) if gaps.contains(&Incompleteness::Length));
            let may_skip = self.is_long && !pass.question.is_zero();
            if may_skip && let Some(endless) = beginnings.find_map(|&skip| self.later(skip)) {
                return Verdict::Nonterminating(endless);
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
        if let Some((endless, _)) = self.conditional.take() {
            return Verdict::Nonterminating(endless);
        }
        last.extend(unproved.map(Incompleteness::Unproved));
        if let (true, Some(why)) = (self.subject.integers, &self.unfollowed) {
            last.insert(Incompleteness::Other(format!(
                "to its end, it was not followed: {why}"
            )));
        }
        if self.out_of_time() {
            last.insert(Incompleteness::Time);
        }
        Verdict::Unknown(last.into_iter().collect())
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
        Incompleteness::Other(what.into())
    }

    /// Whether it makes sense to ask whether every execution ends.
    fn may_end(&self) -> bool {
        self.options.goal == Goal::Both
            && self.options.arithmetic != Arithmetic::Integer
            && self.conditional.is_none()
    }

    /// Whether a proof with a condition was found, and it is too late for a better one.
    fn has_waited(&self) -> bool {
        let until = self.conditional.as_ref().map(|(_, until)| *until);
        until.is_some_and(|until| Instant::now() >= until)
    }

    fn out_of_time(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn left(&self, at_most: Duration) -> Duration {
        at_most.min(self.deadline.saturating_duration_since(Instant::now()))
    }

    /// Enumerates the paths within the bounds.
    fn pass(&mut self, pass: Pass) -> Outcome {
        self.tried.clear();
        self.paths.clear();
        self.assumes_memory = false;
        let mut tree = Tree::new(pass.decisions);
        let given = self.options.gaps.iter().cloned().map(Incompleteness::Other);
        let mut gaps: BTreeSet<Incompleteness> = given.collect();
        let mut next: Vec<Vec<u64>> = seeds();
        next.reverse();
        loop {
            let late = self.started.elapsed() > self.options.time / self.share(pass);
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

    /// One over the part of the time after which a pass ends. The first one leaves time for what
    /// can prove the program as a whole, and the second one for what comes after long beginnings.
    fn share(&self, pass: Pass) -> u32 {
        match pass.question {
            Duration::ZERO => FIRST_PASS,
            FIRST_QUESTION if self.is_long => SECOND_PASS,
            _ => 1,
        }
    }

    fn note_end(&mut self, trace: &Trace, gaps: &mut BTreeSet<Incompleteness>) {
        gaps.extend(trace.gaps.iter().cloned().map(Incompleteness::Other));
        gaps.extend(
            trace
                .conditions
                .iter()
                .map(|(_, what)| Incompleteness::Environment(what.clone())),
        );
        self.note_overflow(trace);
        if self.subject.integers && !trace.inputs.is_empty() {
            gaps.insert(Incompleteness::Other(
                "inputs may be any number over unbounded integers".into(),
            ));
        }
        match &trace.end {
            End::Ended | End::Infeasible => self.statistics.ended += 1,
            End::Undefined(kind, message, place) => {
                let met = &mut self.statistics.undefined;
                met.entry((place.clone(), kind.name()))
                    .or_insert_with(|| format!("{kind}: {message} at {place}"));
            }
            End::Wrapped => {
                let place = self.place_of(trace, trace.steps.len());
                gaps.insert(Incompleteness::Wrapped(place));
            }
            End::Unsupported(what) => {
                gaps.insert(Incompleteness::Other(format!("not supported: {what}")));
            }
            End::Cut => {
                gaps.insert(Incompleteness::Length);
            }
        }
    }

    /// Notes that a signed number has overflowed. Whatever the program does afterwards, it does
    /// because that wraps around.
    fn note_overflow(&mut self, trace: &Trace) {
        if let Some(step) = trace.overflow {
            let place = self.place_of(trace, step as usize);
            let kind = ErrorKind::SignedOverflow;
            let met = &mut self.statistics.undefined;
            met.entry((place.clone(), kind.name())).or_insert_with(|| {
                format!("{kind}: a signed number does not fit its type at {place}")
            });
        }
    }

    /// The line of a step, for people.
    fn place_of(&self, trace: &Trace, step: usize) -> String {
        let step = trace.steps.get(step).or(trace.steps.last());
        let line = step.map(|step| line_of(self.subject, step.place()));
        line.map_or(String::new(), |line| format!("{}:{}", line.file, line.line))
    }

    /// Enters the path of an execution into the tree.
    fn grow(&mut self, tree: &mut Tree, trace: &Trace, gaps: &mut BTreeSet<Incompleteness>) {
        let deadline = self.deadline;
        // Other inputs may overflow elsewhere, or not at all: that decides nothing.
        let inputs = &mut self.inputs;
        let mut replay =
            Replay::of_program(self.subject, self.terms, trace, inputs, Overflow::Wraps);
        replay.advance(trace.steps.len());
        if let Some(flaw) = replay.flaw.take()
            && Instant::now() < deadline
        {
            gaps.insert(Incompleteness::Other(format!("not supported: {flaw}")));
        }
        if !replay.decided.is_empty() {
            let what = "a decision depends on inputs through floating-point or 128-bit numbers, which are not followed";
            gaps.insert(Incompleteness::Other(what.into()));
        }
        let terms = self.terms;
        let events = replay.forks.iter().map(|fork| match fork.kind {
            ForkKind::Hazard(_) => Event::Holds(terms.not(fork.term)),
            ForkKind::Undefined => Event::Ends(fork.term),
            _ => Event::Decides(fork.term),
        });
        let events: Vec<Event> = events.collect();
        let roots: Vec<Term> = events.iter().map(|event| event.term()).collect();
        let values = replay.read.iter().map(|&input| {
            let value = u128::from(trace.values[input as usize]);
            (self.inputs.symbol(terms, trace, input), value)
        });
        let values: Values = values.collect();
        if Evaluator::new(terms, &roots).run(&values).contains(&0) {
            let what = "the terms of a path disagree with the machine";
            gaps.insert(Incompleteness::Other(what.into()));
            return;
        }
        if tree.insert(&events, &trace.values) {
            gaps.insert(Incompleteness::Length);
        }
    }

    /// Inputs that take some decision otherwise than before.
    fn alternative(
        &mut self,
        tree: &mut Tree,
        pass: Pass,
        gaps: &mut BTreeSet<Incompleteness>,
    ) -> Option<(NodeId, Vec<u64>)> {
        while let Some(open) = tree.next_open() {
            if self.out_of_time() {
                gaps.insert(Incompleteness::Time);
                return None;
            }
            let (mut conditions, taken) = tree.question(open);
            conditions.extend(taken.into_iter().map(|term| self.terms.not(term)));
            let time = self.left(pass.question * 4 + Duration::from_secs(1));
            match self.solve(&conditions, time) {
                Answer::Satisfiable(model) => {
                    tree.reopen(open);
                    let symbols = self.terms.symbols_in(&conditions);
                    return Some((open, self.values(tree.example(open), &model, &symbols)));
                }
                Answer::Unsatisfiable => {}
                Answer::Unknown(_) => {
                    gaps.insert(Incompleteness::Solver);
                }
            }
        }
        None
    }

    /// Asks the solver, first for small inputs: sizes and indices are often among them, and large
    /// ones take long to execute or end in undefined behaviour.
    fn solve(&self, conditions: &[Term], time: Duration) -> Answer {
        let terms = self.terms;
        let symbols = terms.symbols_in(conditions);
        let small = symbols.iter().filter_map(|&symbol| {
            let (width, variable) = (terms.symbol_width(symbol), terms.variable(symbol));
            let constant = |value| terms.constant(value, width);
            let shifted = || terms.add(variable, constant(SMALL));
            (width > 7).then(|| terms.test(Test::UnsignedLessEqual, shifted(), constant(3 * SMALL)))
        });
        let with_small: Vec<Term> = small.chain(conditions.iter().copied()).collect();
        let quick = time.min(Duration::from_millis(60));
        match self.solver.check(&with_small, quick) {
            Answer::Satisfiable(model) => Answer::Satisfiable(model),
            _ => self.solver.check(conditions, time),
        }
    }

    /// The inputs of an example, with those that a model knows from there.
    fn values(&self, example: &[u64], model: &Values, known: &[Symbol]) -> Vec<u64> {
        let mut values = example.to_vec();
        for (&(input, _), symbol) in &self.inputs.symbols {
            if known.contains(symbol) {
                let at = input as usize;
                if values.len() <= at {
                    values.resize(at + 1, 0);
                }
                values[at] = model.get(*symbol) as u64;
            }
        }
        values
    }

    /// An iteration whose inner loops are gone around as often as the state says, if it has such
    /// and was not tried yet.
    fn accelerated(
        &mut self,
        trace: &Trace,
        visits: (u32, u32),
        overflow: Overflow,
    ) -> Option<(Signature, LoopRelation)> {
        let found = runs(trace, visits);
        let signature = Signature::of_runs(trace, visits, &found);
        let tried = self.tried.entry(signature.under(overflow));
        let tries = tried.or_insert(0);
        let ends = self.ending.contains(&signature.under(overflow));
        if found.is_empty() || *tries >= STEMS || ends {
            return None;
        }
        *tries += 1;
        let assumed = Assumed {
            inner: Inner::Accelerated,
            overflow,
        };
        let relation = LoopRelation::new(self.subject, self.terms, trace, visits, assumed).ok()?;
        Some((signature, relation))
    }

    /// Whether it is the provers' iteration: other executions may show at once what they look for,
    /// so that half of the time is for executions, and all of the first pass.
    fn may_prove(&self, pass: Pass) -> bool {
        !pass.question.is_zero() && self.proving * 2 <= self.started.elapsed() + pass.question
    }

    /// Whether an answer is not known that is as good.
    fn is_welcome(&self, relation: &LoopRelation) -> bool {
        relation.overflow == Overflow::Undefined || self.conditional.is_none()
    }

    /// What to assume of signed overflow, one after the other: what needs no assumption is better.
    fn assumptions(&self) -> &'static [Overflow] {
        match self.conditional {
            None => &[Overflow::Undefined, Overflow::Wraps],
            Some(_) => &[Overflow::Undefined],
        }
    }

    /// Looks for an endless iteration in an execution.
    fn analyse(&mut self, trace: Trace, pass: Pass) -> Option<Endless> {
        if !pass.question.is_zero()
            && let Some(relation) = self.never_left(&trace)
            && self.is_welcome(&relation)
        {
            return Some(later::without_exit(trace, relation));
        }
        let candidates = Candidates::of(&trace);
        let mut rounds = Vec::new();
        let mut conditional = None;
        let mut left = EVALUATED;
        for (visits, signature) in candidates.list {
            let surely = trace.repeated == Some(visits);
            let tries = self.tried.entry(signature).or_insert(0);
            let ends = |overflow| self.ending.contains(&signature.under(overflow));
            let tried = *tries >= STEMS || (ends(Overflow::Undefined) && ends(Overflow::Wraps));
            if tried && !surely {
                continue;
            }
            *tries += 1;
            let length = candidates::length(&trace, visits);
            if length > left && !surely {
                continue;
            }
            left = left.saturating_sub(length);
            for &overflow in self.assumptions() {
                let ends = self.ending.contains(&signature.under(overflow));
                if self.may_prove(pass) && !ends {
                    rounds.extend(self.accelerated(&trace, visits, overflow));
                }
                let assumed = Assumed {
                    inner: Inner::Followed,
                    overflow,
                };
                let Ok(relation) =
                    LoopRelation::new(self.subject, self.terms, &trace, visits, assumed)
                else {
                    continue;
                };
                if relation.repeats() {
                    match overflow {
                        Overflow::Wraps => conditional = conditional.or(Some((visits, relation))),
                        Overflow::Undefined => return Some(repeats(trace, visits, relation)),
                    }
                    break;
                }
                let is_same = overflow == Overflow::Undefined && !relation.may_overflow();
                if !ends {
                    rounds.push((signature, relation));
                }
                if is_same {
                    break;
                }
            }
            if self.out_of_time() {
                break;
            }
        }
        if let Some((visits, relation)) = conditional {
            return Some(repeats(trace, visits, relation));
        }
        if !self.may_prove(pass) {
            return None;
        }
        rounds.truncate(LASSOS);
        rounds.sort_by_key(|(_, relation)| relation.visits.0);
        let mut lassos = Vec::new();
        for overflow in [Overflow::Undefined, Overflow::Wraps] {
            let (inputs, terms) = (&mut self.inputs, self.terms);
            let mut stems = StemSearch::new(self.subject, terms, &trace, inputs, overflow);
            let (now, later): (Vec<_>, Vec<_>) = rounds
                .into_iter()
                .partition(|(_, relation)| relation.overflow == overflow);
            rounds = later;
            for (signature, relation) in now {
                if let Some(lasso) = relation.lasso(&mut stems) {
                    lassos.push((signature, relation, lasso));
                }
            }
        }
        for (signature, relation, lasso) in lassos {
            if self.out_of_time() || !self.may_prove(pass) {
                return None;
            }
            debug_assert_eq!(lasso.check(self.terms), Ok(()));
            self.statistics.lassos += 1;
            let options = nontermination::Options {
                arithmetic: self.arithmetic,
                time: self.left(pass.question),
                ..nontermination::Options::default()
            };
            let before = Instant::now();
            let verdict = prove(self.terms, &lasso, &options);
            self.proving += before.elapsed();
            let proof = match verdict {
                nontermination::Verdict::Nonterminating(proof) => proof,
                nontermination::Verdict::Terminating(ranking) => {
                    // A ranking function that needs no invariants holds with any stem.
                    let anywhere = matches!(
                        &ranking,
                        nontermination::Ranking::Lexicographic { invariants, .. } if invariants.is_empty()
                    );
                    if anywhere {
                        self.ending.insert(signature.under(relation.overflow));
                        if !relation.may_overflow() {
                            self.ending.insert(signature.under(Overflow::Wraps));
                        }
                    }
                    continue;
                }
                nontermination::Verdict::Unknown(_) => continue,
            };
            let (way, proof) = ((&trace, &relation), (&lasso, *proof));
            let time = self.left(Duration::from_secs(20));
            match confirm(self.subject, self.terms, way, proof, time) {
                Some(endless) => return Some(endless),
                None => self.statistics.unconfirmed += 1,
            }
        }
        None
    }
}

/// An execution that comes back to a state.
fn repeats(trace: Trace, visits: (u32, u32), relation: LoopRelation) -> Endless {
    Endless {
        iterations: iterations_between(&trace, visits),
        trace,
        relation,
        reason: Reason::Repeats,
    }
}

/// How many iterations lie between two visits of the same cutpoint.
fn iterations_between(trace: &Trace, (from, to): (u32, u32)) -> u64 {
    let chain = chain_of(trace, from).unwrap_or_default();
    let inside = chain.iter().filter(|&&visit| from < visit && visit <= to);
    (inside.count() as u64).max(1)
}

/// Inputs to begin with: the solver finds others, but these cost nothing.
fn seeds() -> Vec<Vec<u64>> {
    let mixed = [1u64, 2, 0, 5, 3, 10, 7, 1, 100, 4];
    let signed = [3, 0, -1, 2, 1, -3, 0, 4, -2, 1].map(|number: i64| number as u64);
    vec![
        Vec::new(),
        vec![1; 150],
        vec![u64::MAX; 64],
        mixed.iter().copied().cycle().take(64).collect(),
        signed.iter().copied().cycle().take(64).collect(),
        vec![0x7fff_ffff; 64],
    ]
}
