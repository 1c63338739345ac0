//! Condition variables and barriers. Who waits is kept with the threads, so that a condition
//! variable has no content of its own; a barrier holds the number of threads it is for at 0.
//!
//! Waiting undoes one lock of the mutex, as in musl: a recursive one that the thread has locked
//! more than once stays locked.
//!
//! Whether a wait ends spuriously is chosen when it begins: such a thread does not wait at all, so
//! that a wait which only a signal can end is visible as such. The choice is of chance
//! (`docs/internals/spurious.md`).

use super::mutex::{EPERM, MUTEX_BYTES};
use super::object::{DESTROYED, message_of};
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error, unsupported};
use crate::exec::clock::Deadline;
use crate::exec::clock::ETIMEDOUT;
use crate::machine::builtin::{ArgumentAccess, TIME_BYTES, reads, synchronises, writes};
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::{Machine, Stop};
use crate::state::thread::{Wait, WokenCancellation};
use impasse_program::word::Word;

const CONDITION_BYTES: u64 = 48;
const BARRIER_BYTES: u64 = 32;
const CONDITION_VARIABLE: &str = "condition variable";
const EINVAL: i32 = 22;
const SERIAL: i32 = -1;
const WAIT_IN_HANDLER: &str = "waiting for a condition or at a barrier in a signal handler";

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("pthread_cond_init", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        let spot = m.access(0, a[0])?;
        let waiters = m.waiters(a[0]);
        m.none_waits(("initialises", CONDITION_VARIABLE), a[0], &waiters)?;
        m.write_initial(spot, a[0], CONDITION_BYTES, (0, 0))?;
        Returned::int(0)
    })
    .accessing(&[writes(0, CONDITION_BYTES), ATTRIBUTES]),
    Builtin::new("pthread_cond_destroy", 1, destroy).accessing(&[CONDITION]),
    Builtin::new("pthread_cond_wait", 2, |m, a| wait(m, a, None)).accessing(&[CONDITION, MUTEX]),
    Builtin::new("pthread_cond_timedwait", 3, |m, a| {
        if m.thread().wait != Wait::None {
            return wait(m, a, Some(Deadline::Unknown));
        }
        m.access_unless_null(2, a[2])?;
        match m.deadline(a[2])? {
            Deadline::Invalid => Returned::int(EINVAL),
            deadline => wait(m, a, Some(deadline)),
        }
    })
    .accessing(&[CONDITION, MUTEX, reads(2, TIME_BYTES).unless_null()]),
    Builtin::new("pthread_cond_signal", 1, signal).accessing(&[CONDITION]),
    Builtin::new("pthread_cond_broadcast", 1, broadcast).accessing(&[CONDITION]),
    Builtin::new("pthread_barrier_init", 3, init_barrier)
        .accessing(&[writes(0, BARRIER_BYTES), ATTRIBUTES]),
    Builtin::new("pthread_barrier_destroy", 1, destroy_barrier).accessing(&[BARRIER]),
    Builtin::new("pthread_barrier_wait", 1, wait_at_barrier).accessing(&[BARRIER]),
];

const CONDITION: ArgumentAccess = synchronises(0, CONDITION_BYTES);
/// The mutex of a wait.
const MUTEX: ArgumentAccess = synchronises(1, MUTEX_BYTES);
const BARRIER: ArgumentAccess = synchronises(0, BARRIER_BYTES);
const ATTRIBUTES: ArgumentAccess = reads(1, 4).unless_null();

impl Machine<'_> {
    fn waiters(&self, condition: Word) -> Vec<usize> {
        let waits = |wait: Wait| matches!(wait, Wait::Condition { condition: c, .. } if c.bits == condition.bits);
        let threads = self.threads.waits().enumerate();
        threads
            .filter(|(_, wait)| waits(*wait))
            .map(|(n, _)| n)
            .collect()
    }

    /// Fails if threads wait for, or at, an object that is about to be initialised or destroyed.
    fn none_waits(
        &self,
        (does, what): (&str, &str),
        object: Word,
        waiters: &[usize],
    ) -> Result<()> {
        let Some(&first) = waiters.first() else {
            return Ok(());
        };
        let (name, waiter) = (self.name_of(object), self.thread_name(first as u32));
        let how = if what == "barrier" { "at" } else { "for" };
        error(
            ErrorKind::MutexMisuse,
            format!("{does} the {what} {name} while {waiter} waits {how} it"),
        )
    }

    /// Fails if a thread waits for the condition with another mutex than this. POSIX binds the two
    /// as long as a thread is blocked, so one that is woken and has yet to lock does not count.
    fn none_waits_with_another(&self, condition: Word, mutex: Word) -> Result<()> {
        let other = self.waiters(condition).into_iter().find_map(|thread| {
            match self.threads[thread].wait {
                Wait::Condition { mutex: other, .. } if other.bits != mutex.bits => {
                    Some((thread, other))
                }
                _ => None,
            }
        });
        let Some((thread, other)) = other else {
            return Ok(());
        };
        let [condition, mutex, other] = [condition, mutex, other].map(|word| self.name_of(word));
        let waiter = self.thread_name(thread as u32);
        error(
            ErrorKind::MutexMisuse,
            format!(
                "waits for the condition variable {condition} with the mutex {mutex} \
                 while {waiter} waits for it with the mutex {other}"
            ),
        )
    }

    /// Wakes a thread. That orders nothing: it could have woken without a signal.
    fn wake(&mut self, thread: usize, cancellation: WokenCancellation) {
        if !self.options.spurious_wakeups {
            self.observe_weakly();
        }
        self.threads.change_named(thread, |woken| {
            if let Wait::Condition { mutex, .. } = woken.wait {
                woken.wait = Wait::Woken {
                    mutex,
                    result: 0,
                    cancellation,
                };
            }
        });
    }

    fn at_barrier(&self, barrier: Word) -> Vec<usize> {
        let waits =
            |wait: Wait| matches!(wait, Wait::Barrier { barrier: b } if b.bits == barrier.bits);
        let threads = self.threads.waits().enumerate();
        threads
            .filter(|(_, wait)| waits(*wait))
            .map(|(n, _)| n)
            .collect()
    }
}

fn destroy(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.access(0, arguments[0])?;
    machine.usable(arguments[0], CONDITION_VARIABLE)?;
    let waiters = machine.waiters(arguments[0]);
    machine.none_waits(("destroys", CONDITION_VARIABLE), arguments[0], &waiters)?;
    machine.set_field(arguments[0], 8, DESTROYED)?;
    Returned::int(0)
}

/// Waits, until a deadline if it is a timed wait.
fn wait(
    machine: &mut Machine<'_>,
    arguments: &[Word],
    deadline: Option<Deadline>,
) -> Result<Returned> {
    let (condition, mutex) = (arguments[0], arguments[1]);
    let stage = machine.thread().wait;
    if machine.handles_within_wait() {
        return unsupported(WAIT_IN_HANDLER);
    }
    match stage {
        Wait::None => begin_wait(
            machine,
            condition,
            mutex,
            deadline.unwrap_or(Deadline::Unknown),
        ),
        Wait::Condition { until, .. } if deadline.is_some() || machine.cancelled() => {
            machine.act()?;
            machine.record_memory(condition, CONDITION_BYTES);
            let (result, cancellation) = match machine.cancelled() {
                true => (0, WokenCancellation::Reacts),
                false => (ETIMEDOUT as u32, WokenCancellation::MayReact),
            };
            machine.thread().wait = Wait::Woken {
                mutex,
                result,
                cancellation,
            };
            machine.note_operation_on(condition, |m| {
                format!("gives up waiting for {}", m.name_of(condition))
            });
            if !machine.cancelled() {
                machine.let_time_pass(until)?;
            }
            Ok(Returned::Stop(Stop::SchedulingPoint))
        }
        Wait::Condition { .. } => {
            machine.record_memory(condition, CONDITION_BYTES);
            machine.block_quietly()?;
            let name = machine.name_of(condition);
            blocked(Awaited::Wakeup, name, [])
        }
        Wait::Woken {
            mutex,
            result,
            cancellation,
        } => end_wait(machine, mutex, result, cancellation),
        Wait::Barrier { .. } | Wait::Passed | Wait::Starting { .. } => {
            unreachable!("a thread waits for one thing")
        }
    }
}

fn begin_wait(
    machine: &mut Machine<'_>,
    condition: Word,
    mutex: Word,
    deadline: Deadline,
) -> Result<Returned> {
    machine.access(0, condition)?;
    machine.access(1, mutex)?;
    machine.usable(condition, CONDITION_VARIABLE)?;
    if machine.mutex_owner(mutex)? != machine.owner_mark() {
        if machine.checks_owner(mutex)? {
            return Returned::int(EPERM);
        }
        let name = machine.name_of(mutex);
        return error(
            ErrorKind::MutexMisuse,
            format!("waits with the mutex {name}, which it does not hold"),
        );
    }
    machine.none_waits_with_another(condition, mutex)?;
    let late = machine.has_passed(deadline)?;
    let spurious = !late && machine.options.spurious_wakeups && machine.fails_spuriously()?;
    let is_free = machine.release_mutex(mutex)?;
    let result = if late { ETIMEDOUT as u32 } else { 0 };
    let until = machine.keep(deadline);
    machine.thread().wait = match spurious || late {
        true => Wait::Woken {
            mutex,
            result,
            cancellation: WokenCancellation::MayReact,
        },
        false => Wait::Condition {
            condition,
            mutex,
            until,
        },
    };
    machine.note_operation_on(condition, |m| {
        let how = if spurious {
            ", which will end without a signal"
        } else if late {
            ", whose time has passed"
        } else {
            ""
        };
        let still = if is_free { "" } else { ", still holding it" };
        let condition = m.name_of(condition);
        match m.is_librarys_business(mutex) {
            true => format!("waits for {condition}{how}"),
            false => format!(
                "unlocks {}{still} and waits for {condition}{how}",
                m.name_of(mutex)
            ),
        }
    });
    Ok(Returned::Stop(Stop::SchedulingPoint))
}

fn end_wait(
    machine: &mut Machine<'_>,
    mutex: Word,
    result: u32,
    cancellation: WokenCancellation,
) -> Result<Returned> {
    machine.access(1, mutex)?;
    let owner = machine.mutex_owner(mutex)?;
    if let Some(number) = machine.lock_robust(mutex, owner)? {
        machine.thread().wait = Wait::None;
        return Returned::int(number);
    }
    let is_held = owner == machine.owner_mark();
    if owner != 0 && !is_held {
        machine.block_quietly()?;
        return blocked(Awaited::LockAgain, machine.name_of(mutex), [owner - 1]);
    }
    let is_cancelled = machine.cancelled()
        && match cancellation {
            WokenCancellation::MayReact => machine.choose(2, false)? == 0,
            WokenCancellation::Reacts => true,
            WokenCancellation::Returns => false,
        };
    match is_held {
        true => machine.lock_once_more(mutex)?,
        false => machine.take_mutex(mutex)?,
    }
    machine.thread().wait = Wait::None;
    machine.note_operation_on(mutex, |m| {
        format!("is woken and locks {}", m.name_of(mutex))
    });
    if is_cancelled {
        return machine.become_cancelled();
    }
    Returned::int(result as i32)
}

/// Whether any thread waits for a condition: glibc only reads one that no thread waits for.
pub(crate) fn wakes(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    !machine.waiters(arguments[0]).is_empty()
}

fn signal(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let condition = arguments[0];
    machine.access(0, condition)?;
    machine.usable(condition, CONDITION_VARIABLE)?;
    let waiters = machine.waiters(condition);
    if waiters.is_empty() {
        machine.note_operation_on(condition, |m| {
            format!("signals {}, but no thread waits", m.name_of(condition))
        });
        return Returned::int(0);
    }
    // POSIX: a cancelled thread consumes no signal while another one waits. So that one gets it
    // which does not react, and the case that it is another one is an alternative of the choice.
    let cancellation = match machine.system.cancels && waiters.len() > 1 {
        true => WokenCancellation::Returns,
        false => WokenCancellation::MayReact,
    };
    let chosen = waiters[machine.choose(waiters.len() as u32, false)? as usize];
    machine.wake(chosen, cancellation);
    machine.note_operation_on(condition, |m| {
        let woken = m.thread_name(chosen as u32);
        format!("signals {}: {woken} wakes", m.name_of(condition))
    });
    Returned::int(0)
}

fn broadcast(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let condition = arguments[0];
    machine.access(0, condition)?;
    machine.usable(condition, CONDITION_VARIABLE)?;
    let waiters = machine.waiters(condition);
    for &thread in &waiters {
        machine.wake(thread, WokenCancellation::MayReact);
    }
    machine.note_operation_on(condition, |m| {
        format!(
            "broadcasts {}: {} threads wake",
            m.name_of(condition),
            waiters.len()
        )
    });
    Returned::int(0)
}

fn init_barrier(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (barrier, count) = (arguments[0], arguments[2].bits as u32);
    if count == 0 {
        return Returned::int(EINVAL);
    }
    machine.access_unless_null(1, arguments[1])?;
    let spot = machine.access(0, barrier)?;
    let waiting = machine.at_barrier(barrier);
    machine.none_waits(("initialises", "barrier"), barrier, &waiting)?;
    machine.write_initial(spot, barrier, BARRIER_BYTES, (0, count))?;
    Returned::int(0)
}

fn destroy_barrier(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let barrier = arguments[0];
    machine.access(0, barrier)?;
    let waiting = machine.at_barrier(barrier);
    machine.none_waits(("destroys", "barrier"), barrier, &waiting)?;
    machine.set_field(barrier, 0, 0)?;
    Returned::int(0)
}

fn wait_at_barrier(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let barrier = arguments[0];
    if machine.handles_within_wait() {
        return unsupported(WAIT_IN_HANDLER);
    }
    match machine.thread().wait {
        Wait::Passed => {
            machine.thread().wait = Wait::None;
            return Returned::int(0);
        }
        Wait::Barrier { .. } => {
            machine.block_quietly()?;
            let arrivals = Awaited::Arrivals {
                arrived: machine.at_barrier(barrier).len(),
                needed: machine.field(barrier, 0, "barrier")?,
            };
            return blocked(arrivals, machine.name_of(barrier), []);
        }
        _ => {}
    }
    machine.access(0, barrier)?;
    let needed = machine.field(barrier, 0, "barrier")?;
    if needed == 0 {
        let name = machine.name_of(barrier);
        return error(
            ErrorKind::MutexMisuse,
            format!("waits at the barrier {name}, which is not initialised"),
        );
    }
    let waiting = machine.at_barrier(barrier);
    machine.release_to(message_of(barrier), true);
    if waiting.len() as u32 + 1 < needed {
        machine.thread().wait = Wait::Barrier { barrier };
        machine.note_operation_on(barrier, |m| format!("waits at {}", m.name_of(barrier)));
        return Ok(Returned::Stop(Stop::SchedulingPoint));
    }
    machine.track_passed(message_of(barrier), &waiting);
    for thread in waiting {
        machine.threads[thread].wait = Wait::Passed;
        machine.effects.start_thread(thread);
    }
    machine.memory.regrouped = true;
    machine.note_operation_on(barrier, |m| {
        format!("arrives at {} as the last", m.name_of(barrier))
    });
    Returned::int(SERIAL)
}
