//! Loops and recursions: what an iteration does to the states at the header, and that no sequence
//! of iterations is infinite. What a record says of one is checked in [`super::checking`].

use super::execute::Flow;
use super::graph::{BlockId, Frame};
use super::header::{Changes, Header};
use super::record::{Bound, CycleRecord, Kind};
use super::relation::Relation;
use super::state::State;
use super::{Executor, Mode, Result, Scope, Stop};
use crate::nontermination::invariants;
use crate::nontermination::rank::{self, Case, Effort};
use crate::nontermination::repeat;
use crate::nontermination::step::Step;
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use impasse_solver::work::Moment;
use impasse_solver::{Node, Symbol, Term};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How often an iteration is executed until nothing else changes.
const PASSES: usize = 60;
/// How long the search for the proof for one loop may take.
const LOOP: Duration = Duration::from_secs(6);
/// How long components are looked for before anything else is tried.
const SOON: Duration = Duration::from_millis(500);
/// And how long components may be synthesised after that.
const SYNTHESIS: Duration = Duration::from_secs(6);

/// How long invariants of a loop may be looked for, while one around is explored.
const INSIDE: Duration = Duration::from_secs(1);

/// A recursive function that is being executed.
pub(super) struct Recursion {
    pub function: FunctionId,
    /// What may be different from one call to the next, and what a call may change.
    changes: Changes,
    /// How many conditions the context had at the entry.
    context: usize,
    /// How many objects had been made then.
    objects: u32,
    /// The states in which it is called again, with the arguments as slots.
    backs: Vec<State>,
    /// What is known of what it returns.
    pub returned: Vec<Bound>,
}

/// Executes the iterations of a header once, under more conditions.
pub(super) type Around<'t, 'a, 's> =
    dyn FnMut(&mut Executor<'a, 's>, &Header, &[Term]) -> Result<Flow> + 't;

/// A loop or a recursion that is being proved to end.
pub(super) struct Subject {
    pub(super) place: CodePlace,
    pub kind: Kind,
}

impl<'a, 's> Executor<'a, 's> {
    /// Executes a loop from its header to where it is left, and shows that it is.
    pub(super) fn cycle(
        &mut self,
        frame: &Frame<'s>,
        header: BlockId,
        mut entry: State,
    ) -> Result<Flow> {
        let block = frame.graph.block(header);
        let Some(blocks) = &block.cycle else {
            return Ok(Flow::default());
        };
        let subject = Subject {
            place: CodePlace {
                function: frame.id,
                position: Position(block.first),
            },
            kind: Kind::Loop,
        };
        let body = &frame.function.body;
        let live = &body.live_sets[body.live[block.first as usize] as usize];
        for (slot, value) in (0u32..).zip(&mut entry.slots) {
            if live.binary_search_by_key(&slot, |slot| slot.0).is_err() {
                *value = None;
            }
        }
        let calls = self.recursions.iter();
        let again: Vec<usize> = calls.map(|recursion| recursion.backs.len()).collect();
        let mut iteration = |executor: &mut Self, at: &Header, extra: &[Term]| {
            // Calls that were met in an earlier pass are met again in this one.
            for (recursion, &known) in executor.recursions.iter_mut().zip(&again) {
                recursion.backs.truncate(known);
            }
            let mut state = at.state.clone();
            for &condition in extra {
                state.assume(executor.terms, condition);
            }
            executor.run(frame, (header, true), blocks, state)
        };
        self.is_nested |= !self.context.is_empty();
        self.loops += 1;
        let outermost = self.outermost;
        self.outermost = outermost.min(self.objects.len() as u32);
        self.context.push(entry.path.clone());
        let flow = self.around(&mut entry, &subject, &mut iteration);
        self.context.pop();
        self.outermost = outermost;
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
        let own = CodePlace {
            function: id,
            position: Position(0),
        };
        let subject = Subject {
            place: match self.subject.system.own[id.0 as usize] {
                true => own,
                false => place,
            },
            kind: Kind::Recursion,
        };
        if self.orders.frontiers {
            if self.orders.used {
                return Err(self.unsupported("a recursion beside a list", place));
            }
            self.orders.stop();
        }
        self.context.push(entry.path.clone());
        self.recursions.push(Recursion {
            function: id,
            changes: Changes::default(),
            context: self.context.len(),
            objects: self.objects.len() as u32,
            backs: Vec::new(),
            returned: Vec::new(),
        });
        let arguments = entry.slots.clone();
        let mut iteration = |executor: &mut Self, at: &Header, extra: &[Term]| {
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
        let outermost = self.outermost;
        self.outermost = outermost.min(self.objects.len() as u32);
        let flow = self.around(&mut entry, &subject, &mut iteration);
        self.outermost = outermost;
        let returned = self.recursions.pop().map(|own| own.returned);
        self.context.pop();
        let Some(mut left) = flow?.returns.pop() else {
            return Ok(None);
        };
        left.memory.shape.end_call();
        // What holds of any call holds of the outermost one.
        if let Some(result) = left.slots.first().copied().flatten() {
            for bound in self.within(id, result, &arguments, &returned.unwrap_or_default()) {
                left.path.push(bound);
            }
        }
        Ok(self.leave(&entry, &mut left).then_some(left))
    }

    /// Puts the conditions under which a header was reached before those since. Whether they fit
    /// together.
    fn leave(&self, entry: &State, state: &mut State) -> bool {
        let inside = std::mem::replace(&mut state.path, entry.path.clone());
        inside.into_iter().all(|one| state.assume(self.terms, one))
    }

    /// Calls a function that is being executed: whatever it does, it has done it here. None if it
    /// returns an address and no call is known to return: what is known of the address grows until
    /// each return is covered.
    pub(super) fn call_again(&mut self, known: usize, mut state: State) -> Option<State> {
        for slot in &mut state.slots {
            *slot = slot.map(|value| self.settled(value));
        }
        let mut back = state.clone();
        self.hide_unshared(&mut back, self.recursions[known].objects);
        back.path = self.context[self.recursions[known].context..].concat();
        back.path.extend(&state.path);
        let changes = self.recursions[known].changes.clone();
        self.recursions[known].backs.push(back);
        let mut left = state;
        let mark = self.terms.symbol("mark", 1);
        if changes.makes {
            self.orders.made(mark);
        }
        let before = left.clone();
        self.disturb(&mut left, &changes);
        self.link_called(&before, &mut left, &changes);
        // Beyond its bounds, what it returns is anything.
        let Recursion {
            function, returned, ..
        } = &self.recursions[known];
        let (function, returned) = (*function, returned.clone());
        let result = match self.returns_address(function) {
            true => {
                let result = self.returned_address(&mut left, changes.address.as_ref()?, mark);
                self.link_returned(&before, &mut left, result, &changes);
                Some(result)
            }
            false => self.result_within(function, &mut left, &returned),
        };
        left.slots = result.map(Some).into_iter().collect();
        Some(left)
    }

    /// Executes iterations: looks for what they change and, where a proof is made, for the proof
    /// that they end; or takes both from the record that is being checked.
    fn around(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<Flow> {
        match self.mode {
            Mode::Exploring => self.explored(entry, subject, iteration),
            Mode::Proving => self.prove(entry, subject, iteration),
            Mode::Checking => self.check(entry, subject, iteration),
        }
    }

    /// What iterations do, where a loop around is explored. For what is around, it may matter what
    /// always holds at the header.
    fn explored(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<Flow> {
        let (_, header, flow) = self.explore(entry, subject, iteration)?;
        let is_inside = matches!(self.scope, Scope::Assumed | Scope::Inside);
        if !is_inside || flow.backs.is_empty() || subject.kind != Kind::Loop {
            return Ok(flow);
        }
        let line = self.own_line(subject.place);
        let relation = self.relation(entry, &header, &flow.backs);
        let invariants = match self.scope {
            Scope::Assumed => self.preserved(&relation)?,
            _ => self.invariants(&relation, &line, Moment::now() + INSIDE),
        };
        iteration(self, &header, &invariants)
    }

    /// Executes iterations until what may change is known.
    fn explore(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<(Changes, Header, Flow)> {
        let mut changes = Changes::default();
        for _ in 0..PASSES {
            let grown = std::mem::replace(&mut self.grown, false);
            let header = self.header(entry, &changes, subject.kind == Kind::Loop);
            self.announce(subject, &changes);
            let mut flow = iteration(self, &header, &[])?;
            let before = changes.clone();
            self.changed((entry, &header), subject, &mut flow, &mut changes);
            let stable = changes == before && !self.grown;
            self.grown |= grown;
            if stable {
                return Ok((changes, header, flow));
            }
        }
        let what = "a loop of which it is not found out what its iterations change";
        Err(self.unsupported(what, subject.place))
    }

    /// The same, and in one attempt, of a loop, what may be assumed at its header; if it is
    /// around others, with the iterations under that.
    fn explore_assuming(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<(Changes, Header, Flow, Vec<Term>)> {
        let loops = self.loops;
        let (changes, header, flow) = self.explore(entry, subject, iteration)?;
        if self.scope != Scope::Assumed || subject.kind != Kind::Loop || flow.backs.is_empty() {
            return Ok((changes, header, flow, Vec::new()));
        }
        if self.loops == loops {
            let relation = self.relation(entry, &header, &flow.backs);
            let preserved = self.preserved(&relation)?;
            return Ok((changes, header, flow, preserved));
        }
        let (at, of) = ((&*entry, &header, &changes), (subject, &flow.backs[..]));
        let found = self.assumed(at, of, iteration)?;
        let (assumed, flow) = found.unwrap_or((Vec::new(), flow));
        Ok((changes, header, flow, assumed))
    }

    /// Says to calls of the recursive function what they change.
    pub(super) fn announce(&mut self, subject: &Subject, changes: &Changes) {
        if subject.kind == Kind::Recursion {
            let own = self.recursions.last_mut();
            own.expect("a recursion is being executed").changes = changes.clone();
        }
    }

    /// Says to calls of the recursive function within which bounds they return.
    pub(super) fn promise(&mut self, subject: &Subject, bounds: &[Bound]) {
        if subject.kind == Kind::Recursion {
            let own = self.recursions.last_mut();
            own.expect("a recursion is being executed").returned = bounds.to_vec();
        }
    }

    /// Enters what the iterations of a flow change into `changes`. The states that go back to the
    /// header are what they are there.
    pub(super) fn changed(
        &mut self,
        (entry, header): (&State, &Header),
        subject: &Subject,
        flow: &mut Flow,
        changes: &mut Changes,
    ) {
        changes.makes |= self.objects.len() > header.objects as usize;
        for back in &mut flow.backs {
            for value in back.values_mut() {
                *value = self.settled(*value);
            }
            self.age(back, header.objects);
            self.settle_frontiers(&mut back.memory, changes.makes);
            self.compare((entry, header), back, true, changes);
            if self.follows_links() {
                self.compare_links((entry, header), back, changes);
            }
        }
        let function = match subject.kind {
            Kind::Recursion => self.recursions.last().map(|own| own.function),
            Kind::Loop => None,
        };
        if let Some(function) = function {
            for young in &flow.returns {
                if self.follows_links() {
                    self.note_links_returned(young, changes);
                }
                let mut left = young.clone();
                self.end_frame(&mut left.memory, header.objects);
                self.age(&mut left, header.objects);
                self.compare((entry, header), &left, false, changes);
                if self.returns_address(function) {
                    self.note_returned(header, (young, &left), changes);
                }
            }
        }
    }

    /// Proves that no sequence of iterations is infinite.
    fn prove(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<Flow> {
        let line = self.own_line(subject.place);
        let context: Vec<Term> = self.context.concat();
        if self.are_impossible(&context)? {
            let source = self.start_in_source(subject);
            self.records
                .push(CycleRecord::unreachable(subject.kind, line, source));
            return Ok(Flow::default());
        }
        let mark = self.mark();
        self.mode = Mode::Exploring;
        self.watched.clear();
        let mut scratch = entry.clone();
        let ended = self.ended;
        let explored = self.explore_assuming(&mut scratch, subject, iteration);
        self.mode = Mode::Proving;
        let (changes, header, flow, assumed) = explored?;
        let has_end = self.ended > ended || !flow.exits.is_empty() || !flow.returns.is_empty();
        if !has_end && subject.kind == Kind::Loop && !flow.backs.is_empty() {
            // Nothing but undefined behaviour ends it.
            return Err(Stop::NotProved(line, Vec::new()));
        }
        let time = self.scope.time(LOOP);
        let end = Moment::now() + time;
        let relation = self.relation(&scratch, &header, &flow.backs);
        let mut invariants = match flow.backs.is_empty() && self.watched.is_empty() {
            true => Vec::new(),
            false => self.invariants(&relation, &line, end),
        };
        if !assumed.is_empty() {
            invariants.extend(assumed);
            let budget = self.budget(Moment::now() + INSIDE);
            invariants = invariants::independent(self.terms, invariants, &budget);
        }
        let bounds = match subject.kind {
            Kind::Recursion => self.bounds(&header, &invariants, &flow.returns, iteration)?,
            Kind::Loop => Vec::new(),
        };
        self.reset(mark);
        let real = self.header(entry, &changes, subject.kind == Kind::Loop);
        let invariants = self.carried(&invariants, (&scratch, &header), (entry, &real));
        let at = self.records.len();
        self.records.push(CycleRecord::new(
            subject.kind,
            line.clone(),
            changes.clone(),
        ));
        self.announce(subject, &changes);
        self.promise(subject, &bounds);
        let hazards = std::mem::take(&mut self.hazards);
        // What is inside is proved to end in this pass, whether the header is ever reached again or
        // not.
        let mut flow = iteration(self, &real, &invariants)?;
        let mut again = changes;
        self.changed((entry, &real), subject, &mut flow, &mut again);
        self.records[at].invariants.clone_from(&invariants);
        self.records[at].returned = bounds;
        self.records[at].source = self.in_source(subject, &real);
        // A check makes the same variables.
        let relation = self.relation(entry, &real, &flow.backs);
        if !flow.backs.is_empty() {
            let end = end.max(Moment::now() + time / 2);
            let cases = self.ranking(&relation, &invariants, subject.kind, &line, end);
            let Some(cases) = cases else {
                let undefined = self.hazards.iter().cloned().collect();
                return Err(Stop::NotProved(line, undefined));
            };
            self.records[at].cases = cases;
        }
        self.hazards.extend(hazards);
        Ok(flow)
    }

    /// The conditions that hold whenever the header is passed, in the variables of another header
    /// of the same loop.
    fn carried(
        &self,
        conditions: &[Term],
        (from_entry, from): (&State, &Header),
        (to_entry, to): (&State, &Header),
    ) -> Vec<Term> {
        let pairs = from.variables.iter().zip(&to.variables);
        let mut map: FxHashMap<Symbol, Term> = pairs
            .map(|(old, new)| (old.symbol, self.terms.variable(new.symbol)))
            .collect();
        // What was read first while exploring.
        for (place, cell) in &from_entry.memory.cells {
            if let (Node::Symbol(symbol), Some(same)) = (
                self.terms.node(cell.value.term),
                to_entry.memory.cells.get(place),
            ) && !self.keys.contains_key(&symbol)
            {
                map.insert(symbol, same.value.term);
            }
        }
        let mut carried = self.terms.substitute(conditions, &map);
        // Whoever checks the proof must have the variables as well.
        carried.retain(|&one| {
            let symbols = self.terms.symbols_in(&[one]);
            symbols.iter().all(|symbol| self.keys.contains_key(symbol))
        });
        carried
    }

    fn invariants(
        &mut self,
        relation: &Relation,
        line: &crate::problem::Line,
        end: Moment,
    ) -> Vec<Term> {
        let (lasso, suggested) = self.lasso(relation, line, true);
        tracing::debug!(line = line.line, shown = %lasso.shown(self.terms), "lasso for invariants");
        let step = Step::new(self.terms, &lasso, Vec::new());
        let benign = self.benign(&lasso);
        let benign = Step::new(self.terms, &benign, Vec::new());
        let budget = self.budget(end);
        let found = invariants::invariants(&step, &benign, &suggested, &budget);
        let found = invariants::independent(self.terms, found, &budget);
        let shown = || {
            found
                .iter()
                .map(|&one| self.terms.show(one))
                .collect::<Vec<_>>()
        };
        tracing::debug!(line = line.line, scope = ?self.scope, invariants = ?shown(), "invariants");
        found
    }

    fn ranking(
        &mut self,
        relation: &Relation,
        invariants: &[Term],
        kind: Kind,
        line: &crate::problem::Line,
        end: Moment,
    ) -> Option<Vec<Case>> {
        let (lasso, _) = self.lasso(relation, line, false);
        tracing::debug!(line = line.line, shown = %lasso.shown(self.terms), "lasso");
        let step = Step::new(self.terms, &lasso, Vec::new());
        // Candidates are taken from what the program computes where nothing is undefined.
        let benign = self.benign(&lasso);
        let benign = Step::new(self.terms, &benign, Vec::new());
        let demand = match kind {
            Kind::Loop => rank::Demand::Smaller,
            Kind::Recursion => {
                let mut bounded = rank::distances(&benign);
                bounded.extend(rank::bounded(&step));
                rank::Demand::Bounded(bounded)
            }
        };
        let budget = self.budget(end);
        if invariants::are_broken(&step, invariants, &budget)
            || repeat::comes_back(&step, invariants, &budget)
        {
            return None;
        }
        let with = |executor: &Self, effort, end| {
            let budget = executor.budget(end);
            rank::by_cases(&step, &benign, &[], (&demand, effort), &budget)
        };
        let mut end = end;
        if self.interlude.is_some() {
            let soon = end.min(Moment::now() + SOON);
            let found = with(self, Effort::Easy, soon);
            if found.is_some() {
                return found;
            }
            let is_complete = Moment::now() < soon;
            let work = self.intermit()?;
            end = if is_complete {
                Moment::now()
            } else {
                end + work
            };
        }
        with(self, Effort::Easy, end)
            .or_else(|| with(self, Effort::Synthesised, Moment::now() + SYNTHESIS))
    }

    /// Lets whoever wants the proof try something else, once. Returns how much work that did, or
    /// `None` if it has decided.
    fn intermit(&mut self) -> Option<Duration> {
        let before = Moment::now();
        let is_over = self.interlude.take().is_some_and(|ask| ask());
        let work = Moment::now().since(before);
        self.deadline = self.deadline + work;
        (!is_over).then_some(work)
    }
}
