//! Proofs that a program ends on all inputs.
//!
//! Section 7 of the paper asks for a termination test of single lassos; a program ends if that is so for every way around each of its
//! loops, whatever lies before. Here the program is executed once on *states that stand for many* (terms in place of
//! values), function by function where they are called, and where ways join their states are joined too, so that there are no paths to
//! enumerate. At the head of a loop whatever a turn changes becomes a variable (`head`), so that the turn is executed for all
//! visits of the head at once: that gives its relation (`cycle`), invariants are looked for as for a lasso, and a
//! lexicographic ranking function must show that the relation has no infinite run (`crate::prove::rank`). A
//! recursive function is treated alike, with its entry for the head and its calls of itself for the ways back.
//!
//! *Why the program ends.* Every execution is described by the states here: by induction over its instructions, with, at a head, the
//! induction over the visits that `head` speaks of. What is not followed (floating-point numbers, what lies in memory at
//! addresses that are not known) is a new variable, which may have any value. An execution without end would pass the head of some loop, in one activation of its
//! function, infinitely often, with no loop around it doing so, or go into one recursive function ever
//! deeper; then it would be an infinite run of that turn's relation, which has none.
//!
//! *Undefined behaviour* ends a path, as everywhere. But a loop that runs until a signed number overflows is not said to
//! end: where a turn may overflow, the components of the ranking function must be distances between what the turn itself
//! compares, which it keeps from being negative, and nothing that the width of a type bounds (`crate::prove::rank::Demand`).
//!
//! *A recursion* is held to the same: its depth is then bounded by half of the range of a type, read with sign. One that may go
//! deeper, like a function that counts any unsigned number down to zero, exhausts every stack before it ends.
//!
//! Functions of the library are taken at the standard's word (`calls`).

mod calls;
mod cycle;
mod execute;
mod graph;
mod head;
mod memory;
mod state;

use crate::concolic::run::{Parameter, Subject};
use crate::problem::Line;
use crate::prove::Budget;
use cycle::Recursion;
use execute::{Flow, Frame};
use graph::{BlockId, Graph};
use impasse_machine::fault::CodePlace;
use impasse_program::address::ObjectId;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use impasse_solver::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Memory, State, Val, split};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How many instructions are executed.
const MOST: usize = 3_000_000;

/// Why a program was not proved to end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// Something that is not followed.
    Unsupported(String),
    /// No ranking function was found for the loop, or the recursion, at this line.
    NotProved(Line),
    /// It took too long.
    Time,
}

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unsupported(what) => write!(out, "that it ends is not proved: {what}"),
            Stop::NotProved(line) => write!(
                out,
                "no ranking function was found for the loop at {}:{}",
                line.file, line.line
            ),
            Stop::Time => out.write_str("that it ends was not proved in time"),
        }
    }
}

type Result<T> = std::result::Result<T, Stop>;

/// An object that the program makes.
struct Object {
    /// Where it starts.
    address: Term,
    /// Its size in bytes, 64 bits wide.
    size: Term,
    /// Whether it is made of zeros.
    zeroed: bool,
}

struct Executor<'a, 's> {
    subject: &'a Subject<'s>,
    terms: &'a Terms,
    deadline: Instant,
    steps: usize,
    objects: Vec<Object>,
    /// Objects that an address of which nothing is known may be in.
    exposed: FxHashSet<ObjectId>,
    graphs: FxHashMap<FunctionId, Rc<Graph>>,
    recursive: FxHashMap<FunctionId, bool>,
    /// The functions that are being executed.
    calls: Vec<FunctionId>,
    recursions: Vec<Recursion>,
    /// The conditions under which the heads around are reached, from the outermost on.
    context: Vec<Vec<Term>>,
    /// When a signed number overflows, since the head of the innermost loop.
    hazards: Vec<Term>,
    /// Where ranking functions were found.
    ended: BTreeSet<Line>,
    /// Whether signed numbers may overflow and wrap around, in place of that being undefined.
    overflowing: bool,
    /// Whether loops are to be proved to end, or only executed.
    proving: bool,
}

/// Proves that a program ends on all inputs. Gives the heads of loops, and the recursive functions, for which a ranking function was found.
pub fn prove(subject: &Subject<'_>, time: Duration) -> std::result::Result<Vec<Line>, Stop> {
    let program = &subject.system.program;
    let special = program.constructors().iter().chain(program.destructors());
    if special
        .into_iter()
        .any(|&id| program.is_users(program.info(id).unit))
    {
        return Err(Stop::Unsupported("constructors and destructors".into()));
    }
    let terms = Terms::new();
    let mut executor = Executor {
        subject,
        terms: &terms,
        deadline: Instant::now() + time,
        steps: 0,
        objects: Vec::new(),
        exposed: FxHashSet::default(),
        graphs: FxHashMap::default(),
        recursive: FxHashMap::default(),
        calls: Vec::new(),
        recursions: Vec::new(),
        context: Vec::new(),
        hazards: Vec::new(),
        ended: BTreeSet::new(),
        overflowing: false,
        proving: true,
    };
    let (entry, slots) = match &subject.test {
        None => (subject.entry, Vec::new()),
        Some((function, parameters)) => {
            let value = |parameter: &Parameter| match parameter {
                Parameter::Value(input) => executor.anything(input.bits),
                Parameter::Object(..) => executor.anything(64),
            };
            let values = parameters.iter().map(|parameter| Some(value(parameter)));
            (*function, values.collect())
        }
    };
    let state = State {
        slots,
        memory: Memory::default(),
        path: Vec::new(),
    };
    let place = CodePlace {
        function: entry,
        position: Position(0),
    };
    executor.enter(entry, state, place)?;
    Ok(executor.ended.into_iter().collect())
}

impl<'s> Executor<'_, 's> {
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
        match Instant::now() >= self.deadline {
            true => Err(Stop::Time),
            false => Ok(()),
        }
    }

    fn budget(&self, end: Instant) -> Budget {
        Budget::until(end.min(self.deadline))
    }

    /// Executes blocks from the one where they are entered; `is_cycle` says that it is the head of the loop that they are.
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
            let Some(state) = self.merge(states) else {
                continue;
            };
            let inner = frame.graph.block(id).cycle.is_some() && !(is_cycle && id == entry);
            let flow = match inner {
                true => self.cycle(frame, id, state)?,
                false => self.block(frame, id, state)?,
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
        let slots = one.slots.iter().zip(&other.slots).map(|pair| match pair {
            (Some(a), Some(b)) => Some(self.choose(is_one, *a, *b)),
            (one, other) => {
                // What is undefined on one way may be any address afterwards.
                for &value in [one, other].into_iter().flatten() {
                    self.expose(value);
                }
                None
            }
        });
        let slots = slots.collect();
        let memory = self.merge_memory(is_one, &mut one.memory, &mut other.memory);
        State {
            slots,
            memory,
            path,
        }
    }

    fn merge_memory(&mut self, is_one: Term, one: &mut Memory, other: &mut Memory) -> Memory {
        if one == other {
            return std::mem::take(one);
        }
        let places: BTreeMap<_, u8> = one
            .cells
            .iter()
            .chain(&other.cells)
            .map(|(&place, cell)| (place, cell.bytes))
            .collect();
        let mut merged = Memory {
            cells: BTreeMap::new(),
            blurred: one.blurred.union(&other.blurred).copied().collect(),
            all: one.all || other.all,
            looks: BTreeMap::new(),
        };
        for (place, bytes) in places {
            let a: Val = self.read(one, place, bytes);
            let b: Val = self.read(other, place, bytes);
            let value = self.choose(is_one, a, b);
            self.write(&mut merged, place, bytes, value);
        }
        merged
    }
}
