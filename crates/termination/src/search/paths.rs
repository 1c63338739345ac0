//! Proofs that a program ends because it has so many paths, all of which end.
//!
//! A proof is a list of inputs. Executed on them, the program must end, without undefined behaviour
//! and without anything that its environment decide. The paths make a tree of the decisions that
//! depend on inputs; at each of its nodes the outcomes that are not in the tree must be
//! contradictory, and so must undefined behaviour on the path. Then every execution takes one of
//! these paths, by induction over its decisions. All this is shown by refutations of clauses, so
//! that neither the search nor Z3 need be believed.
//!
//! Over unbounded integers, a path on which a number leaves its type is followed only if the
//! program reads no input ([`exact`]): then it is the only path.

use super::LONGEST;
use super::tree::{Event, Tree};
use crate::certify::validity::refutes;
use crate::concolic::derive::PathInputs;
use crate::concolic::exact;
use crate::concolic::replay::{Fork, ForkKind, InputSymbols, Replay};
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::trace::{End, Trace};
use crate::problem::Overflow;
use impasse_solver::work::Moment;
use impasse_solver::{Evaluator, Term, Terms, Values};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// All paths of a program, by inputs that take them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathsProof {
    /// The inputs of each path, their bits read as unsigned numbers.
    pub paths: Vec<Vec<u64>>,
    /// The most instructions that one path may have.
    pub steps: u64,
    /// Whether the program checks on some path that an allocation succeeded: then the proof assumes
    /// that all do.
    pub assumes_memory: bool,
}

/// Executes the paths and checks that each ends, and that every execution takes one of them. `Err`
/// says what does not hold, or that `time` is over.
pub fn check(subject: &Subject<'_>, proof: &PathsProof, time: Duration) -> Result<(), String> {
    let terms = Terms::new();
    let mut checker = Checker {
        subject,
        terms: &terms,
        inputs: PathInputs::default(),
        tree: Tree::new(usize::MAX),
        end: Moment::now() + time,
        steps: 0,
    };
    if proof.paths.is_empty() {
        return Err("it has no path".into());
    }
    let steps = usize::try_from(proof.steps).unwrap_or(usize::MAX);
    if steps > LONGEST {
        return Err(format!("its paths may have at most {LONGEST} instructions"));
    }
    checker.steps = steps;
    for values in &proof.paths {
        let bounds = Bounds {
            steps,
            inputs: values.len(),
            skip: 0,
        };
        let trace = execute(subject, values, bounds);
        if trace.assumes_memory && !proof.assumes_memory {
            return Err(
                "that memory is never short is assumed, which the proof does not say".into(),
            );
        }
        checker.follow(&trace)?;
    }
    checker.close()
}

struct Checker<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    inputs: PathInputs,
    tree: Tree,
    end: Moment,
    /// How many instructions a path may have.
    steps: usize,
}

impl Checker<'_, '_> {
    /// Enters a path that ends.
    fn follow(&mut self, trace: &Trace) -> Result<(), String> {
        let environment = trace.conditions.iter().map(|(_, what)| what);
        if let Some(what) = environment.chain(&trace.gaps).next() {
            return Err(format!("a path says nothing of others: {what}"));
        }
        if trace.end == End::Wrapped && self.subject.tells_signs && trace.inputs.is_empty() {
            exact::ends(self.subject, self.steps)?;
        } else if !matches!(trace.end, End::Ended | End::Infeasible) || trace.overflow.is_some() {
            return Err("a path does not end, or not without undefined behaviour".into());
        }
        let overflow = Overflow::Undefined;
        let mut replay =
            Replay::of_program(self.subject, self.terms, trace, &mut self.inputs, overflow);
        replay.advance(trace.steps.len());
        if replay.flaw.is_some() || !replay.decided.is_empty() {
            return Err("a path has decisions that are not followed".into());
        }
        let (forks, read) = (replay.forks.clone(), replay.read.clone());
        let known = read.iter().map(|&input| {
            let value = u128::from(trace.values[input as usize]);
            (self.inputs.symbol(self.terms, trace, input), value)
        });
        let known: Values = known.collect();
        let events = self.events(&forks)?;
        let roots: Vec<Term> = events.iter().map(|event| event.term()).collect();
        if Evaluator::new(self.terms, &roots).run(&known).contains(&0) {
            return Err("a path is not the one that its inputs take".into());
        }
        self.tree.insert(&events, &trace.values);
        Ok(())
    }

    /// The decisions of a path, on which nothing undefined may happen, whatever the inputs that
    /// take it.
    fn events(&self, forks: &[Fork]) -> Result<Vec<Event>, String> {
        let mut before: Vec<Term> = Vec::new();
        let mut events = Vec::new();
        for fork in forks {
            match fork.kind {
                ForkKind::Undefined => return Err("a path is undefined".into()),
                ForkKind::Hazard(kind) => {
                    let mut all = before.clone();
                    all.push(fork.term);
                    if !self.terms.is_false(fork.term) && !refutes(self.terms, &all, self.end) {
                        return Err(format!("there may be {kind} on a path"));
                    }
                }
                ForkKind::Branch | ForkKind::Pinned => {
                    before.push(fork.term);
                    events.push(Event::Decides(fork.term));
                }
            }
        }
        Ok(events)
    }

    /// That there are no other paths.
    fn close(&mut self) -> Result<(), String> {
        while let Some(open) = self.tree.next_open() {
            let (mut conditions, taken) = self.tree.question(open);
            conditions.extend(taken.into_iter().map(|term| self.terms.not(term)));
            if !refutes(self.terms, &conditions, self.end) {
                return Err("there may be other paths".into());
            }
        }
        Ok(())
    }
}
