//! From what was found to the verdict and its reasons.
//!
//! That a network cannot avoid a deadlock says that every path through the branches leads to one. A
//! run may still end before it comes to that, by a run-time error, or stay on the path, in a loop
//! that never ends. Only where neither can be does a deadlock count as inevitable.

use crate::analysis::{ALWAYS, Abstract, Analysis};
use crate::concolic::{Example, Findings};
use crate::machine::Ending;
use crate::verdict::Verdict;
use crate::warnings;
use crate::words::{counted, ordinal};
use crate::{faults, predicates};

impl Analysis<'_> {
    fn count_runs(&mut self, runs: usize, steps: u64, longest: u64) {
        self.result.states = runs.to_string();
        self.result.transitions = steps;
        self.result.depth = longest;
        self.result.state_bytes = 0;
    }

    /// Runs a program without inputs; whether that decided it.
    pub(crate) fn by_running(&mut self) -> bool {
        let run = self.run(self.budget.steps);
        let (verdict, method) = match &run.ending {
            Ending::OutOfSteps => return false,
            Ending::Deadlock => (Verdict::Inevitable, "by running it: it has no inputs"),
            Ending::Finished => (
                Verdict::DeadlockFree,
                "by running it to its end: it has no inputs",
            ),
            Ending::Forever(_) => (
                Verdict::DeadlockFree,
                "by running it until it came back to an earlier state",
            ),
            Ending::Failed(..) => (
                Verdict::DeadlockFree,
                "by running it until a run-time error ended it",
            ),
        };
        self.result.verdict = verdict;
        self.result.method = method.into();
        self.count_runs(1, run.steps, run.rendezvous);
        // What was run to its end needs nothing taken for granted.
        self.result.assumptions.clear();
        warnings::from_run(self.program, self.tree, &run, &mut self.result);
        if verdict == Verdict::Inevitable {
            self.show_run(&run);
        }
        true
    }

    /// Looks for predicates that refute every deadlock, or for inputs that lead to one; whether
    /// that decided it.
    pub(crate) fn by_predicates(
        &mut self,
        plain: &Abstract,
        known: &Abstract,
        tried: &Findings,
    ) -> bool {
        let outcome = predicates::decide(self.program, self.tree, self.budget.predicates);
        match outcome {
            predicates::Outcome::Open => false,
            predicates::Outcome::Free {
                predicates,
                states,
                moves,
            } => {
                self.result.verdict = Verdict::DeadlockFree;
                self.result.method =
                    format!("by {} over its data", counted(predicates, "predicate"));
                self.result.states = states.to_string();
                self.result.transitions = moves as u64;
                (self.result.depth, self.result.state_bytes) = (0, 0);
                // The network does not know what the predicates say, and would give false alarms.
                self.warn(tried);
                true
            }
            predicates::Outcome::Deadlock(run, inputs) => {
                let findings = Findings {
                    examples: vec![Example { run: *run, inputs }],
                    runs: 1,
                    ..Findings::default()
                };
                self.conclude(plain, known, Some(findings));
                true
            }
        }
    }

    /// The verdict from two abstractions and, where inputs were tried, what they led to.
    pub(crate) fn conclude(
        &mut self,
        plain: &Abstract,
        known: &Abstract,
        findings: Option<Findings>,
    ) {
        let always = plain.inevitable == Some(true) || known.inevitable == Some(true);
        self.count(known);
        let Some(findings) = findings else {
            let why = "the program did not end within the limit of steps";
            return self.possible(known, always, why);
        };
        match (findings.deadlock(), findings.complete) {
            (None, true) => {
                self.result.verdict = Verdict::DeadlockFree;
                self.result.method = covering(findings.runs);
                self.count_runs(findings.runs, findings.steps, findings.longest);
            }
            (Some(example), _) => self.deadlock(example, &findings, always),
            (None, false) => self.possible(
                known,
                always,
                "the search for inputs that lead there ended at its limits",
            ),
        }
        self.warn(&findings);
    }

    fn deadlock(&mut self, example: &Example, findings: &Findings, always: bool) {
        let shown = "shown by a run";
        let only = findings.calm().is_none() && findings.failed().is_none();
        let proved = always && self.exceptions().is_none();
        (self.result.verdict, self.result.method) = if findings.complete && only {
            self.result.assumptions.clear();
            (Verdict::Inevitable, covering(findings.runs))
        } else if proved {
            (Verdict::Inevitable, format!("{ALWAYS}; {shown}"))
        } else {
            let tried = ordinal(findings.runs);
            let method = format!("{shown} on chosen inputs, the {tried} tried");
            (Verdict::Deadlock, method)
        };
        if self.result.verdict == Verdict::Deadlock && findings.calm().is_none() {
            self.result.unless = match (findings.complete, findings.failed()) {
                (true, Some(failed)) => Some(self.failure(failed)),
                (false, _) if always => self.exceptions(),
                _ => None,
            };
        }
        self.result.inputs = self.name_inputs(&example.inputs);
        self.show_run(&example.run);
    }

    /// A run-time error and the inputs that lead to it.
    fn failure(&self, example: &Example) -> String {
        let Ending::Failed(span, message) = &example.run.ending else {
            return String::new();
        };
        let line = self.program.file.line(*span);
        let inputs = self.inputs_in_words(example);
        format!("a run-time error ends it first: {message} on line {line}{inputs}")
    }

    /// What can keep a run from what every path through the branches leads to.
    fn exceptions(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some((line, what)) = faults::first(self.program, self.tree) {
            parts.push(format!(
                "a run-time error ends it first, as {what} on line {line} may be"
            ));
        }
        if let Some(place) = self.result.assumptions.first() {
            let line = place.line;
            parts.push(format!(
                "it computes forever first, as the loop on line {line} may do"
            ));
        }
        (!parts.is_empty()).then(|| parts.join(", or "))
    }

    /// Warns of what runs have shown. What was taken for granted and is not so is not any more; if
    /// everything was run, nothing is.
    pub(crate) fn warn(&mut self, findings: &Findings) {
        for example in &findings.examples {
            let known = self.result.warnings.len();
            warnings::from_run(self.program, self.tree, &example.run, &mut self.result);
            let inputs = self.inputs_in_words(example);
            let mut fresh = self.result.warnings.split_off(known);
            fresh.retain(|new| {
                let mut old = self.result.warnings.iter();
                old.all(|old| {
                    (old.kind, old.line) != (new.kind, new.line)
                        || !old.message.starts_with(&new.message)
                })
            });
            for mut warning in fresh {
                if example.run.ending != Ending::Deadlock {
                    warning.message.push_str(&inputs);
                }
                self.result.warnings.push(warning);
            }
        }
        if findings.complete {
            self.result.assumptions.clear();
        }
    }

    /// ", for n = 1"; nothing where there are no inputs.
    fn inputs_in_words(&self, example: &Example) -> String {
        let inputs = self.name_inputs(&example.inputs);
        if inputs.is_empty() {
            return String::new();
        }
        let each = inputs
            .iter()
            .map(|input| format!("{} = {}", input.name, input.value));
        format!(", for {}", each.collect::<Vec<_>>().join(", "))
    }

    /// The verdict where no run on real data led to a deadlock; `always` says that no path through
    /// the branches avoids it.
    pub(crate) fn possible(&mut self, found: &Abstract, always: bool, why: &str) {
        if let Some(state) = found.graph.deadlock {
            let path = found.graph.path(&found.network, state);
            self.show_path(&found.network, &path, &found.graph.states[state]);
        }
        let exceptions = self.exceptions();
        if always && exceptions.is_none() {
            self.result.unsettled.clear();
            self.result.verdict = Verdict::Inevitable;
            self.result.method = ALWAYS.into();
            return;
        }
        self.result.verdict = Verdict::Possible;
        self.result.method = "found where data are not known; not confirmed on real data".into();
        self.result.reason = Some(match (found.graph.deadlock, exceptions) {
            (Some(_), Some(exceptions)) if always => {
                format!(
                    "every path through the branches leads to a deadlock, unless {exceptions}; {why}"
                )
            }
            (Some(_), _) => format!("a deadlock exists if the branches go as shown; {why}"),
            (None, _) => format!("the state space is too large to explore to its end; {why}"),
        });
        let mut unsettled = std::mem::take(&mut self.result.unsettled);
        for branch in self.result.trace.iter().flat_map(|step| &step.branches) {
            if !unsettled.contains(branch) {
                unsettled.push(branch.clone());
            }
        }
        self.result.unsettled = unsettled;
    }
}

fn covering(runs: usize) -> String {
    match runs {
        1 => "by a run that covers all inputs".into(),
        _ => format!("by {runs} runs that cover all inputs"),
    }
}
