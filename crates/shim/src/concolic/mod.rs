//! Runs a program on chosen inputs until all its behaviours are known.
//!
//! SHIM is deterministic, so inputs decide everything. A run keeps, next to each number, the term
//! over the inputs that it is, and the conditions that it decided (`symbolic`). Two runs that
//! decide the same conditions alike execute the same instructions on the same terms. So each
//! condition is negated after those before it and solved, which gives the inputs of a next run;
//! when no condition is left to negate, every behaviour has been seen, and the answer is exact.
//! What a run uses an input for must therefore be a condition, or be in a term: an index that is
//! neither kept as a term nor decided to be each of its values would be a sample. Where there are
//! few inputs, all of them are run instead (`every`).
//!
//! A next run must begin with the conditions that it was made for. That is checked, so that a
//! number that is not what its term says makes the answer incomplete, not wrong.

mod every;
mod symbolic;

pub use every::every_input;

use crate::inputs::{Inputs, Source, parameter_types};
use crate::ir::Program;
use crate::machine::{Cell, Ending, Run, run};
use crate::runner::replay;
use crate::solve::{Answer, Question};
use crate::terms::TermId;
use crate::tree::Tree;
use std::collections::VecDeque;
use std::rc::Rc;
use symbolic::Symbolic;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs.
    pub runs: usize,
    /// Instructions of one run.
    pub steps: u64,
    /// Instructions of all runs.
    pub total_steps: u64,
    /// Conditions of one run.
    pub conditions: usize,
    /// Questions to the solver.
    pub questions: usize,
    /// How hard all questions together may be, in the units of [`crate::solve::Question::effort`].
    pub effort: u64,
}

impl Limits {
    /// Returns the limits of one of `parts` equal parts of the work.
    pub fn part(self, parts: usize) -> Limits {
        Limits {
            runs: self.runs / parts,
            steps: self.steps,
            total_steps: self.total_steps / parts as u64,
            conditions: self.conditions,
            questions: self.questions / parts,
            effort: self.effort / parts as u64,
        }
    }
}

/// A run and what it was run on.
pub struct Example {
    /// The run.
    pub run: Run,
    /// Its inputs.
    pub inputs: Inputs,
}

/// What was found.
#[derive(Default)]
pub struct Findings {
    /// The first runs of each kind, in order.
    pub examples: Vec<Example>,
    /// Whether every behaviour was seen.
    pub complete: bool,
    /// How many runs were made.
    pub runs: usize,
    /// Instructions executed.
    pub steps: u64,
    /// The most rendezvous of one run.
    pub longest: u64,
}

/// So many runs are kept that differ from the first of their ending in their details only.
const MAX_EXAMPLES: usize = 30;

impl Findings {
    /// Returns the findings about a program without inputs.
    pub fn of_one(run: Run) -> Findings {
        let mut findings = Findings {
            complete: true,
            ..Findings::default()
        };
        findings.note(run, Inputs::default);
        findings
    }

    /// Returns the first run that deadlocks, or `None`.
    pub fn deadlock(&self) -> Option<&Example> {
        self.first(|ending| *ending == Ending::Deadlock)
    }

    /// Returns the first run that ends with a run-time error, or `None`.
    pub fn failed(&self) -> Option<&Example> {
        self.first(|ending| matches!(ending, Ending::Failed(..)))
    }

    /// Returns the first run without a deadlock or an error, or `None`. It ends, or runs forever.
    pub fn calm(&self) -> Option<&Example> {
        self.first(|ending| matches!(ending, Ending::Finished | Ending::Forever(_)))
    }

    fn first(&self, wanted: impl Fn(&Ending) -> bool) -> Option<&Example> {
        let mut examples = self.examples.iter();
        examples.find(|example| wanted(&example.run.ending))
    }

    /// Counts a run, and keeps it if it shows something new.
    fn note(&mut self, run: Run, inputs: impl FnOnce() -> Inputs) {
        self.runs += 1;
        self.steps += run.steps;
        self.longest = self.longest.max(run.rendezvous);
        if run.ending == Ending::OutOfSteps {
            self.complete = false;
            return;
        }
        let same_end = |other: &&Example| other.run.ending.is_like(&run.ending);
        let known = self
            .examples
            .iter()
            .any(|e| same_end(&e) && e.run.alone == run.alone);
        let few = self.examples.len() < MAX_EXAMPLES || !self.examples.iter().any(|e| same_end(&e));
        if !known && few {
            let inputs = inputs();
            self.examples.push(Example { run, inputs });
        }
    }
}

/// Returns the number of scalars in the parameters of `main`.
pub fn parameter_count(program: &Program) -> usize {
    parameter_types(program).iter().map(Vec::len).sum()
}

/// Returns whether a program has no inputs: all of its runs are equal.
pub fn is_closed(program: &Program, tree: &Tree) -> bool {
    let asks = |op: &crate::ir::Op| matches!(op, crate::ir::Op::Input(..));
    let main = &program.functions[program.main.index()];
    main.params.is_empty()
        && tree
            .instances
            .iter()
            .all(|i| i.function.code.iter().all(|instr| !asks(&instr.op)))
}

/// Explores the behaviours of a program within limits.
pub fn explore(program: &Program, tree: &Tree, limits: Limits) -> Findings {
    let mut search = Search {
        program,
        tree,
        limits,
        shadow: Symbolic::new(limits.conditions),
        questions: 0,
        effort: 0,
        findings: Findings {
            complete: true,
            ..Findings::default()
        },
    };
    search.explore();
    search.findings
}

/// A condition and its truth.
type Condition = (TermId, bool);

/// A run to be made.
struct Planned {
    values: Vec<i64>,
    /// The conditions that it must begin with; those after them are new.
    start: Rc<[Condition]>,
}

struct Search<'a> {
    program: &'a Program,
    tree: &'a Tree,
    limits: Limits,
    shadow: Symbolic,
    questions: usize,
    effort: u64,
    findings: Findings,
}

impl Search<'_> {
    fn explore(&mut self) {
        let first = Planned {
            values: Vec::new(),
            start: Rc::new([]),
        };
        let mut queue = VecDeque::from([first]);
        while let Some(planned) = queue.pop_front() {
            if self.is_over() {
                self.findings.complete = false;
                return;
            }
            self.shadow.begin(planned.values);
            let arguments = self.arguments();
            let steps = self.limits.steps;
            let run = run(self.program, self.tree, &arguments, &mut self.shadow, steps);
            self.note(run);
            self.branch_off(&planned.start, &mut queue);
        }
    }

    /// Keeps what a run has shown. One that was given up because its terms became too many may
    /// still come to an end as numbers alone: that is true of its inputs, if not of others.
    fn note(&mut self, run: Run) {
        let inputs = self.shadow.inputs(Inputs::blank(self.program));
        let given_up = run.ending == Ending::OutOfSteps;
        self.findings.note(run, || inputs.clone());
        if given_up {
            let run = replay(self.program, self.tree, &inputs, self.limits.steps);
            self.findings.runs -= 1;
            self.findings.note(run, || inputs);
        }
    }

    /// Whether no more runs are to be made, although some are left.
    fn is_over(&self) -> bool {
        let findings = &self.findings;
        let deadlock = findings.deadlock().is_some();
        // Once a deadlock is known, only whether all inputs lead to one is open.
        let share = if deadlock { 10 } else { 1 };
        let other = findings.calm().is_some() || !findings.complete;
        findings.runs >= self.limits.runs / share
            || findings.steps >= self.limits.total_steps / share as u64
            || deadlock && other
    }

    /// Asks for inputs that decide one condition otherwise, for each that is new.
    fn branch_off(&mut self, start: &[Condition], queue: &mut VecDeque<Planned>) {
        let path = std::mem::take(&mut self.shadow.path);
        if path.len() > self.limits.conditions || !path.starts_with(start) {
            self.findings.complete = false;
        }
        let types = self.shadow.types();
        let mut question = Question::new(&self.shadow.terms, &types);
        for (position, (test, truth)) in path.iter().enumerate().take(self.limits.conditions) {
            if position >= start.len() {
                if self.questions >= self.limits.questions || self.effort >= self.limits.effort {
                    self.findings.complete = false;
                    return;
                }
                self.questions += 1;
                let otherwise = question.literal(*test, !truth);
                let answer = question.ask(&[otherwise]);
                self.effort += question.effort();
                match answer {
                    Answer::Satisfied(values) => {
                        let before = path[..position].iter().copied();
                        let start = before.chain([(*test, !truth)]).collect();
                        queue.push_back(Planned { values, start });
                    }
                    Answer::Impossible => {}
                    Answer::Unknown => self.findings.complete = false,
                }
            }
            question.require(*test, *truth);
        }
    }

    fn arguments(&mut self) -> Vec<Vec<Cell<Option<TermId>>>> {
        let shadow = &mut self.shadow;
        let types = parameter_types(self.program);
        let parameters = types.iter().enumerate().map(|(parameter, types)| {
            let numbers = types.iter().enumerate().map(|(position, ty)| {
                let (value, term) = shadow.ask(Source::Parameter(parameter, position), *ty);
                Cell { value, term }
            });
            numbers.collect()
        });
        parameters.collect()
    }
}
