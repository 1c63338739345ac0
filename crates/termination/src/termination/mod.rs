//! Proofs that a program ends on all inputs, whatever undefined behaviour does.
//!
//! Section 7 of the paper asks for a termination test of single lassos; a program ends if that is
//! so for every path around each of its loops, from any state. Here the program is executed
//! once on abstract states (terms in place of values), function by function where they are called,
//! and where paths join their states are joined too, so that there are no paths to enumerate. At a
//! loop header whatever an iteration changes becomes a variable (`header`), so that the iteration
//! is executed for all visits of the header at once: that gives its relation (`relation`),
//! invariants are looked for as for a lasso, and a lexicographic ranking function must show that
//! the relation has no infinite sequence (`crate::nontermination::rank`). A recursive function is
//! treated alike, with its entry for the header and its calls of itself for the back edges.
//!
//! *Why the program ends.* Every execution is described by the states here: by induction over its
//! instructions, with, at a header, the induction over the visits that `header` speaks of. What is
//! not followed (floating-point numbers, the contents of memory at addresses that are not known,
//! the environment) is a new variable, which may have any value. An execution without end would
//! pass some loop header, in one activation of its function, infinitely often, with no loop around
//! it doing so, or call one recursive function ever deeper; then it would be an infinite sequence
//! of that relation, which has none.
//!
//! *Undefined behaviour* ends no path. Arithmetic gives anything where it is undefined
//! (`arithmetic`), so does a read outside of an object, and whatever could do more than that must
//! be shown not to happen: writes outside of objects, or to what has been freed, and code that must
//! not be reached (`memory`, `obligation`). The one exception is a write through null, or next to
//! it, which ends the program. So a program that is said to end does so when it is compiled without
//! optimisation, whatever its arithmetic does.
//!
//! *A recursion* must be bounded by half of the range of a type, read with sign. One that may go
//! deeper, like a function that counts any unsigned number down to zero, exhausts every stack
//! before it ends.
//!
//! *Finding and checking.* The same execution serves both (`Mode`): what has to be found (what
//! loops change, invariants, ranking functions) is put into a record ([`record`]), and a record is
//! checked by an execution that takes it from there and shows every obligation by a refutation of
//! clauses. Whatever is found is checked before it is believed.

mod arithmetic;
mod assumed;
mod attempts;
mod calls;
mod checking;
mod cycle;
mod direction;
mod domain;
mod execute;
mod frontier;
mod graph;
mod header;
mod in_source;
mod known_calls;
mod library;
mod linking;
mod memory;
mod objects;
mod obligation;
mod orders;
mod part;
mod ranges;
pub mod record;
mod relation;
mod returned;
mod several;
mod shape;
mod sharing;
mod spots;
mod state;
mod stop;
mod wrapping;

use crate::concolic::run::{Parameter, Subject};
use crate::nontermination::Budget;
use crate::problem::{HazardKind, Line, Overflow};
pub use attempts::{ends_if_overflow_wraps, prove};
use cycle::Recursion;
use execute::Flow;
use graph::{BlockId, Frame, Graph};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use impasse_solver::work::Moment;
use impasse_solver::{Symbol, Term, Terms};
use objects::{Made, Site};
use orders::Orders;
use record::{CycleProof, CycleRecord, Given, TerminationProof};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use state::{Looks, Memory, Object, Place, Spot, State, Val, split};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;
pub use stop::Stop;

/// Whether a function of the library returns, if all that it does to the program is to return
/// anything, or nothing at all.
pub(crate) fn known_effect(name: &str) -> Option<bool> {
    let effect = library::effect(name)?;
    let is_plain = effect.writes.is_empty()
        && effect.printed.is_none()
        && effect.conversions.is_none()
        && effect.only == library::Only::Always;
    match effect.returned {
        library::Returned::Anything if is_plain => Some(true),
        library::Returned::Never => Some(false),
        _ => None,
    }
}

/// How many instructions are executed.
const MOST: usize = 3_000_000;

type Result<T> = std::result::Result<T, Stop>;

/// What an execution is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Finding out what iterations change. Nothing is shown; what is made meanwhile is forgotten.
    Exploring,
    /// Looking for a proof.
    Proving,
    /// Checking a record.
    Checking,
}

/// Of which variables invariants are looked for, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Those that decide what the loop does.
    Deciding,
    /// All that the loop changes, since the code after it may depend on them. Queries may take
    /// longer.
    All,
    /// The same, and what loops inside of others need is assumed at the headers around them.
    Assumed,
    /// Of all, and of loops inside of one already while it is found out what that changes.
    Inside,
}

impl Scope {
    /// How long something may take that is to take so long at first.
    fn time(self, first: Duration) -> Duration {
        match self {
            Scope::Deciding => first,
            Scope::All | Scope::Assumed | Scope::Inside => first * 3,
        }
    }
}

/// What a variable stands for, in every execution of the same program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Key {
    /// One that was made, by the order in which they are.
    Made(u32),
    /// Where an object that the program was linked with starts.
    Start(Object),
}

/// A call that is being executed.
struct Call {
    function: FunctionId,
    /// Where it was called.
    from: CodePlace,
}

struct Executor<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    deadline: Moment,
    mode: Mode,
    scope: Scope,
    overflow: Overflow,
    steps: usize,
    /// How many paths ended inside of a function.
    ended: usize,
    /// The variables, in the order in which they were made.
    made: Vec<Symbol>,
    keys: FxHashMap<Symbol, Key>,
    /// What is known of variables whatever the state.
    axioms: FxHashMap<Symbol, Vec<Term>>,
    /// Variables for undefined results, with what the machine computes.
    undefined: FxHashMap<Symbol, Term>,
    objects: Vec<Made>,
    sites: Vec<Site>,
    orders: Orders,
    /// Objects whose address was written to memory, or given to the library, in a recursion.
    shared: FxHashSet<u32>,
    /// Objects from this number on are made inside of the outermost loop or recursion.
    outermost: u32,
    /// Whether more may be in the objects of some summary than was known.
    grown: bool,
    targets: Vec<(BTreeSet<Object>, u32)>,
    starts: FxHashMap<Object, Term>,
    graphs: FxHashMap<FunctionId, Rc<Graph>>,
    recursive: FxHashMap<FunctionId, bool>,
    /// The functions that are being executed, outermost first.
    calls: Vec<Call>,
    recursions: Vec<Recursion>,
    /// Whether a loop was met inside of another one, or of a recursion.
    is_nested: bool,
    /// How often a loop was met.
    loops: usize,
    /// The conditions under which the headers around are reached, from the outermost on.
    context: Vec<Vec<Term>>,
    /// Where operations may be undefined.
    hazards: BTreeSet<(Line, HazardKind)>,
    /// What would have to be shown in the loop that is explored.
    watched: Vec<Term>,
    records: Vec<CycleRecord>,
    record: Option<Given>,
    /// What to try once before anything that may take long, and says whether it has decided.
    interlude: Option<&'a dyn Fn() -> bool>,
}

/// Checks a proof, without Z3 and without a search for what it says.
pub fn check(subject: &Subject<'_>, proof: &TerminationProof, time: Duration) -> Result<()> {
    check_under(subject, Overflow::Undefined, proof, time)
}

fn check_under(
    subject: &Subject<'_>,
    overflow: Overflow,
    proof: &TerminationProof,
    time: Duration,
) -> Result<()> {
    let terms = Terms::new();
    let mut executor = Executor::new(subject, &terms, (Mode::Checking, time), Some(proof));
    executor.overflow = overflow;
    executor.execute()?;
    match executor.next_record() {
        None if !executor.grown => Ok(()),
        _ => {
            let what = "the record speaks of more loops than there are";
            Err(Stop::Rejected(Line::default(), what.into()))
        }
    }
}

/// Where two memories have cells, with their bytes. Of a cell and its parts there is the cell.
fn places_of(one: &Memory, other: &Memory) -> Vec<(Place, u8)> {
    let mut places: BTreeMap<Place, u8> = BTreeMap::new();
    for (&place, cell) in one.cells.iter().chain(&other.cells) {
        let bytes = places.entry(place).or_default();
        *bytes = cell.bytes.max(*bytes);
    }
    let mut found: Vec<(Place, u8)> = Vec::new();
    for ((object, offset), bytes) in places {
        let is_part = found.last().is_some_and(|&((whole, start), size)| {
            whole == object && offset + u32::from(bytes) <= start + u32::from(size)
        });
        if !is_part {
            found.push(((object, offset), bytes));
        }
    }
    found
}

impl<'a, 's> Executor<'a, 's> {
    fn new(
        subject: &'a Subject<'s>,
        terms: &'a Terms,
        (mode, time): (Mode, Duration),
        proof: Option<&TerminationProof>,
    ) -> Self {
        Executor {
            subject,
            terms,
            deadline: Moment::now() + time,
            mode,
            scope: Scope::Deciding,
            overflow: Overflow::Undefined,
            steps: 0,
            ended: 0,
            made: Vec::new(),
            keys: FxHashMap::default(),
            axioms: FxHashMap::default(),
            undefined: FxHashMap::default(),
            objects: Vec::new(),
            sites: proof.map_or(Vec::new(), |proof| proof.sites.clone()),
            orders: Orders::new(
                proof.is_some_and(|proof| proof.frontiers),
                proof.and_then(|proof| proof.links),
            ),
            shared: FxHashSet::default(),
            outermost: u32::MAX,
            grown: false,
            targets: Vec::new(),
            starts: FxHashMap::default(),
            graphs: FxHashMap::default(),
            recursive: FxHashMap::default(),
            calls: Vec::new(),
            recursions: Vec::new(),
            is_nested: false,
            loops: 0,
            context: Vec::new(),
            hazards: BTreeSet::new(),
            watched: Vec::new(),
            records: Vec::new(),
            record: proof.map(Given::new),
            interlude: None,
        }
    }

    /// Executes the program.
    fn execute(&mut self) -> Result<()> {
        let subject = self.subject;
        let program = &subject.system.program;
        let (entry, parameters) = match &subject.test {
            None => (subject.entry, None),
            Some((function, parameters)) => (*function, Some(parameters)),
        };
        let place = CodePlace {
            function: entry,
            position: Position(0),
        };
        let special = program.constructors().iter().chain(program.destructors());
        for &id in special {
            if program.is_users(program.info(id).unit) {
                return Err(self.unsupported("constructors or destructors of the program", place));
            }
        }
        let mut slots = Vec::new();
        match parameters {
            Some(parameters) => {
                for parameter in parameters {
                    let bits = match parameter {
                        Parameter::Value(input) => input.bits,
                        Parameter::Object(_) => 64,
                    };
                    slots.push(Some(self.anything(bits)));
                }
            }
            None => {
                for scalar in &program.info(entry).signature.parameters {
                    for _ in 0..scalar.words() {
                        slots.push(Some(self.anything(scalar.bits().min(64) as u8)));
                    }
                }
            }
        }
        let state = State {
            slots,
            memory: Memory::default(),
            path: Vec::new(),
        };
        self.enter(entry, state, place).map(|_| ())
    }

    /// Counts an instruction.
    fn count(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > MOST {
            return Err(Stop::Time);
        }
        match self.steps % 64 {
            0 => self.check_time(),
            _ => Ok(()),
        }
    }

    fn check_time(&self) -> Result<()> {
        match self.deadline.is_over() {
            true => Err(Stop::Time),
            false => Ok(()),
        }
    }

    fn budget(&self, end: Moment) -> Budget {
        Budget::until(end.min(self.deadline))
    }

    /// The key of the next variable that is made.
    fn next_key(&self) -> Key {
        Key::Made(self.made.len() as u32)
    }

    /// A new variable.
    fn symbol(&mut self, key: Key, width: u8) -> Symbol {
        let symbol = self.terms.symbol("v", width);
        self.keys.insert(symbol, key);
        if let Key::Made(_) = key {
            self.made.push(symbol);
        }
        symbol
    }

    /// A new variable as a term.
    fn fresh(&mut self, width: u8) -> Term {
        let key = self.next_key();
        let symbol = self.symbol(key, width);
        self.terms.variable(symbol)
    }

    /// How many variables and objects there are.
    fn mark(&self) -> (usize, usize, Option<Symbol>) {
        (self.made.len(), self.objects.len(), self.orders.mark())
    }

    /// Forgets the variables and objects that were made since.
    fn reset(&mut self, (made, objects, last): (usize, usize, Option<Symbol>)) {
        for symbol in self.made.drain(made..) {
            self.keys.remove(&symbol);
        }
        self.objects.truncate(objects);
        self.shared.retain(|&object| (object as usize) < objects);
        let keys = &self.keys;
        self.orders.reset(last, |rank| keys.contains_key(rank));
    }

    fn next_record(&mut self) -> Option<CycleProof> {
        self.record.as_mut().and_then(Given::next)
    }

    /// The line of a place, or, of one in a library, that of the program's call of it.
    fn own_line(&self, place: CodePlace) -> Line {
        let is_own = |place: &CodePlace| self.subject.system.own[place.function.0 as usize];
        let calls = self.calls.iter().rev().map(|call| call.from);
        let own = std::iter::once(place).chain(calls).find(is_own);
        self.subject.line_of(own.unwrap_or(place))
    }

    /// The library's function that the program has called, if it is in one.
    fn library_function(&self) -> Option<&str> {
        let program = &self.subject.system.program;
        let is_own = |id: FunctionId| self.subject.system.own[id.0 as usize];
        let called = self
            .calls
            .iter()
            .rev()
            .take_while(|call| !is_own(call.function));
        let outermost = called.last()?;
        Some(&program.info(outermost.function).display_name)
    }

    fn unsupported(&self, what: impl Into<String>, place: CodePlace) -> Stop {
        let what = what.into();
        let what = match self.library_function() {
            Some(name) => format!("a call of {name}, in which there is {what}"),
            None => what,
        };
        Stop::Unsupported(what, self.own_line(place))
    }

    /// A function of the machine's own is not followed: what counts is what the program called.
    fn unsupported_builtin(&self, name: &str, place: CodePlace) -> Stop {
        let what = match self.library_function() {
            Some(name) => format!("a call of {name}, of which only its code is known"),
            None => format!("a call of {name}"),
        };
        Stop::Unsupported(what, self.own_line(place))
    }

    /// Executes blocks from the one where they are entered; `is_cycle` says that it is the header
    /// of the loop that they are.
    fn run(
        &mut self,
        frame: &Frame<'s>,
        (entry, is_cycle): (BlockId, bool),
        blocks: &BTreeSet<BlockId>,
        state: State,
    ) -> Result<Flow> {
        let mut pending: BTreeMap<BlockId, Vec<State>> = BTreeMap::from([(entry, vec![state])]);
        let mut all = Flow::default();
        while let Some((id, states)) = pending.pop_first() {
            self.check_time()?;
            let flow = match self.dispatched(frame, id, &states)? {
                Some(flow) => flow,
                None => {
                    let Some(state) = self.merge(states) else {
                        continue;
                    };
                    let is_inner = !(is_cycle && id == entry);
                    match frame.graph.block(id).cycle.is_some() && is_inner {
                        true => self.cycle(frame, id, state)?,
                        false => self.block(frame, id, state)?,
                    }
                }
            };
            all.returns.extend(flow.returns);
            for (target, state) in flow.exits {
                if is_cycle && target == entry {
                    all.backs.push(state);
                } else if blocks.contains(&target) {
                    pending.entry(target).or_default().push(state);
                } else {
                    all.exits.push((target, state));
                }
            }
        }
        Ok(all)
    }

    /// One state for several, of which an execution is in one at most.
    fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter();
        let first = states.next()?;
        Some(states.fold(first, |one, other| self.merge_two(one, other)))
    }

    fn merge_two(&mut self, mut one: State, mut other: State) -> State {
        let terms = self.terms;
        let (mut path, mine, theirs) = split(terms, &one.path, &other.path);
        let is_one = match terms.is_true(mine) {
            true => terms.not(theirs),
            false => mine,
        };
        if mine != terms.not(theirs) {
            let either = terms.or(mine, theirs);
            if !terms.is_true(either) {
                path.push(either);
            }
        }
        let mut slots = Vec::new();
        for pair in one.slots.iter().zip(&other.slots) {
            slots.push(match pair {
                (Some(a), Some(b)) => Some(self.choose(is_one, *a, *b)),
                _ => None,
            });
        }
        let shapes = (
            std::mem::take(&mut one.memory.shape),
            std::mem::take(&mut other.memory.shape),
        );
        let memory = self.merge_memory(is_one, &mut one.memory, &mut other.memory);
        let mut joined = State {
            slots,
            memory,
            path,
        };
        if self.follows_links() {
            self.join_links(is_one, (&one, &other), (&shapes.0, &shapes.1), &mut joined);
        }
        joined
    }

    /// What was read since the last write, on either of two paths: if only one has read it, it
    /// would have been the same on the other.
    fn merge_looks(&mut self, is_one: Term, one: &Memory, other: &Memory) -> Looks {
        let mut looks = one.looks.clone();
        for (&look, &value) in &other.looks {
            let either = match one.looks.get(&look) {
                Some(&known) => self.choose(is_one, known, value),
                None => value,
            };
            looks.insert(look, either);
        }
        looks
    }

    fn merge_memory(&mut self, is_one: Term, one: &mut Memory, other: &mut Memory) -> Memory {
        if one == other {
            return std::mem::take(one);
        }
        let mut frontiers = Memory::default();
        self.merge_frontiers(is_one, (one, other), &mut frontiers);
        let places = places_of(one, other);
        let spots = one.spots.iter().filter_map(|spot| {
            let value = self.choose(is_one, spot.value, other.spot(spot)?.value);
            Some(Spot { value, ..*spot })
        });
        let spots = spots.collect();
        let mut merged = Memory {
            cells: BTreeMap::new(),
            spots,
            blurred: &one.blurred | &other.blurred,
            made: &one.made | &other.made,
            gone: BTreeMap::new(),
            stirred: &one.stirred | &other.stirred,
            frontiers: frontiers.frontiers,
            ..match one.is_as_written(other) {
                true => Memory::since_write_of(one),
                false => Memory::default(),
            }
        };
        if one.is_as_written(other) {
            merged.looks = self.merge_looks(is_one, one, other);
        }
        for &object in one.gone.keys().chain(other.gone.keys()) {
            let (a, b) = (one.gone(self.terms, object), other.gone(self.terms, object));
            merged.gone.insert(object, self.terms.choose(is_one, a, b));
        }
        for (place, bytes) in places {
            // Only where an object was made is there a pointer to it.
            let has = |memory: &Memory| {
                !matches!(place.0, Object::Made(_)) || memory.made.contains(&place.0)
            };
            let value = match (has(one), has(other)) {
                (true, false) => self.read(one, place, bytes),
                (false, true) => self.read(other, place, bytes),
                _ => {
                    let a: Val = self.read(one, place, bytes);
                    let b: Val = self.read(other, place, bytes);
                    self.choose(is_one, a, b)
                }
            };
            self.put(&mut merged, place, bytes, value);
        }
        merged
    }
}
