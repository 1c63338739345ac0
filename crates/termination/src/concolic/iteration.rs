//! Iterations of a loop, or of a recursion, and the lassos that are made of them.
//!
//! What an iteration depends on is found by following its conditions back: the parts of the state
//! that occur in them, the parts that those are computed from, and so on. Everything else (a
//! counter that no instruction reads, what is printed later) may change as it likes. If these parts
//! are at the end of the iteration what they were at its start, the iteration repeats forever with
//! the same inputs: by induction each further iteration starts with the same values in them, takes
//! the same path, and leaves the same values. Objects that the iteration makes are other ones each
//! time, which the program cannot observe unless it sees their numbers; then nothing is claimed.

use super::acceleration::{Inner, runs};
use super::names::slot_name;
use super::replay::{Fork, ForkKind, InputSymbols, IterationInputs, Replay};
use super::run::Subject;
use super::shadow::{Cell, CellId, CellPlace, Value};
use super::trace::{Effect, Known, Source, Step, Trace, Visit};
use crate::problem::{
    Condition, Hazard, HazardKind, Input, Iteration, Lasso, Line, Overflow, Place, Reading, Stem,
    Variable,
};
use impasse_machine::base::fault::CodePlace;
use impasse_solver::{Evaluator, Symbol, Term, Terms, Values};
use std::collections::BTreeSet;

/// The assumptions under which iterations become a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// How inner loops are treated.
    pub inner: Inner,
    /// What is assumed of signed overflow.
    pub overflow: Overflow,
}

/// One or more iterations of an execution, as a relation on states.
pub struct LoopRelation {
    /// The visits at which it starts and ends.
    pub visits: (u32, u32),
    /// What was assumed of signed overflow.
    pub overflow: Overflow,
    /// The headers of the accelerated inner loops.
    pub accelerated: Vec<CodePlace>,
    /// The conditions under which a state takes this path.
    pub forks: Vec<Fork>,
    /// The parts of the state that it depends on.
    pub cells: Vec<Cell>,
    /// Whether each is at the end, in this execution, what it was at the start.
    pub unchanged: Vec<bool>,
    /// The value of each at the end, if a term says it.
    pub updates: Option<Vec<Term>>,
    /// The inputs that it reads, by number in the trace, with their symbols.
    pub inputs: Vec<(u32, Symbol)>,
    /// Whether terms express everything that decides its path.
    pub exact: bool,
}

impl LoopRelation {
    /// The relation of the iterations between two visits of a cutpoint. `Err` says why there is
    /// none: where inner loops are to be accelerated, also that none could be.
    pub fn new(
        subject: &Subject<'_>,
        terms: &Terms,
        trace: &Trace,
        visits: (u32, u32),
        assumed: Assumed,
    ) -> Result<LoopRelation, String> {
        LoopRelation::over(subject, terms, trace, (visits, assumed), &[])
    }

    /// The relation of the iterations between two visits, over more parts of the state than it
    /// depends on: these, which have these widths as numbers if nothing else says so.
    pub fn over(
        subject: &Subject<'_>,
        terms: &Terms,
        trace: &Trace,
        (visits, Assumed { inner, overflow }): ((u32, u32), Assumed),
        also: &[(CellPlace, u8)],
    ) -> Result<LoopRelation, String> {
        check_record(trace, visits, overflow)?;
        let [from, to] = [visits.0, visits.1].map(|visit| &trace.visits[visit as usize]);
        let mut symbols = IterationInputs::default();
        let mut replay =
            Replay::of_iteration(subject, terms, trace, &mut symbols, (from, overflow));
        let accelerated = match inner {
            Inner::Followed => Vec::new(),
            Inner::Accelerated => accelerate(&mut replay, trace, visits)?,
        };
        replay.advance(to.step as usize);
        if let Some(flaw) = replay.flaw.take() {
            return Err(flaw);
        }
        if !replay.lives_on() {
            return Err("an object that the iteration uses is gone at its end".into());
        }
        for &(place, width) in also {
            replay.number(place, width).ok_or("a part is not known")?;
        }
        let finals = finals(&mut replay);
        let needed = needed(&replay, &finals, also);
        let exact = replay.decided.is_empty();
        let mut cells = Vec::new();
        let mut unchanged = Vec::new();
        let mut after = Vec::new();
        let mut updates = Vec::new();
        for &id in &needed {
            let Some(value) = finals[id.0 as usize].clone() else {
                return Err("part of the state is not known after an iteration".into());
            };
            let width = width_of(&replay.cells[id.0 as usize]);
            let same = Value {
                known: replay.cells[id.0 as usize].initial,
                shadow: super::shadow::Shadow::Cell(id),
            };
            replay.term_of(&same, width);
            updates.push(replay.term_of(&value, width));
            let cell = replay.cells[id.0 as usize].clone();
            unchanged.push(value.known == cell.initial && !value.known.undefined);
            after.push(value.known);
            cells.push(cell);
        }
        let forks = std::mem::take(&mut replay.forks);
        let read = std::mem::take(&mut replay.read);
        let inputs = read
            .into_iter()
            .map(|input| (input, symbols.symbol(terms, trace, input)));
        let relation = LoopRelation {
            visits,
            overflow,
            accelerated,
            forks,
            cells,
            unchanged,
            updates: updates.into_iter().collect(),
            inputs: inputs.collect(),
            exact,
        };
        match relation.agrees(terms, trace, &after) {
            true => Ok(relation),
            false => Err("its terms disagree with the machine".into()),
        }
    }

    /// The relation of a loop that nothing leaves: it depends on nothing.
    pub fn never_left(visits: (u32, u32), overflow: Overflow) -> LoopRelation {
        LoopRelation {
            visits,
            overflow,
            accelerated: Vec::new(),
            forks: Vec::new(),
            cells: Vec::new(),
            unchanged: Vec::new(),
            updates: None,
            inputs: Vec::new(),
            exact: true,
        }
    }

    /// Whether the terms have the values that the machine computed: they must, and nothing is
    /// claimed if they do not.
    fn agrees(&self, terms: &Terms, trace: &Trace, after: &[Known]) -> bool {
        let mut values = Values::new();
        for cell in &self.cells {
            if let Some((symbol, _)) = cell.symbol {
                values.set(symbol, u128::from(cell.initial.bits));
            }
        }
        for &(input, symbol) in &self.inputs {
            values.set(symbol, u128::from(trace.values[input as usize]));
        }
        let updates = self.updates.iter().flatten().copied();
        let forks = self.forks.iter().map(|fork| fork.term);
        let roots: Vec<Term> = forks.chain(updates).collect();
        let results = Evaluator::new(terms, &roots).run(&values);
        let (conditions, updates) = results.split_at(self.forks.len());
        let conditions = self.forks.iter().zip(conditions);
        let holds = |(fork, &value): (&Fork, &u128)| {
            (value == 1) != matches!(fork.kind, ForkKind::Hazard(_))
        };
        let cells = self.cells.iter().zip(after).zip(updates);
        conditions.into_iter().all(holds)
            && cells.into_iter().all(|((cell, known), &value)| {
                let unused = 64 - u32::from(width_of(cell).min(64));
                u128::from(known.bits << unused >> unused) == value
            })
    }

    /// The assumptions that it rests on.
    pub fn assumed(&self) -> Assumed {
        let inner = match self.accelerated.is_empty() {
            true => Inner::Followed,
            false => Inner::Accelerated,
        };
        Assumed {
            inner,
            overflow: self.overflow,
        }
    }

    /// Whether signed overflow may leave this path: then it is another relation if overflow wraps
    /// around.
    pub fn may_overflow(&self) -> bool {
        let overflow = ForkKind::Hazard(HazardKind::Overflow);
        self.forks.iter().any(|fork| fork.kind == overflow)
    }

    /// Whether everything that it depends on is the same at its end as at its start: then it
    /// repeats forever.
    pub fn repeats(&self) -> bool {
        self.unchanged.iter().all(|&same| same)
    }

    /// The lasso, with the path of this execution as its stem. `None` if no terms express it, or if
    /// it has too many conditions for the provers.
    pub fn lasso(&self, search: &mut StemSearch<'_, '_>) -> Option<Lasso> {
        let iteration = self.iteration(search)?;
        let visits = self.visits;
        let stem = search.stem(visits.0, &self.cells)?;
        let visit = &search.trace.visits[visits.0 as usize];
        let is_recursion = visit.activation != search.trace.visits[visits.1 as usize].activation;
        let variables = self
            .cells
            .iter()
            .map(|cell| search.variable(cell, visit, is_recursion));
        Some(Lasso {
            header: search.subject.line_of(visit.place),
            variables: variables.collect(),
            stem,
            iterations: vec![iteration],
        })
    }

    /// The iteration of a lasso over its parts of the state.
    pub(super) fn iteration(&self, search: &StemSearch<'_, '_>) -> Option<Iteration> {
        if !self.exact || self.forks.len() > MOST_CONDITIONS {
            return None;
        }
        let inputs = self
            .inputs
            .iter()
            .map(|&(input, symbol)| search.input(input, symbol));
        let mut iteration = Iteration {
            inputs: inputs.collect(),
            guard: Vec::new(),
            updates: self.updates.clone()?,
            hazards: Vec::new(),
            lines: search.lines(self.visits),
        };
        for fork in &self.forks {
            let line = search.subject.line_of(fork.place);
            match fork.kind {
                ForkKind::Hazard(kind) => iteration.hazards.push(Hazard {
                    term: fork.term,
                    kind,
                    line,
                }),
                _ => iteration.guard.push(Condition {
                    term: fork.term,
                    line,
                }),
            }
        }
        Some(iteration)
    }
}

/// Checks what the record of the iterations between two visits must be like for a relation.
fn check_record(trace: &Trace, visits: (u32, u32), overflow: Overflow) -> Result<(), String> {
    let [from, to] = [visits.0, visits.1].map(|visit| &trace.visits[visit as usize]);
    if overflow == Overflow::Undefined && trace.overflow.is_some_and(|step| step < to.step) {
        return Err("a signed number overflows on the path".into());
    }
    let made = from.objects..to.objects;
    if trace.pinned.iter().any(|number| made.contains(number)) {
        return Err("the number of an object that an iteration makes is seen".into());
    }
    let is_fixed = |step: &Step| match step.effect {
        Effect::Input(input) => matches!(trace.inputs[input as usize].source, Source::Fixed(_)),
        _ => false,
    };
    let steps = &trace.steps[from.step as usize..to.step as usize];
    if steps.iter().any(is_fixed) {
        return Err("the iteration asks for what is the same each time".into());
    }
    Ok(())
}

/// Accelerates the inner loops between two visits. Returns the headers of those that have a closed
/// form; `Err` says that none has.
fn accelerate(
    replay: &mut Replay<'_, '_>,
    trace: &Trace,
    visits: (u32, u32),
) -> Result<Vec<CodePlace>, String> {
    let found = runs(trace, visits).into_iter();
    let found = found.filter(|run| replay.accelerate(run));
    let headers: Vec<CodePlace> = found
        .map(|run| trace.visits[run.first as usize].place)
        .collect();
    match headers.is_empty() {
        true => Err("no inner loop has a closed form".into()),
        false => Ok(headers),
    }
}

/// With more conditions than this, a stem or an iteration is not given to provers: they would not
/// get to their end.
const MOST_CONDITIONS: usize = 1500;

/// The width that a part of the state has as a number.
pub(super) fn width_of(cell: &Cell) -> u8 {
    match (cell.symbol, cell.place) {
        (Some((_, width)), _) => width,
        (None, CellPlace::Memory(_, _, bytes)) => bytes * 8,
        (None, CellPlace::Slot(_)) => 64,
    }
}

/// The values at the end of the parts of the state that were read, those included that become known
/// as such on the path.
fn finals(replay: &mut Replay<'_, '_>) -> Vec<Option<Value>> {
    let mut finals = Vec::new();
    while let Some(cell) = replay.cells.get(finals.len()) {
        let place = cell.place;
        finals.push(replay.final_value(place));
    }
    finals
}

/// The parts of the state that decide the path, now or after more iterations, and more of them.
fn needed(
    replay: &Replay<'_, '_>,
    finals: &[Option<Value>],
    also: &[(CellPlace, u8)],
) -> BTreeSet<CellId> {
    let conditions: Vec<Term> = replay.forks.iter().map(|fork| fork.term).collect();
    let mut needed = replay.cells_in(&conditions);
    needed.extend(also.iter().filter_map(|&(place, _)| replay.cell_at(place)));
    for (cells, _) in &replay.decided {
        needed.extend(cells.iter().copied());
    }
    let mut open: Vec<CellId> = needed.iter().copied().collect();
    while let Some(id) = open.pop() {
        let Some(value) = &finals[id.0 as usize] else {
            continue;
        };
        for cell in replay.made_of(value) {
            if needed.insert(cell) {
                open.push(cell);
            }
        }
    }
    needed
}

/// The stem of one execution, evaluated once for all its iterations: they must be asked for in the
/// order of their visits.
pub struct StemSearch<'a, 's> {
    /// What is executed.
    pub subject: &'a Subject<'s>,
    /// Its terms.
    pub terms: &'a Terms,
    /// The execution.
    pub trace: &'a Trace,
    replay: Replay<'a, 's>,
    symbols: Vec<Symbol>,
}

impl<'a, 's> StemSearch<'a, 's> {
    /// A search at the start of the execution, whose inputs get their symbols from `inputs`.
    pub fn new(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        trace: &'a Trace,
        inputs: &'a mut dyn InputSymbols,
        overflow: Overflow,
    ) -> Self {
        let symbols = (0..trace.inputs.len() as u32)
            .map(|input| inputs.symbol(terms, trace, input))
            .collect();
        StemSearch {
            subject,
            terms,
            trace,
            replay: Replay::of_program(subject, terms, trace, inputs, overflow),
            symbols,
        }
    }

    /// The stem that leads to a visit, where parts of the state hold what they held then.
    pub(super) fn stem(&mut self, visit: u32, cells: &[Cell]) -> Option<Stem> {
        if self.trace.skipped > 0 {
            return self.fixed_stem(cells);
        }
        let visit = &self.trace.visits[visit as usize];
        self.replay.advance(visit.step as usize);
        if self.replay.flaw.is_some() {
            return None;
        }
        let mut entry = Vec::new();
        for cell in cells {
            let value = self.replay.value_at(cell.place, cell.initial);
            let value = Value {
                known: cell.initial,
                ..value
            };
            entry.push(self.replay.term_of(&value, width_of(cell))?);
        }
        let read = self.replay.read.clone();
        let inputs: Vec<Input> = read
            .iter()
            .map(|&input| self.input(input, self.symbols[input as usize]))
            .collect();
        let mut conditions: Vec<Condition> = Vec::new();
        for fork in &self.replay.forks {
            let term = match fork.kind {
                ForkKind::Hazard(_) => self.terms.not(fork.term),
                _ => fork.term,
            };
            conditions.push(Condition {
                term,
                line: self.subject.line_of(fork.place),
            });
        }
        // What no term says may depend on any input: all stay as they were.
        if !self.replay.decided.is_empty() {
            for &input in &read {
                let symbol = self.terms.variable(self.symbols[input as usize]);
                let value = u128::from(self.trace.values[input as usize]);
                let value = self.terms.constant(value, self.terms.width(symbol));
                conditions.push(Condition {
                    term: self.terms.equal(symbol, value),
                    line: Line::default(),
                });
            }
        }
        let example = read.iter().map(|&input| {
            let value = u128::from(self.trace.values[input as usize]);
            (self.symbols[input as usize], value)
        });
        (conditions.len() <= MOST_CONDITIONS).then(|| Stem {
            inputs,
            conditions,
            entry,
            example: example.collect::<Values>(),
        })
    }

    /// The stem of an execution whose beginning is not recorded: it leads to the one state that it
    /// led to, on the inputs that it had.
    fn fixed_stem(&self, cells: &[Cell]) -> Option<Stem> {
        let value = |cell: &Cell| {
            let width = width_of(cell);
            let bits = u128::from(cell.initial.bits) & (u128::MAX >> (128 - width));
            (!cell.initial.undefined).then(|| self.terms.constant(bits, width))
        };
        Some(Stem {
            inputs: Vec::new(),
            conditions: Vec::new(),
            entry: cells.iter().map(value).collect::<Option<_>>()?,
            example: Values::new(),
        })
    }

    fn input(&self, input: u32, symbol: Symbol) -> Input {
        let read = &self.trace.inputs[input as usize];
        let reading = match read.signed {
            true => Reading::Signed,
            false => Reading::Unsigned,
        };
        Input {
            symbol,
            name: input_name(&read.source, input),
            reading: Some(reading),
            line: read
                .place
                .map_or(Line::default(), |place| self.subject.line_of(place)),
        }
    }

    /// The variable of a lasso for a part of the state at a visit.
    pub(super) fn variable(&self, cell: &Cell, visit: &Visit, is_recursion: bool) -> Variable {
        let (symbol, width) = cell.symbol.expect("a variable for what is needed");
        let (reading, place) = match cell.place {
            CellPlace::Slot(slot) => {
                let place = match is_recursion {
                    true => Place::Argument,
                    false => Place::Local,
                };
                (slot_name(self.subject, visit, slot, width).reading, place)
            }
            CellPlace::Memory(..) => (None, Place::Memory),
        };
        Variable {
            symbol,
            name: self.terms.name(symbol),
            reading,
            place,
        }
    }

    fn lines(&self, visits: (u32, u32)) -> Vec<Line> {
        lines(self.subject, self.trace, visits)
    }
}

/// The lines of the program's own files between two visits, in order; the first 1000.
pub fn lines(subject: &Subject<'_>, trace: &Trace, visits: (u32, u32)) -> Vec<Line> {
    let step = |visit: u32| trace.visits[visit as usize].step as usize;
    lines_between(subject, trace, step(visits.0), step(visits.1))
}

/// The lines of the program's own files that the steps from `from` up to `to` go through, in order;
/// the first 1000.
pub fn lines_between(subject: &Subject<'_>, trace: &Trace, from: usize, to: usize) -> Vec<Line> {
    const MOST: usize = 1000;
    let mut lines: Vec<Line> = Vec::new();
    for step in trace.steps[from..to].iter().take(100_000) {
        if !subject.system.own[step.function.0 as usize] || lines.len() >= MOST {
            continue;
        }
        let line = subject.line_of(step.place());
        if line.line != 0 && lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

/// What reports call the halves of an integer of 128 bits, each of which is an input.
pub const LOWER_HALF: &str = "bits 0 to 63";
/// The other half.
pub const UPPER_HALF: &str = "bits 64 to 127";

/// The name of an input in reports; `number` is its number in the execution, from 0.
pub fn input_name(source: &Source, number: u32) -> String {
    match source {
        Source::Call(ty) => format!("__VERIFIER_nondet_{ty}() #{}", number + 1),
        Source::LowerHalf(ty) => format!("__VERIFIER_nondet_{ty}() #{}, {LOWER_HALF}", number + 1),
        Source::UpperHalf(ty) => format!("__VERIFIER_nondet_{ty}() #{number}, {UPPER_HALF}"),
        Source::Parameter(name) | Source::Pointee(name) | Source::Global(name) => name.clone(),
        Source::StandardInput(at) => format!("byte {at} of standard input"),
        Source::Environment(name) => format!("{name}() #{}", number + 1),
        Source::Fixed(name) => format!("{name}()"),
        Source::Uninitialised(name) => format!("uninitialised {name} #{}", number + 1),
        Source::Unknown(name) => format!("{name}() #{}", number + 1),
    }
}
