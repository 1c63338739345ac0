//! What a person sees of the present state of a walk: threads, with their stacks, and memory.

use crate::place;
use crate::walk::Walk;
use crate::words::waits_for;
use impasse_machine::base::fault::Awaited;
use impasse_machine::machine::names::contents::Cells;
use impasse_machine::state::journal::Journal;
use impasse_machine::system::System;
use impasse_machine::system::step::View;
use impasse_report::{Frame, ObjectState, ThreadState, Wait};
use std::collections::BTreeMap;

/// A state in the program's own terms.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Present {
    /// The threads that have not ended, by their numbers in reports.
    pub threads: BTreeMap<u32, ThreadState>,
    /// The objects in memory, by names that stay the same.
    pub objects: BTreeMap<String, ObjectState>,
}

/// Returns what is in the present state of a walk; `None` before the start, and after an error.
pub fn present(system: &System, walk: &mut Walk<'_>) -> Option<Present> {
    let (mut view, journal) = walk.view()?;
    let alive = (0..view.thread_count()).filter(|&thread| view.is_alive(thread));
    let alive: Vec<usize> = alive.collect();
    let values = view.values();
    let own = alive.iter();
    let own = own.map(|&thread| (thread, values.locals_of(thread), values.delayed_by(thread)));
    let own: Vec<_> = own.collect();
    let contents = values.contents();
    let mut threads = BTreeMap::new();
    for (thread, locals, delayed) in own {
        let state = ThreadState {
            delayed,
            ..thread_state(system, &mut view, &journal, thread, &locals)
        };
        threads.insert(journal.thread(thread), state);
    }
    let objects = contents.into_iter().map(|it| {
        let state = ObjectState {
            kind: it.kind.into(),
            name: it.name,
            allocated: it.allocated,
            cells: it.cells,
        };
        (it.identity, state)
    });
    let objects = objects.collect();
    Some(Present { threads, objects })
}

/// Returns the stacks of the threads that have not ended, in the program's own code, by their
/// numbers in reports: those of [`present`], without the values of variables.
pub fn stacks(system: &System, walk: &mut Walk<'_>) -> BTreeMap<u32, Vec<Frame>> {
    let Some((view, journal)) = walk.view() else {
        return BTreeMap::new();
    };
    let alive = (0..view.thread_count()).filter(|&thread| view.is_alive(thread));
    let stack = |thread: usize| {
        let frames = place::frames(system, &view.frames_of(thread));
        (journal.thread(thread), in_own_code(frames))
    };
    alive.map(stack).collect()
}

/// The frames of the program's own code, or the innermost one if there are none.
fn in_own_code(mut stack: Vec<Frame>) -> Vec<Frame> {
    let is_own = |frame: &Frame| !frame.library && frame.line > 0;
    if stack.iter().any(is_own) {
        stack.retain(is_own);
    } else {
        stack.truncate(1);
    }
    stack
}

fn thread_state(
    system: &System,
    view: &mut View<'_, '_>,
    journal: &Journal,
    thread: usize,
    locals: &[Cells],
) -> ThreadState {
    let stack = place::frames_with_locals(system, &view.frames_of(thread), locals);
    let held = view.held_by(thread).iter().flatten();
    let locks = held.filter(|held| held.kind.is_lock());
    let holds = locks.map(|held| view.name_of(held)).collect();
    let blocked = view.why_blocked(thread);
    ThreadState {
        stack: in_own_code(stack),
        blocked: (blocked.until != Awaited::Unknown).then(|| Wait {
            text: waits_for(&blocked, thread as u32, |it| journal.thread(it as usize)),
            on: blocked
                .on
                .iter()
                .map(|&it| journal.thread(it as usize))
                .collect(),
            resource: blocked.resource,
        }),
        holds,
        delayed: Vec::new(),
    }
}
