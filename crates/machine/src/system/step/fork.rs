//! The outcomes of a step's choices: the machine is copied at a choice, and continued with each.

use crate::machine::choices::Choices;
use crate::machine::footprint::Guards;
use crate::machine::history::Past;
use crate::machine::interruptions::Interruptions;
use crate::machine::progress::Progress;
use crate::machine::record::Event;
use crate::machine::step_effects::StepEffects;
use crate::machine::{Cursor, Machine};
use crate::state::access_history::OtherAccesses;
use crate::state::clock::Clock;
use crate::state::condition::Condition;
use crate::state::frame::Stack;
use crate::state::memory::Memory;
use crate::state::thread::Threads;
use std::ops::Range;

/// The choices of a step, the first one first, with the outcomes that are left.
#[derive(Default)]
pub(super) struct Forks<'s>(Vec<Fork<'s>>);

/// The machine at a choice.
struct Fork<'s> {
    from: Snapshot<'s>,
    /// The outcomes that are left.
    left: Range<u32>,
    input: bool,
}

impl<'s> Forks<'s> {
    /// Continues with the first of `count` outcomes. The others are left for later. `input` says
    /// whether the program's input decides.
    pub(super) fn fork(&mut self, machine: &mut Machine<'s>, count: u32, input: bool) {
        machine.progress.restart_instruction();
        self.0.push(Fork {
            from: Snapshot::of(machine),
            left: 1..count,
            input,
        });
        machine.choices.add(0);
    }

    /// Continues with the next outcome of the last choice that has one left. Returns false if there
    /// is none.
    pub(super) fn advance(&mut self, machine: &mut Machine<'s>) -> bool {
        while self.0.pop_if(|fork| fork.left.is_empty()).is_some() {}
        let Some(fork) = self.0.last_mut() else {
            return false;
        };
        let outcome = fork.left.next().expect("an outcome");
        fork.from.restore(machine);
        machine.choices.add(outcome);
        true
    }

    /// Returns whether an input makes the choice whose outcome was taken last.
    pub(super) fn is_input(&self) -> bool {
        self.0.last().is_some_and(|fork| fork.input)
    }
}

/// A machine in the middle of a step.
pub(super) struct Snapshot<'s> {
    memory: Memory<'s>,
    threads: Threads,
    stack: Stack<'s>,
    running: usize,
    at: Cursor<'s>,
    clock: Clock,
    progress: Progress,
    choices: Choices,
    effects: StepEffects,
    interruptions: Interruptions,
    others: OtherAccesses,
    history: Past,
    events: Option<Vec<Event>>,
    joined: Guards,
    condition: Condition,
}

impl<'s> Snapshot<'s> {
    /// Returns a copy of the machine.
    pub(super) fn of(machine: &Machine<'s>) -> Snapshot<'s> {
        let mut memory = Memory::new(machine.system.memory());
        memory.restore(&machine.memory);
        Snapshot {
            memory,
            threads: machine.threads.clone(),
            stack: machine.stack.clone(),
            running: machine.running,
            at: machine.at,
            clock: machine.time.clock(),
            progress: machine.progress,
            choices: machine.choices.clone(),
            effects: machine.effects.clone(),
            interruptions: machine.interruptions,
            others: machine.races.others().clone(),
            history: machine.history.past(),
            events: machine.observer.events().cloned(),
            joined: machine.footprint.joined(),
            condition: machine.symbolic.condition.clone(),
        }
    }

    /// Continues from there.
    pub(super) fn restore(&self, machine: &mut Machine<'s>) {
        machine.memory.restore(&self.memory);
        machine.threads.restore(&self.threads);
        machine.stack.restore(&self.stack);
        machine.running = self.running;
        machine.at = self.at;
        machine.time.restore(self.clock);
        machine.progress.restore(self.progress);
        machine.choices.clone_from(&self.choices);
        machine.effects.clone_from(&self.effects);
        machine.interruptions = self.interruptions;
        machine.in_flight.restart_instruction();
        machine.races.restore(&self.others);
        machine.history.restore(&self.history);
        machine.observer.restore(&self.events);
        machine.footprint.next_outcome(self.joined);
        machine.symbolic.condition.clone_from(&self.condition);
    }
}
