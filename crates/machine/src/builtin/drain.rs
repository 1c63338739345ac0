//! Which calls drain the store buffer under x86-TSO: those that execute a locked instruction, a
//! fence or a system call on x86-64 with glibc. `docs/tso.md` lists them; a test
//! (`cli/tests/drains.rs`) makes a program of store buffering around each and runs it natively:
//! what is reordered there must be reordered here.
//!
//! A call that does not drain reads memory behind the stores in its thread's buffer, and puts what
//! it stores into the buffer.

use super::world;
use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::sync::{condition, lock, mutex, semaphore, shared, signal, threads, watch};
use impasse_program::link::BuiltinId;
use impasse_program::word::Word;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Whether a call drains the store buffer. It must not change anything.
type Condition = for<'s> fn(&mut Machine<'s>, &[Word]) -> bool;

/// When a builtin drains the store buffer of the thread that calls it.
#[derive(Clone, Copy)]
pub enum Drains {
    /// Whenever it is called.
    Always,
    /// Never: it only executes plain loads and stores.
    Never,
    /// Where this holds.
    If(Condition),
}

use Drains::{Always, If, Never};

/// One row for each builtin that may drain, or that need not though it is one of synchronisation.
const ROWS: &[(&str, Drains)] = &[
    ("pthread_mutex_init", Never),
    ("pthread_mutex_destroy", Never),
    ("pthread_mutex_lock", If(mutex::lock_drains)),
    ("pthread_mutex_trylock", If(mutex::try_lock_drains)),
    ("pthread_mutex_timedlock", If(mutex::lock_drains)),
    ("pthread_mutex_unlock", If(mutex::unlock_drains)),
    ("pthread_mutex_consistent", Never),
    ("__impasse_lock_both", Always),
    ("pthread_rwlock_init", Never),
    ("pthread_rwlock_destroy", Never),
    ("pthread_rwlock_rdlock", Always),
    ("pthread_rwlock_tryrdlock", If(mutex::try_read_drains)),
    ("pthread_rwlock_timedrdlock", Always),
    ("pthread_rwlock_wrlock", Always),
    ("pthread_rwlock_trywrlock", If(mutex::try_write_drains)),
    ("pthread_rwlock_timedwrlock", Always),
    ("pthread_rwlock_unlock", Always),
    ("pthread_spin_init", Never),
    ("pthread_spin_destroy", Never),
    ("pthread_spin_lock", Always),
    ("pthread_spin_trylock", Always),
    ("pthread_spin_unlock", Never),
    ("pthread_cond_init", Never),
    ("pthread_cond_destroy", Always),
    ("pthread_cond_wait", Always),
    ("pthread_cond_timedwait", Always),
    ("pthread_cond_signal", If(condition::wakes)),
    ("pthread_cond_broadcast", If(condition::wakes)),
    ("pthread_barrier_init", Never),
    ("pthread_barrier_destroy", Always),
    ("pthread_barrier_wait", Always),
    ("sem_init", Never),
    ("sem_destroy", Never),
    ("sem_wait", Always),
    ("sem_trywait", If(semaphore::is_positive)),
    ("sem_timedwait", Always),
    ("sem_post", Always),
    ("sem_getvalue", Never),
    ("__impasse_semaphore_acquire", Always),
    (
        "__impasse_semaphore_try_acquire",
        If(semaphore::is_positive),
    ),
    ("__impasse_semaphore_release", Always),
    ("__impasse_latch_count_down", Always),
    ("__impasse_latch_try_wait", Never),
    ("__impasse_latch_wait", Never),
    ("__impasse_barrier_arrive", Always),
    ("__impasse_barrier_complete", Always),
    ("__impasse_barrier_wait", Never),
    ("__impasse_begin_once", If(lock::is_not_done)),
    ("pthread_create", Always),
    ("pthread_join", Always),
    ("pthread_tryjoin_np", If(threads::has_ended)),
    ("pthread_timedjoin_np", Always),
    ("pthread_detach", Always),
    ("pthread_exit", Always),
    ("sched_yield", Always),
    ("pthread_cancel", Always),
    ("pthread_setcancelstate", If(threads::changes_cancel_state)),
    ("pthread_setcanceltype", If(threads::changes_cancel_type)),
    ("__impasse_cancel_requested", Never),
    ("__impasse_time", Never),
];

/// The files of builtins that drain if they have no row: the runtime's own, and system calls.
const DRAINING: &[&[Builtin]] = &[
    lock::BUILTINS,
    world::CLOCKS,
    world::BUILTINS,
    watch::BUILTINS,
    signal::BUILTINS,
    shared::BUILTINS,
];

impl Drains {
    /// Returns the names of the builtins that have a row.
    pub fn rows() -> impl Iterator<Item = &'static str> {
        ROWS.iter().map(|(name, _)| *name)
    }
}

impl Builtin {
    /// Returns when the builtin with a number drains the store buffer, or `None` if it neither
    /// drains nor needs it.
    pub fn drains(id: BuiltinId) -> Option<Drains> {
        static TABLE: OnceLock<HashMap<u16, Drains>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            let number = |name: &str| Builtin::find(name).expect("a builtin").0;
            let others = DRAINING.iter().flat_map(|file| file.iter());
            let others = others.map(|builtin| (number(builtin.name), Always));
            let rows = ROWS.iter().map(|&(name, drains)| (number(name), drains));
            others.chain(rows).collect()
        });
        table.get(&id.0).copied()
    }
}

impl Machine<'_> {
    /// Drains the store buffer if the call of a builtin does. Returns whether stores stay in it.
    /// Halts at a scheduling point.
    pub fn drain_before(&mut self, id: BuiltinId, arguments: &[Word]) -> Result<bool> {
        let drains = match Builtin::drains(id) {
            None => return Ok(false),
            Some(Always) => true,
            Some(Never) => false,
            Some(If(condition)) => condition(self, arguments),
        };
        if drains {
            self.drain()?;
        }
        Ok(!drains)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_a_builtin() {
        for (name, _) in ROWS {
            let id = Builtin::find(name).expect("a builtin");
            assert!(Builtin::drains(id).is_some());
        }
    }
}
