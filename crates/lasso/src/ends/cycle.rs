//! Loops and recursions: what a turn does to the states at the head, and that there is no run of turns without end.

use super::execute::{Flow, Frame};
use super::graph::BlockId;
use super::head::{Changes, Head, Part};
use super::state::State;
use super::{Executor, Result, Stop};
use crate::concolic::turn::line_of;
use crate::problem::{Condition, Input, Lasso, Line, Place, Stem, Turn, Variable};
use crate::prove::rank;
use crate::prove::step::Step;
use impasse_machine::fault::CodePlace;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use impasse_solver::{Answer, Solver, Symbol, Term, Test};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How often a turn is executed until nothing else changes.
const PASSES: usize = 40;
/// With more ways around, they are taken together.
const TURNS: usize = 4;
/// How long the solver may take to say whether something is possible at all.
const QUESTION: Duration = Duration::from_millis(500);
/// How long the proof for one loop may take.
const LOOP: Duration = Duration::from_secs(6);

/// A recursive function that is being executed.
pub(super) struct Recursion {
    pub function: FunctionId,
    /// What may be different from one call to the next, and what a call may change.
    changes: Changes,
    /// How many conditions the context had at the entry.
    context: usize,
    /// The states in which it is called again, with the arguments as slots.
    backs: Vec<State>,
}

/// Executes the turns of a head once, under more conditions.
type Around<'t, 'a, 's> = dyn FnMut(&mut Executor<'a, 's>, &Head, &[Term]) -> Result<Flow> + 't;

impl<'a, 's> Executor<'a, 's> {
    /// Executes a loop from its head to where it is left, and proves that it is.
    pub(super) fn cycle(
        &mut self,
        frame: &Frame<'s>,
        head: BlockId,
        mut entry: State,
    ) -> Result<Flow> {
        let block = frame.graph.block(head);
        let Some(blocks) = &block.cycle else {
            return Ok(Flow::default());
        };
        let place = CodePlace {
            function: frame.id,
            position: Position(block.first),
        };
        let body = &frame.function.body;
        let live = &body.live_sets[body.live[block.first as usize] as usize];
        for (slot, value) in (0u32..).zip(&mut entry.slots) {
            if live.binary_search_by_key(&slot, |slot| slot.0).is_err() {
                *value = None;
            }
        }
        let again: Vec<usize> = self
            .recursions
            .iter()
            .map(|recursion| recursion.backs.len())
            .collect();
        let mut turn = |executor: &mut Self, at: &Head, extra: &[Term]| {
            // Calls that were met in an earlier pass are met again in this one.
            for (recursion, &known) in executor.recursions.iter_mut().zip(&again) {
                recursion.backs.truncate(known);
            }
            let mut state = at.state.clone();
            for &condition in extra {
                state.assume(executor.terms, condition);
            }
            executor.run(frame, (head, true), blocks, state)
        };
        self.context.push(entry.path.clone());
        let flow = self.around(&mut entry, place, &mut turn, true);
        self.context.pop();
        let mut flow = flow?;
        flow.exits
            .retain_mut(|(_, state)| self.leave(&entry, state));
        flow.returns.retain_mut(|state| self.leave(&entry, state));
        flow.backs.clear();
        Ok(flow)
    }

    /// Executes a recursive function.
    pub(super) fn recursion(
        &mut self,
        id: FunctionId,
        mut entry: State,
        place: CodePlace,
    ) -> Result<Option<State>> {
        let place = match self.subject.system.own[id.0 as usize] {
            true => CodePlace {
                function: id,
                position: Position(0),
            },
            false => place,
        };
        self.context.push(entry.path.clone());
        self.recursions.push(Recursion {
            function: id,
            changes: Changes::default(),
            context: self.context.len(),
            backs: Vec::new(),
        });
        let mut turn = |executor: &mut Self, at: &Head, extra: &[Term]| {
            let own = executor.recursions.len() - 1;
            executor.recursions[own].backs.clear();
            let mut state = at.state.clone();
            for &condition in extra {
                state.assume(executor.terms, condition);
            }
            let left = executor.body(id, state)?;
            Ok(Flow {
                backs: executor.recursions[own].backs.clone(),
                exits: Vec::new(),
                returns: left.into_iter().collect(),
            })
        };
        let flow = self.around(&mut entry, place, &mut turn, false);
        self.recursions.pop();
        self.context.pop();
        let left = flow?.returns.pop();
        Ok(left.and_then(|mut state| self.leave(&entry, &mut state).then_some(state)))
    }

    /// Puts the conditions under which a head was reached before those since. Whether they fit together.
    fn leave(&self, entry: &State, state: &mut State) -> bool {
        let inside = std::mem::replace(&mut state.path, entry.path.clone());
        inside.into_iter().all(|one| state.assume(self.terms, one))
    }

    /// Calls a function that is being executed: whatever it does, it has done it here.
    pub(super) fn call_again(&mut self, known: usize, state: State) -> Result<State> {
        let mut back = state.clone();
        back.path = self.context[self.recursions[known].context..].concat();
        back.path.extend(&state.path);
        let changes = self.recursions[known].changes.clone();
        self.recursions[known].backs.push(back);
        let mut left = state;
        self.disturb(&mut left.memory, &changes);
        // What it returns is anything.
        left.slots = Vec::new();
        Ok(left)
    }

    /// Executes turns until what may change is known; then proves, if asked to, that no run of them is without end.
    fn around(
        &mut self,
        entry: &mut State,
        place: CodePlace,
        turn: &mut Around<'_, 'a, 's>,
        is_loop: bool,
    ) -> Result<Flow> {
        let proving = std::mem::replace(&mut self.proving, false);
        let hazards = self.hazards.len();
        let mut changes = Changes::default();
        let mut settled = None;
        for _ in 0..PASSES {
            let head = self.head(entry, &changes);
            if !is_loop {
                let own = self
                    .recursions
                    .last_mut()
                    .expect("a recursion is being executed");
                own.changes = changes.clone();
            }
            let exposed = self.exposed_before(&head);
            self.hazards.truncate(hazards);
            let flow = turn(self, &head, &[])?;
            let before = changes.clone();
            for back in &flow.backs {
                self.compare((entry, &head), back, true, &mut changes);
            }
            if !is_loop {
                for left in &flow.returns {
                    self.compare((entry, &head), left, false, &mut changes);
                    // Whoever called again gets any address for it.
                    left.slots
                        .iter()
                        .flatten()
                        .for_each(|&value| self.expose(value));
                }
            }
            if changes == before && exposed == self.exposed_before(&head) {
                settled = Some((head, flow));
                break;
            }
        }
        self.proving = proving;
        let Some((head, flow)) = settled else {
            return Err(Stop::Unsupported("a loop whose effect is not found".into()));
        };
        if !proving {
            return Ok(flow);
        }
        self.end(entry, (place, is_loop), (head, flow), turn, hazards)
    }

    /// Proves that there is no run of turns without end.
    fn end(
        &mut self,
        entry: &mut State,
        (place, is_loop): (CodePlace, bool),
        (head, flow): (Head, Flow),
        turn: &mut Around<'_, 'a, 's>,
        hazards: usize,
    ) -> Result<Flow> {
        let line = line_of(self.subject, place);
        if self.is_impossible(&[])? {
            return Ok(Flow::default());
        }
        let loop_end = std::time::Instant::now() + LOOP;
        let invariants = match flow.backs.is_empty() {
            true => Vec::new(),
            false => {
                let (lasso, suggested) = self.lasso(entry, &head, &flow.backs, &line);
                let step = Step::new(self.terms, &lasso, Vec::new());
                rank::invariants(&step, &suggested, &self.budget(loop_end))
            }
        };
        // What is inside is proved to end in this pass, whether the head is ever reached again or not.
        self.hazards.truncate(hazards);
        let flow = turn(self, &head, &invariants)?;
        if flow.backs.is_empty() {
            return Ok(flow);
        }
        let (lasso, _) = self.lasso(entry, &head, &flow.backs, &line);
        let step = Step::new(self.terms, &lasso, Vec::new());
        let overflow = self.terms.any(&self.hazards[hazards..]);
        let overflows = !self.terms.is_false(overflow) && !self.is_impossible(&[overflow])?;
        let demand = match overflows || !is_loop {
            true => {
                // What bounds the turns must not be that they would overflow.
                let known = self.hazards.len();
                (self.overflowing, self.proving) = (true, false);
                let free = turn(self, &head, &invariants);
                (self.overflowing, self.proving) = (false, true);
                self.hazards.truncate(known);
                let (free, _) = self.lasso(entry, &head, &free?.backs, &line);
                let step = Step::new(self.terms, &free, Vec::new());
                rank::Demand::Bounded(rank::distances(&step))
            }
            false => rank::Demand::Smaller,
        };
        let budget = self.budget(loop_end.max(std::time::Instant::now() + LOOP / 2));
        // The turn was executed anew, under the invariants; they must be kept by this one as well.
        if !rank::are_kept(&step, &invariants, &budget) {
            return Err(Stop::NotProved(line));
        }
        match rank::by_cases(&step, &[], &demand, &budget) {
            Some(_) => {
                self.ended.insert(line);
                Ok(flow)
            }
            None => Err(Stop::NotProved(line)),
        }
    }

    /// Whether conditions cannot hold where execution has got to.
    fn is_impossible(&self, conditions: &[Term]) -> Result<bool> {
        self.check_time()?;
        let mut all: Vec<Term> = self.context.concat();
        all.extend(conditions);
        Ok(Solver::new(self.terms)
            .check(&all, QUESTION)
            .is_unsatisfiable())
    }

    /// The turns of a head as a lasso, and conditions that may always hold there.
    fn lasso(
        &mut self,
        entry: &mut State,
        head: &Head,
        backs: &[State],
        line: &Line,
    ) -> (Lasso, Vec<Term>) {
        let terms = self.terms;
        let mut backs: Vec<State> = match backs.len() {
            0..=TURNS => backs.to_vec(),
            _ => self.merge(backs.to_vec()).into_iter().collect(),
        };
        let guards: Vec<Term> = backs.iter().map(|back| back.reached(terms)).collect();
        let mut updates: Vec<Vec<Term>> = Vec::new();
        for back in &mut backs {
            let each = head.variables.iter();
            updates.push(
                each.map(|&(part, symbol)| self.term_of(back, part, terms.symbol_width(symbol)))
                    .collect(),
            );
        }
        let first: Vec<Term> = head
            .variables
            .iter()
            .map(|&(part, symbol)| self.term_of(entry, part, terms.symbol_width(symbol)))
            .collect();
        let needed = self.needed(head, &guards, &updates);
        let mut variables = Vec::new();
        let mut stem = Stem::default();
        let mut turns: Vec<Turn> = guards
            .iter()
            .map(|&term| Turn {
                inputs: Vec::new(),
                guard: vec![Condition {
                    term,
                    line: line.clone(),
                }],
                updates: Vec::new(),
                hazards: Vec::new(),
                lines: Vec::new(),
            })
            .collect();
        let mut suggested = Vec::new();
        let mut declared = FxHashSet::default();
        let mut frozen: Vec<Symbol> = needed
            .iter()
            .copied()
            .filter(|&symbol| symbol < head.mark)
            .collect();
        for (at, &(part, symbol)) in head.variables.iter().enumerate() {
            if !needed.contains(&symbol) {
                continue;
            }
            declared.insert(symbol);
            variables.push(variable(symbol, part));
            stem.entry.push(first[at]);
            for (turn, updates) in turns.iter_mut().zip(&updates) {
                turn.updates.push(updates[at]);
            }
            let below = terms.symbols_in(&[first[at]]);
            if below.len() <= 3 {
                let now = terms.variable(symbol);
                for test in [Test::SignedLessEqual, Test::UnsignedLessEqual] {
                    suggested.push(terms.test(test, now, first[at]));
                    suggested.push(terms.test(test, first[at], now));
                }
                frozen.extend(below);
            }
        }
        frozen.sort_unstable();
        frozen.dedup();
        for &symbol in &frozen {
            declared.insert(symbol);
            variables.push(variable(symbol, Part::Slot(0)));
            stem.entry.push(terms.variable(symbol));
            for turn in &mut turns {
                turn.updates.push(terms.variable(symbol));
            }
        }
        let context: Vec<Term> = self.context.concat();
        let about = |condition: &&Term| {
            let below = terms.symbols_in(&[**condition]);
            below.iter().any(|symbol| declared.contains(symbol))
        };
        let known: Vec<Term> = context.iter().filter(about).copied().collect();
        for turn in &mut turns {
            let guard = known.iter().map(|&term| Condition {
                term,
                line: line.clone(),
            });
            turn.guard.extend(guard);
            let mut below: Vec<Term> = turn.guard.iter().map(|condition| condition.term).collect();
            below.extend(&turn.updates);
            let inputs = terms
                .symbols_in(&below)
                .into_iter()
                .filter(|symbol| !declared.contains(symbol));
            turn.inputs = inputs.map(|symbol| input(symbol, line)).collect();
        }
        let conditions = context.iter().map(|&term| Condition {
            term,
            line: line.clone(),
        });
        stem.conditions = conditions.collect();
        let below: Vec<Term> = context.iter().chain(&stem.entry).copied().collect();
        stem.inputs = terms
            .symbols_in(&below)
            .into_iter()
            .map(|symbol| input(symbol, line))
            .collect();
        if let Answer::Satisfiable(model) = Solver::new(terms).check(&context, QUESTION) {
            stem.example = model;
        }
        let lasso = Lasso {
            head: line.clone(),
            variables,
            stem,
            turns,
        };
        debug_assert_eq!(lasso.check(terms), Ok(()));
        (lasso, suggested)
    }

    /// The symbols that decide whether another turn is taken, now or later.
    fn needed(&self, head: &Head, guards: &[Term], updates: &[Vec<Term>]) -> FxHashSet<Symbol> {
        let mut needed: FxHashSet<Symbol> = self.terms.symbols_in(guards).into_iter().collect();
        let mut open: Vec<Symbol> = needed.iter().copied().collect();
        while let Some(symbol) = open.pop() {
            let Some(at) = head
                .variables
                .iter()
                .position(|&(_, known)| known == symbol)
            else {
                continue;
            };
            let after: Vec<Term> = updates.iter().map(|updates| updates[at]).collect();
            for below in self.terms.symbols_in(&after) {
                if needed.insert(below) {
                    open.push(below);
                }
            }
        }
        needed
    }
}

fn variable(symbol: Symbol, part: Part) -> Variable {
    Variable {
        symbol,
        name: String::new(),
        reading: None,
        place: match part {
            Part::Slot(_) => Place::Local,
            Part::Cell(_) => Place::Memory,
        },
    }
}

fn input(symbol: Symbol, line: &Line) -> Input {
    Input {
        symbol,
        name: String::new(),
        reading: None,
        line: line.clone(),
    }
}
