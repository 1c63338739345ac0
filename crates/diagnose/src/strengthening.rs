//! Which memory orders would forbid the read of an older value.
//!
//! *Claim.* With the orders that [`forbidding`] returns, the newest write happens before the read,
//! so that the read cannot have an older value. A path of program order and reads-from leads from
//! the write to the read; each read on it synchronises with what it reads from, if one is an
//! acquire and the other a release operation.
//!
//! Only atomic operations are followed, not locks or the start of threads. Where there is no such
//! path, none is found, and sequentially consistent operations may help.

use impasse_machine::machine::record::{Action, Event};
use impasse_machine::system::System;
use impasse_program::instruction::{Instruction, Ordering};
use std::collections::{BTreeMap, HashMap};

/// What an operation must do beyond what it does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    acquire: bool,
    release: bool,
}

impl Needs {
    /// Returns the memory order that does it.
    pub fn order(self) -> &'static str {
        match (self.acquire, self.release) {
            (true, true) => "memory_order_acq_rel",
            (true, false) => "memory_order_acquire",
            _ => "memory_order_release",
        }
    }
}

/// What operations need, by the indices of their events.
pub type Changes = BTreeMap<usize, Needs>;

/// Returns what operations need so that the event, which reads an older value, cannot do so; `None`
/// if no memory order of an operation on the path forbids it.
pub fn forbidding(system: &System, events: &[Event], read: usize) -> Option<Changes> {
    let newest = newest_write(events, read)?;
    let order_of = |index: usize| Operation::of(system, &events[index]);
    // Of each thread that comes after the write by now, what that takes; and of writes on the way.
    let mut threads: HashMap<u32, Changes> = HashMap::new();
    let mut writes: HashMap<usize, Changes> = HashMap::new();
    threads.insert(events[newest].thread, Changes::new());
    for index in newest + 1..read {
        let event = &events[index];
        let Some(operation) = order_of(index) else {
            continue;
        };
        let is_write = matches!(event.action, Action::Write { .. });
        if operation.reads
            && (is_write || matches!(event.action, Action::Read { .. }))
            && let Some(source) = newest_write(events, index)
            && let Some(before) = writes.get(&source)
            && let Some(wrote) = order_of(source)
        {
            let mut changes = before.clone();
            if !wrote.releases {
                changes.entry(source).or_default().release = true;
            }
            if !operation.acquires {
                changes.entry(index).or_default().acquire = true;
            }
            let known = threads.get(&event.thread);
            if known.is_none_or(|known| changes.len() < known.len()) {
                threads.insert(event.thread, changes);
            }
        }
        if is_write && let Some(changes) = threads.get(&event.thread) {
            writes.insert(index, changes.clone());
        }
    }
    let changes = threads.remove(&events[read].thread)?;
    (!changes.is_empty()).then_some(changes)
}

/// The last write before an event of what it accesses.
fn newest_write(events: &[Event], index: usize) -> Option<usize> {
    events[..index].iter().rposition(|before| {
        matches!(before.action, Action::Write { .. }) && before.identity == events[index].identity
    })
}

/// An atomic operation.
struct Operation {
    reads: bool,
    acquires: bool,
    releases: bool,
}

impl Operation {
    /// The atomic operation that an event is part of, if it is one.
    fn of(system: &System, event: &Event) -> Option<Operation> {
        let place = event.frames.first()?;
        let body = &system.program.function(place.function).body;
        let (ordering, reads) = match body.code.get(place.position.0 as usize)? {
            Instruction::Load { ordering, .. } | Instruction::Update { ordering, .. } => {
                (*ordering, true)
            }
            Instruction::Store { ordering, .. } => (*ordering, false),
            Instruction::CompareExchange {
                success, failure, ..
            } => match event.action {
                Action::Write { .. } => (*success, true),
                _ => (*failure, true),
            },
            _ => return None,
        };
        let is = |wanted: Ordering| {
            [
                wanted,
                Ordering::AcquireRelease,
                Ordering::SequentiallyConsistent,
            ]
            .contains(&ordering)
        };
        ordering.is_atomic().then(|| Operation {
            reads,
            acquires: is(Ordering::Acquire),
            releases: is(Ordering::Release),
        })
    }
}
