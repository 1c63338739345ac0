//! Executing one schedule, for `impasse run`: threads take turns, choices take their first outcome.

use crate::base::fault::{Blocked, Fault, Halt, Omission};
use crate::machine::system::System;
use crate::machine::{Machine, Stop};
use crate::system::step::start;

/// How many jumps back and calls a thread makes before another one continues.
const SLICE: u64 = 50_000;

/// How the execution ended.
#[derive(Debug)]
pub enum Ending {
    /// The program ended with this status.
    Exit(i32),
    /// An error.
    Fault(Fault),
    /// Something that cannot be executed.
    Omission(Omission),
    /// An assumption of the program did not hold.
    Infeasible,
    /// The user asked to stop.
    Interrupted,
}

/// Executes one schedule of the program and returns how it ends. Calls `print` with each output:
/// the descriptor and the bytes. Polls `interrupted` now and then.
pub fn run(
    system: &System,
    print: &mut dyn FnMut(i32, &[u8]),
    interrupted: &dyn Fn() -> bool,
) -> Ending {
    let mut machine = Machine::new(system);
    start(&mut machine);
    machine.progress.run_on();
    machine.observer.explain(true);
    machine.observer.note_output();
    let mut next = 0;
    let mut blocked: Vec<(usize, Blocked)> = Vec::new();
    loop {
        if interrupted() {
            return Ending::Interrupted;
        }
        let thread = pick(&machine, next);
        machine.restore_context(thread);
        machine.progress.begin_step();
        machine.progress.begin_thread(false, true, SLICE);
        let ending = slice(&mut machine);
        for (descriptor, bytes) in machine.observer.take_printed() {
            print(descriptor, &bytes);
        }
        match ending {
            Slice::Ended(ending) => return ending,
            Slice::Blocked(_) if !machine.progress.is_at_start() => blocked.clear(),
            Slice::Blocked(reason) => blocked.push((thread, reason)),
            Slice::Over => blocked.clear(),
        }
        let alive = machine.threads.iter().filter(|t| t.is_alive()).count();
        if blocked.len() >= alive {
            return Ending::Fault(machine.deadlock(blocked));
        }
        next = thread + 1;
    }
}

enum Slice {
    Over,
    Blocked(Blocked),
    Ended(Ending),
}

fn pick(machine: &Machine<'_>, from: usize) -> usize {
    let threads = &machine.threads;
    let atomic = threads.iter().position(|t| t.is_alive() && t.atomic > 0);
    let after = (from..threads.len()).chain(0..threads.len());
    let alive = after.into_iter().find(|&t| threads[t].is_alive());
    atomic.or(alive).expect("a living thread")
}

/// One time slice of the running thread.
fn slice(machine: &mut Machine<'_>) -> Slice {
    loop {
        let halt = match machine.execute() {
            Ok(Stop::Exit(status)) => return Slice::Ended(Ending::Exit(status)),
            Ok(Stop::ThreadEnd | Stop::SchedulingPoint | Stop::BudgetExhausted) => {
                machine.save_context();
                machine.effects.release_started();
                return Slice::Over;
            }
            Err(halt) => *halt,
        };
        match halt {
            Halt::Choice(..) => {
                machine.choices.add(0);
            }
            Halt::SchedulingPoint => unreachable!("threads do not rest in a single run"),
            Halt::Cancelled => unreachable!("stores are not delayed in a single run"),
            Halt::Blocked(blocked) => {
                machine.choices.end_instruction();
                machine.save_context();
                return Slice::Blocked(blocked);
            }
            Halt::Infeasible => return Slice::Ended(Ending::Infeasible),
            Halt::Error(kind, message) => {
                return Slice::Ended(Ending::Fault(machine.fault(kind, message)));
            }
            Halt::Unsupported(what) => {
                return Slice::Ended(Ending::Omission(machine.omission(what)));
            }
        }
    }
}
