//! Runs a program on chosen inputs until all its behaviours are known.
//!
//! A run keeps, next to each number, the term over the inputs that it is, and the conditions that
//! it decided. Negating one of them after those before it and solving gives the inputs of the next
//! run. SHIM is deterministic, so inputs decide everything: when no condition is left to negate,
//! every behaviour of the program has been seen, and the answer is exact.

use crate::ir::{Mode, Program, Scalar, Type, VarId};
use crate::machine::{Cell, Ending, Run, Shadow, run};
use crate::solve::{Answer, Question};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, UnaryOp};
use crate::terms::{TermId, Terms};
use crate::tree::{TaskId, Tree};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

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
    /// One of so many equal parts.
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

/// What was found.
pub struct Findings {
    /// The first run that deadlocks, with its inputs.
    pub deadlock: Option<(Run, Inputs)>,
    /// A run that does not deadlock, if there was one.
    pub other: Option<Run>,
    /// Whether every behaviour was seen.
    pub complete: bool,
    /// How many runs were made.
    pub runs: usize,
    /// Instructions executed.
    pub steps: u64,
    /// The most rendezvous of one run.
    pub longest: u64,
}

/// Inputs of a run.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    /// Parameters of `main` in order, each as its numbers.
    pub parameters: Vec<Vec<i64>>,
    /// What `input()` gave to each task, in order.
    pub streams: FxHashMap<TaskId, Vec<i64>>,
}

impl Inputs {
    /// The default inputs of a program.
    pub fn blank(program: &Program) -> Inputs {
        let main = &program.functions[program.main.index()];
        let parameters = main.vars.iter().take(main.params.len()).map(|var| {
            let mut types = Vec::new();
            scalars(program, &var.ty, &mut types);
            types.into_iter().map(Scalar::default_value).collect()
        });
        Inputs {
            parameters: parameters.collect(),
            streams: FxHashMap::default(),
        }
    }

    /// Sets an input of a task that so many come before.
    pub fn give(&mut self, task: TaskId, before: u32, value: i64) {
        let stream = self.streams.entry(task).or_default();
        let missing = (before as usize + 1).saturating_sub(stream.len());
        stream.extend(std::iter::repeat_n(0, missing));
        stream[before as usize] = value;
    }
}

/// Which input a number is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Parameter(usize, usize),
    Stream(TaskId, u32),
}

/// The types of the numbers in a type, in order.
pub fn scalars(program: &Program, ty: &Type, out: &mut Vec<Scalar>) {
    match ty {
        Type::Scalar(scalar) => out.push(*scalar),
        Type::Struct(id) => program.structs[id.index()]
            .fields
            .iter()
            .for_each(|(_, ty, _)| scalars(program, ty, out)),
        Type::Array(element, count) => (0..*count).for_each(|_| scalars(program, element, out)),
        Type::Void | Type::Unknown => {}
    }
}

/// Whether a program has no inputs: it always does the same.
pub fn is_closed(program: &Program, tree: &Tree) -> bool {
    let asks = |op: &crate::ir::Op| matches!(op, crate::ir::Op::Input(..));
    let main = &program.functions[program.main.index()];
    main.params.is_empty()
        && tree
            .instances
            .iter()
            .all(|i| i.function.code.iter().all(|instr| !asks(&instr.op)))
}

/// Explores the behaviours of a program.
pub fn explore(program: &Program, tree: &Tree, limits: Limits) -> Findings {
    let mut search = Search {
        program,
        tree,
        limits,
        shadow: Symbolic {
            conditions: limits.conditions,
            ..Symbolic::default()
        },
        questions: 0,
        effort: 0,
        findings: Findings {
            deadlock: None,
            other: None,
            complete: true,
            runs: 0,
            steps: 0,
            longest: 0,
        },
    };
    search.explore();
    search.findings
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
        let mut queue: VecDeque<(Vec<i64>, usize)> = VecDeque::from([(Vec::new(), 0)]);
        while let Some((values, from)) = queue.pop_front() {
            // Once a deadlock is known, only whether all inputs lead to one is open.
            let share = if self.findings.deadlock.is_some() {
                10
            } else {
                1
            };
            if self.findings.runs >= self.limits.runs / share
                || self.findings.steps >= self.limits.total_steps / share as u64
            {
                self.findings.complete = false;
                return;
            }
            self.shadow.begin(values);
            let arguments = self.arguments();
            let steps = self.limits.steps;
            let run = run(self.program, self.tree, &arguments, &mut self.shadow, steps);
            self.findings.runs += 1;
            self.findings.steps += run.steps;
            self.findings.longest = self.findings.longest.max(run.rendezvous);
            self.note(run);
            self.branch_off(from, &mut queue);
            if self.findings.deadlock.is_some()
                && (self.findings.other.is_some() || !self.findings.complete)
            {
                self.findings.complete = false;
                return;
            }
        }
    }

    fn note(&mut self, run: Run) {
        match run.ending {
            Ending::Deadlock if self.findings.deadlock.is_none() => {
                let inputs = self.inputs();
                self.findings.deadlock = Some((run, inputs));
            }
            Ending::Deadlock => {}
            Ending::OutOfSteps => self.findings.complete = false,
            _ => self.findings.other = Some(run),
        }
    }

    /// Asks for inputs that decide one condition the other way, for each that is new.
    fn branch_off(&mut self, from: usize, queue: &mut VecDeque<(Vec<i64>, usize)>) {
        let path = std::mem::take(&mut self.shadow.path);
        if path.len() > self.limits.conditions {
            self.findings.complete = false;
        }
        let types: Vec<Scalar> = self.shadow.sources.iter().map(|(_, ty)| *ty).collect();
        let mut question = Question::new(&self.shadow.terms, &types);
        for (position, (test, truth)) in path.iter().enumerate().take(self.limits.conditions) {
            if position >= from {
                if self.questions >= self.limits.questions || self.effort >= self.limits.effort {
                    self.findings.complete = false;
                    return;
                }
                self.questions += 1;
                let otherwise = question.literal(*test, !truth);
                let answer = question.ask(&[otherwise]);
                self.effort += question.effort();
                match answer {
                    Answer::Satisfied(values) => queue.push_back((values, position + 1)),
                    Answer::Impossible => {}
                    Answer::Unknown => self.findings.complete = false,
                }
            }
            question.require(*test, *truth);
        }
    }

    fn parameter_types(&self) -> Vec<Vec<Scalar>> {
        let main = &self.program.functions[self.program.main.index()];
        let values = main
            .params
            .iter()
            .enumerate()
            .filter(|(_, mode)| **mode == Mode::Value);
        values
            .map(|(index, _)| {
                let mut types = Vec::new();
                scalars(
                    self.program,
                    &main.vars[VarId(index as u32).index()].ty,
                    &mut types,
                );
                types
            })
            .collect()
    }

    fn arguments(&mut self) -> Vec<Vec<Cell<Option<TermId>>>> {
        let types = self.parameter_types();
        let shadow = &mut self.shadow;
        let cell = |parameter: usize, position: usize, ty: Scalar, shadow: &mut Symbolic| {
            let (value, term) = shadow.ask(Source::Parameter(parameter, position), ty);
            Cell { value, term }
        };
        types
            .iter()
            .enumerate()
            .map(|(p, types)| {
                types
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| cell(p, i, *ty, shadow))
                    .collect()
            })
            .collect()
    }

    fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::blank(self.program);
        for ((source, _), value) in self.shadow.sources.iter().zip(self.shadow.values()) {
            match source {
                Source::Parameter(parameter, position) => {
                    inputs.parameters[*parameter][*position] = value
                }
                Source::Stream(task, count) => inputs.give(*task, *count, value),
            }
        }
        inputs
    }
}

/// Numbers with their terms.
#[derive(Default)]
struct Symbolic {
    terms: Terms<u32>,
    sources: Vec<(Source, Scalar)>,
    positions: FxHashMap<Source, u32>,
    given: Vec<i64>,
    path: Vec<(TermId, bool)>,
    /// So many conditions of a run can be negated.
    conditions: usize,
    decided: FxHashMap<TermId, bool>,
}

impl Symbolic {
    fn begin(&mut self, values: Vec<i64>) {
        self.given = values;
        self.path.clear();
        self.decided.clear();
    }

    fn values(&self) -> impl Iterator<Item = i64> {
        let value = |(index, (_, ty)): (usize, &(Source, Scalar))| {
            self.given
                .get(index)
                .copied()
                .unwrap_or_else(|| ty.default_value())
        };
        self.sources.iter().enumerate().map(value)
    }

    fn ask(&mut self, source: Source, ty: Scalar) -> (i64, Option<TermId>) {
        let fresh = self.sources.len() as u32;
        let position = *self.positions.entry(source).or_insert(fresh);
        if position == fresh {
            self.sources.push((source, ty));
        }
        let value = self
            .given
            .get(position as usize)
            .copied()
            .unwrap_or_else(|| ty.default_value());
        (value, Some(self.terms.symbol(position)))
    }

    fn term(&mut self, cell: Cell<Option<TermId>>) -> TermId {
        cell.term.unwrap_or_else(|| self.terms.number(cell.value))
    }

    fn learn(&mut self, term: TermId, truth: bool) {
        let (test, negated) = self.terms.strip(term);
        let truth = truth != negated;
        if self.terms.constant(test).is_none() && self.decided.insert(test, truth).is_none() {
            self.path.push((test, truth));
        }
    }

    fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        self.terms.binary(
            op,
            Scalar::Int {
                bits: 64,
                signed: true,
            },
            a,
            b,
        )
    }
}

impl Shadow for Symbolic {
    type Term = Option<TermId>;

    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, Option<TermId>) {
        self.ask(Source::Stream(task, count), ty)
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Cell<Self::Term>) -> Self::Term {
        a.term.map(|term| self.terms.unary(op, ty, term))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: Cell<Self::Term>,
        b: Cell<Self::Term>,
    ) -> Self::Term {
        if a.term.is_none() && b.term.is_none() {
            return None;
        }
        let (a, b) = (self.term(a), self.term(b));
        self.terms.binary(op, ty, a, b)
    }

    fn convert(&mut self, ty: Scalar, cell: Cell<Self::Term>) -> Self::Term {
        let term = cell.term?;
        // An input is of its own type; only a narrower one needs more than its symbol.
        if let crate::terms::Term::Symbol(position) = self.terms.get(term)
            && self.sources[position as usize].1 == ty
        {
            return Some(term);
        }
        Some(self.terms.convert(ty, term))
    }

    fn enough(&self) -> bool {
        self.path.len() > 2 * self.conditions
    }

    fn decide(&mut self, _: Span, cell: Cell<Self::Term>) {
        if let Some(term) = cell.term {
            self.learn(term, cell.value != 0);
        }
    }

    fn pin(&mut self, _: Span, cell: Cell<Self::Term>) {
        if let Some(term) = cell.term {
            let number = self.terms.number(cell.value);
            if let Some(test) = self.compare(BinaryOp::Equal, term, number) {
                self.learn(test, true);
            }
        }
    }

    fn require(&mut self, _: Span, ty: Scalar, cell: Cell<Self::Term>) {
        let (Some(term), Scalar::Range { low, high }) = (cell.term, ty) else {
            return;
        };
        let (least, most) = (self.terms.number(low), self.terms.number(high));
        for (a, b, truth) in [
            (term, least, cell.value < low),
            (most, term, cell.value > high),
        ] {
            if let Some(test) = self.compare(BinaryOp::Less, a, b) {
                self.learn(test, truth);
            }
        }
    }
}
