//! Enumerates paths: enters executions into the tree, and asks for inputs that take another path.

use super::incompleteness::Incompleteness;
use super::tree::{Event, NodeId, Tree};
use super::{Pass, Search};
use crate::concolic::replay::{ForkKind, InputSymbols, Replay};
use crate::concolic::trace::{End, Trace};
use crate::problem::Overflow;
use impasse_machine::base::fault::ErrorKind;
use impasse_solver::{Answer, Evaluator, Symbol, Term, Test, Values};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Inputs between minus this and twice this are small.
const SMALL: u128 = 12;

impl Search<'_, '_> {
    pub(super) fn note_end(&mut self, trace: &Trace, gaps: &mut BTreeSet<Incompleteness>) {
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
        let line = step.map(|step| self.subject.line_of(step.place()));
        line.map_or(String::new(), |line| format!("{}:{}", line.file, line.line))
    }

    /// Enters the path of an execution into the tree.
    pub(super) fn grow(
        &mut self,
        tree: &mut Tree,
        trace: &Trace,
        gaps: &mut BTreeSet<Incompleteness>,
    ) {
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
    pub(super) fn alternative(
        &mut self,
        tree: &mut Tree,
        pass: Pass,
        gaps: &mut BTreeSet<Incompleteness>,
    ) -> Option<(NodeId, Vec<u64>)> {
        while let Some(open) = tree.next_open() {
            if self.out_of_time() || self.has_waited() {
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
}

/// Inputs to begin with: the solver finds others, but these cost nothing.
pub(super) fn seeds() -> Vec<Vec<u64>> {
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
