//! The atomic operations of a program's own code, by their places in the source.
//!
//! An operation is all instructions of one kind that come from one place: those of each
//! instantiation of a template, and those of the library's functions behind a call. In a program
//! whose units are [separated](crate::unit::Unit::separate_atomic_operations) no two operations
//! share an instruction.

use crate::constants::Constants;
use crate::instruction::{Instruction, Ordering, Position};
use crate::link::{FunctionId, Program, Target};
use crate::orders::{Orders, OtherOrders, is_atomic};
use crate::separate::{is_atomic_header, is_own};
use crate::source::SourceLocation;
use std::collections::{BTreeMap, BTreeSet};

/// What an atomic operation does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicKind {
    /// Loads.
    Load,
    /// Stores.
    Store,
    /// Loads and stores.
    ReadModifyWrite,
    /// Loads, and stores if it finds what it expects.
    CompareExchange,
    /// Is a fence.
    Fence,
}

impl AtomicKind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            AtomicKind::Load => "load",
            AtomicKind::Store => "store",
            AtomicKind::ReadModifyWrite => "read-modify-write",
            AtomicKind::CompareExchange => "compare-exchange",
            AtomicKind::Fence => "fence",
        }
    }

    fn of(instruction: &Instruction) -> Option<AtomicKind> {
        if !is_atomic(instruction) {
            return None;
        }
        Some(match instruction {
            Instruction::Load { .. } => AtomicKind::Load,
            Instruction::Store { .. } => AtomicKind::Store,
            Instruction::Update { .. } => AtomicKind::ReadModifyWrite,
            Instruction::CompareExchange { .. } => AtomicKind::CompareExchange,
            _ => AtomicKind::Fence,
        })
    }
}

/// An atomic operation of the program's own code.
#[derive(Clone, Debug)]
pub struct AtomicOperation {
    /// Where it is.
    pub place: SourceLocation,
    /// What it does.
    pub kind: AtomicKind,
    /// Its orders; `None` if they are computed while the program runs, or not the same each time.
    pub orders: Option<Orders>,
    /// Whether it is one operation in each function (or instance of a template) that has it, and
    /// not several which a macro puts into one place.
    pub is_single: bool,
    instructions: Vec<(FunctionId, Position)>,
}

impl Program {
    /// Returns the atomic operations of the program's own code that can be reached, in the order of
    /// the source.
    pub fn atomic_operations(&self) -> Vec<AtomicOperation> {
        let mut found: BTreeMap<(SourceLocation, AtomicKind), Found> = BTreeMap::new();
        for function in (0..self.functions()).map(FunctionId) {
            let info = self.info(function);
            let declared = self.declared_at(info.unit, info.location);
            let file = declared.as_ref().map_or("", |place| place.file.as_str());
            if !self.is_users(info.unit) || !is_own(file) {
                continue;
            }
            for (at, instruction) in (0..).map(Position).zip(&self.function(function).body.code) {
                let mut behind = Found::default();
                match instruction {
                    Instruction::Call { .. } => self.follow(function, at, &[], &mut behind),
                    _ => behind.add((function, at), instruction, true),
                }
                let Some(place) = self.location(function, at).into_iter().next() else {
                    continue;
                };
                let Some(kind) = behind.kind() else {
                    continue;
                };
                let place = SourceLocation {
                    function: String::new(),
                    ..place
                };
                behind.functions.push(function);
                found.entry((place, kind)).or_default().join(behind);
            }
        }
        let operation = |((place, kind), found): (_, Found)| AtomicOperation {
            place,
            kind,
            orders: found.orders(kind),
            is_single: found.is_single(),
            instructions: found.instructions,
        };
        found.into_iter().map(operation).collect()
    }

    /// What a call of the library's atomic functions executes, given the constants in the slots of
    /// the caller's parameters.
    fn follow(&self, caller: FunctionId, at: Position, known: &[Option<u64>], found: &mut Found) {
        let function = self.function(caller);
        let Instruction::Call { site } = function.body.code[at.0 as usize] else {
            return;
        };
        let Target::Function(callee) = function.targets[site.0 as usize] else {
            return;
        };
        let info = self.info(callee);
        let declared = self.declared_at(info.unit, info.location);
        if !declared.is_some_and(|place| is_atomic_header(&place.file)) {
            return;
        }
        if found.depth == MOST_CALLS {
            found.is_cut = true;
            return;
        }
        let constants = Constants::of(self, function, known);
        let given = constants.arguments(&function.body.sites[site.0 as usize]);
        if found.depth == 0 && waits(&info.name) {
            let order = given.last().copied().flatten();
            found.awaits.insert(order.and_then(Ordering::of_number));
        }
        found.depth += 1;
        self.follow_all(callee, &given, found);
        found.depth -= 1;
    }

    fn follow_all(&self, callee: FunctionId, given: &[Option<u64>], found: &mut Found) {
        let function = self.function(callee);
        let body = &function.body;
        let reached = Constants::of(self, function, given).reached();
        for (at, instruction) in (0..).map(Position).zip(&body.code) {
            let is_reached = reached.contains(&at);
            match instruction {
                Instruction::Call { .. } if is_reached => self.follow(callee, at, given, found),
                // What is behind it is to be changed all the same.
                Instruction::Call { .. } => {
                    let mut unreached = Found {
                        depth: found.depth,
                        ..Found::default()
                    };
                    self.follow(callee, at, given, &mut unreached);
                    unreached.executed.clear();
                    found.join(unreached);
                }
                _ => found.add((callee, at), instruction, is_reached),
            }
        }
    }

    /// Returns whether any function has a fence between threads.
    pub fn has_fences(&self) -> bool {
        let functions = (0..self.functions()).map(|n| self.function(FunctionId(n)));
        let mut code = functions.flat_map(|function| &function.body.code);
        let is_fence = |instruction: &Instruction| match instruction {
            Instruction::Fence { single_thread, .. } => !single_thread,
            _ => false,
        };
        code.any(is_fence)
    }

    /// Executes these operations by these orders from now on, and all others by their own. A fence
    /// that is relaxed is none.
    pub fn set_orders<'o>(
        &mut self,
        operations: impl IntoIterator<Item = (&'o AtomicOperation, Orders)>,
    ) {
        let mut other = OtherOrders::new();
        for (operation, orders) in operations {
            for &(function, at) in &operation.instructions {
                other.entry(function).or_default().push((at, orders));
            }
        }
        self.replace_orders(other);
    }
}

impl AtomicOperation {
    /// Returns a single operation of unknown orders, and without instructions.
    pub fn at(place: SourceLocation, kind: AtomicKind) -> AtomicOperation {
        AtomicOperation {
            place,
            kind,
            orders: None,
            is_single: true,
            instructions: Vec::new(),
        }
    }
}

/// Whether a function of the library waits for an atomic object to change, by an order that is its
/// last argument.
fn waits(name: &str) -> bool {
    let waits = name.contains("4wait") || name.contains("20atomic_wait_explicit");
    waits && name.ends_with("12memory_orderE")
}

/// How deep calls of the library are followed.
const MOST_CALLS: u32 = 16;

/// The atomic instructions behind a place in the source.
#[derive(Default)]
struct Found {
    depth: u32,
    /// Whether calls were too deep to be followed.
    is_cut: bool,
    /// The program's own functions that have it, each as often as it does.
    functions: Vec<FunctionId>,
    kinds: BTreeSet<AtomicKind>,
    instructions: Vec<(FunctionId, Position)>,
    /// The orders of those that can be executed there.
    executed: BTreeSet<Orders>,
    /// The orders that are given to a function which waits: the library passes them on in memory.
    awaits: BTreeSet<Option<Ordering>>,
}

impl Found {
    fn add(&mut self, at: (FunctionId, Position), instruction: &Instruction, is_reached: bool) {
        let Some(kind) = AtomicKind::of(instruction) else {
            return;
        };
        self.kinds.insert(kind);
        self.instructions.push(at);
        let (order, failure) = match *instruction {
            Instruction::CompareExchange {
                success, failure, ..
            } => (success, Some(failure)),
            Instruction::Load { ordering, .. }
            | Instruction::Store { ordering, .. }
            | Instruction::Update { ordering, .. }
            | Instruction::Fence { ordering, .. } => (ordering, None),
            _ => return,
        };
        if is_reached {
            self.executed.insert(Orders { order, failure });
        }
    }

    fn join(&mut self, other: Found) {
        self.is_cut |= other.is_cut;
        self.functions.extend(other.functions);
        self.kinds.extend(other.kinds);
        self.instructions.extend(other.instructions);
        self.executed.extend(other.executed);
        self.awaits.extend(other.awaits);
    }

    /// The strongest of what is done.
    fn kind(&self) -> Option<AtomicKind> {
        self.kinds.last().copied()
    }

    fn is_single(&self) -> bool {
        let functions: BTreeSet<_> = self.functions.iter().collect();
        functions.len() == self.functions.len()
    }

    fn orders(&self, kind: AtomicKind) -> Option<Orders> {
        let mut executed = self.executed.iter();
        let is_whole = self.kinds.len() == 1 && !self.is_cut;
        if let Some(&order) = self.awaits.first() {
            let is_one = is_whole && self.awaits.len() == 1;
            let failure = None;
            return order
                .filter(|_| is_one)
                .map(|order| Orders { order, failure });
        }
        let first = *executed.next().filter(|_| is_whole)?;
        let is_one = executed.clone().all(|other| other.order == first.order);
        match (executed.next(), kind) {
            (None, _) => Some(first),
            // The library computes the order of failure of the other one.
            (_, AtomicKind::CompareExchange) if is_one => Some(Orders {
                failure: Some(first.order.of_failure()),
                ..first
            }),
            _ => None,
        }
    }
}
