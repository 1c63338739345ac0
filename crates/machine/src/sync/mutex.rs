//! Mutexes, reader-writer locks and spin locks.
//!
//! A mutex (40 bytes): owner's mark at 0, depth at 4, status at 8, type and other attributes at 16
//! (the type as in glibc's static initialisers). A reader-writer lock (56 bytes): writer's mark at
//! 0, number of readers at 4, status at 8, kind at 48 (as in glibc's static initialisers). A spin
//! lock (4 bytes): owner's mark, or that it was destroyed.
//!
//! A robust mutex whose owner has ended is taken over by the next thread that locks it; until that
//! thread says that it is consistent, its status says that it is not, and unlocked like that it is
//! lost for good.

use super::object::{DESTROYED, message_of};
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error, unsupported};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, TIME_BYTES, reads, synchronises, writes};
use crate::machine::builtin::{Builtin, Returned};
use crate::memory_model::StoreOrder;
use crate::state::happens_before::Order;
use crate::state::thread::HeldKind;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;

pub(crate) const MUTEX_BYTES: u64 = 40;
const LOCK_BYTES: u64 = 56;
const SPIN_BYTES: u64 = 4;
const RECURSIVE: u32 = 1;
const CHECKING: u32 = 2;
/// The bits of the attributes that encode the type.
const TYPE: u32 = 3;
const ROBUST: u32 = 4;

/// Where a reader-writer lock has its kind, and the one that lets no reader in while a writer
/// waits.
const KIND: i64 = 48;
const PREFERS_WRITERS: u32 = 2;

/// The status of a robust mutex that was taken over.
const INCONSISTENT: u32 = 1;
/// The status of one that was unlocked like that.
const LOST: u32 = 2;

pub(crate) const EPERM: i32 = 1;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const EDEADLK: i32 = 35;
const EOWNERDEAD: i32 = 130;
const ENOTRECOVERABLE: i32 = 131;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("pthread_mutex_init", 2, init)
        .accessing(&[writes(0, MUTEX_BYTES), reads(1, 4).unless_null()]),
    Builtin::new("pthread_mutex_destroy", 1, destroy).accessing(&[MUTEX]),
    Builtin::new("pthread_mutex_lock", 1, |m, a| {
        m.lock_mutex(a[0], Patience::Wait)
    })
    .accessing(&[MUTEX])
    .waiting(SectionType::Mutex),
    Builtin::new("pthread_mutex_trylock", 1, |m, a| {
        m.lock_mutex(a[0], Patience::None(EBUSY))
    })
    .accessing(&[MUTEX]),
    Builtin::new("pthread_mutex_timedlock", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        m.lock_mutex(a[0], Patience::Until(a[1]))
    })
    .accessing(&[MUTEX, TIME]),
    Builtin::new("pthread_mutex_unlock", 1, unlock).accessing(&[MUTEX]),
    Builtin::new("pthread_mutex_consistent", 1, make_consistent).accessing(&[MUTEX]),
    Builtin::new("pthread_rwlock_init", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        let kind = (
            "reader-writer lock",
            &[(HeldKind::WriteLock, 0), (HeldKind::ReadLock, 4)][..],
        );
        m.initialise_lock(kind, a[0], LOCK_BYTES, (0, 0))?;
        Returned::int(0)
    })
    .accessing(&[writes(0, LOCK_BYTES), reads(1, 8).unless_null()]),
    Builtin::new("pthread_rwlock_destroy", 1, destroy_rwlock).accessing(&[LOCK]),
    Builtin::new("pthread_rwlock_rdlock", 1, |m, a| {
        read_lock(m, a[0], Patience::Wait)
    })
    .accessing(&[LOCK])
    .waiting(SectionType::ReaderWriter),
    Builtin::new("pthread_rwlock_tryrdlock", 1, |m, a| {
        read_lock(m, a[0], Patience::None(EBUSY))
    })
    .accessing(&[LOCK]),
    Builtin::new("pthread_rwlock_timedrdlock", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        read_lock(m, a[0], Patience::Until(a[1]))
    })
    .accessing(&[LOCK, TIME]),
    Builtin::new("pthread_rwlock_wrlock", 1, |m, a| {
        write_lock(m, a[0], Patience::Wait)
    })
    .accessing(&[LOCK])
    .waiting(SectionType::ReaderWriter),
    Builtin::new("pthread_rwlock_trywrlock", 1, |m, a| {
        write_lock(m, a[0], Patience::None(EBUSY))
    })
    .accessing(&[LOCK]),
    Builtin::new("pthread_rwlock_timedwrlock", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        write_lock(m, a[0], Patience::Until(a[1]))
    })
    .accessing(&[LOCK, TIME]),
    Builtin::new("pthread_rwlock_unlock", 1, unlock_rwlock).accessing(&[LOCK]),
    Builtin::new("pthread_spin_init", 2, |m, a| {
        let kind = ("spin lock", &[(HeldKind::SpinLock, 0)][..]);
        m.initialise_lock(kind, a[0], SPIN_BYTES, (0, 0))?;
        Returned::int(0)
    })
    .accessing(&[writes(0, SPIN_BYTES)]),
    Builtin::new("pthread_spin_destroy", 1, destroy_spin_lock).accessing(&[SPIN]),
    Builtin::new("pthread_spin_lock", 1, |m, a| {
        spin_lock(m, a[0], Patience::Wait)
    })
    .accessing(&[SPIN])
    .waiting(SectionType::Mutex),
    Builtin::new("pthread_spin_trylock", 1, |m, a| {
        spin_lock(m, a[0], Patience::None(EBUSY))
    })
    .accessing(&[SPIN]),
    Builtin::new("pthread_spin_unlock", 1, spin_unlock).accessing(&[SPIN]),
];

const MUTEX: ArgumentAccess = synchronises(0, MUTEX_BYTES);
const LOCK: ArgumentAccess = synchronises(0, LOCK_BYTES);
const SPIN: ArgumentAccess = synchronises(0, SPIN_BYTES);
/// Until when to wait.
const TIME: ArgumentAccess = reads(1, TIME_BYTES).unless_null();

/// What to do when a lock is not free.
#[derive(Clone, Copy)]
pub enum Patience {
    /// Block.
    Wait,
    /// Return this error number.
    None(i32),
    /// Wait until the time in a `struct timespec`. An operation that cannot succeed at once waits
    /// while other threads run, which is the scheduler's to decide, or gives up.
    Until(Word),
}

/// What must not fail: the C++ standard demands that the thread holds the mutex.
const CPP_UNLOCK: &str = "_ZNSt3__115recursive_mutex6unlockEv";

impl Machine<'_> {
    /// What an operation returns that cannot succeed at once and does not block.
    pub(crate) fn give_up_with(&mut self, patience: Patience) -> Result<Option<i32>> {
        let number = match patience {
            Patience::Wait => return Ok(None),
            Patience::None(number) => number,
            Patience::Until(timespec) => {
                let deadline = self.deadline(timespec)?;
                self.time_out(deadline)?
            }
        };
        Ok(Some(number))
    }
}

/// Whether the running thread holds a mutex; its type; how often it has locked it.
fn own_lock(machine: &mut Machine<'_>, mutex: Word) -> Option<(u32, u32)> {
    let owner = machine.field(mutex, 0, "mutex").ok()?;
    let kind = machine.field(mutex, 16, "mutex").ok()? & TYPE;
    let depth = machine.field(mutex, 4, "mutex").ok()?;
    (owner == machine.owner_mark()).then_some((kind, depth))
}

/// Whether locking a mutex takes a locked instruction: not where the type says that its owner
/// counts, or fails.
pub(crate) fn lock_drains(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let own = own_lock(machine, arguments[0]);
    !own.is_some_and(|(kind, _)| kind == RECURSIVE || kind == CHECKING)
}

/// Whether an attempt to lock a mutex takes a locked instruction: glibc only reads one that is
/// not free, unless it may have to be taken over.
pub(crate) fn try_lock_drains(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let owner = machine.field(arguments[0], 0, "mutex").unwrap_or(0);
    let attributes = machine.field(arguments[0], 16, "mutex").unwrap_or(0);
    owner == 0 || (attributes & ROBUST != 0 && owner != machine.owner_mark())
}

/// Whether unlocking a mutex frees it.
pub(crate) fn unlock_drains(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    match own_lock(machine, arguments[0]) {
        Some((_, depth)) => depth <= 1,
        None => {
            let attributes = machine.field(arguments[0], 16, "mutex").unwrap_or(0);
            attributes & (TYPE | ROBUST) == 0
        }
    }
}

/// Whether an attempt to lock for reading succeeds: glibc only reads a lock that it cannot take.
pub(crate) fn try_read_drains(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let writer = machine.field(arguments[0], 0, "reader-writer lock");
    writer.map_or(true, |writer| writer == 0)
}

/// The same for writing.
pub(crate) fn try_write_drains(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let readers = machine.field(arguments[0], 4, "reader-writer lock");
    try_read_drains(machine, arguments) && readers.map_or(true, |readers| readers == 0)
}

fn init(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (mutex, attributes) = (arguments[0], arguments[1]);
    let attributes = match machine.access_unless_null(1, attributes)? {
        None => 0,
        Some(_) => machine.field(attributes, 0, "mutex attribute")?,
    };
    let kind = ("mutex", &[(HeldKind::Mutex, 0)][..]);
    machine.initialise_lock(kind, mutex, MUTEX_BYTES, (16, attributes))?;
    Returned::int(0)
}

fn destroy(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    machine.access(0, mutex)?;
    let owner = machine.mutex_owner(mutex)?;
    if owner != 0 {
        let (name, holder) = (machine.name_of(mutex), machine.thread_name(owner - 1));
        return error(
            ErrorKind::MutexMisuse,
            format!("destroys the mutex {name}, which {holder} holds"),
        );
    }
    machine.set_field(mutex, 8, DESTROYED)?;
    Returned::int(0)
}

fn unlock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    machine.access(0, mutex)?;
    let owner = machine.mutex_owner(mutex)?;
    if owner != machine.owner_mark() {
        if machine.checks_owner(mutex)? && !machine.is_called_by(CPP_UNLOCK) {
            return Returned::int(EPERM);
        }
        return machine.not_held("mutex", mutex, owner);
    }
    let still = match machine.release_mutex(mutex)? {
        true => "",
        false => ", still holding it",
    };
    machine.note_operation_on(mutex, |m| format!("unlocks {}{still}", m.name_of(mutex)));
    Returned::int(0)
}

fn make_consistent(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    machine.access(0, mutex)?;
    let owner = machine.mutex_owner(mutex)?;
    if owner != machine.owner_mark() || machine.field(mutex, 8, "mutex")? != INCONSISTENT {
        return Returned::int(EINVAL);
    }
    machine.set_field(mutex, 8, 0)?;
    machine.note_operation_on(mutex, |m| {
        format!("says that {} is consistent", m.name_of(mutex))
    });
    Returned::int(0)
}

impl Machine<'_> {
    /// The mark of a mutex' owner, or 0. The mutex must be usable.
    pub(crate) fn mutex_owner(&mut self, mutex: Word) -> Result<u32> {
        self.usable(mutex, "mutex")?;
        self.field(mutex, 0, "mutex")
    }

    /// Whether C's functions refuse a mutex that the running thread does not hold: POSIX lets a
    /// program ask for that with the type of the mutex.
    pub(crate) fn checks_owner(&mut self, mutex: Word) -> Result<bool> {
        let attributes = self.field(mutex, 16, "mutex")?;
        Ok(attributes & (TYPE | ROBUST) != 0)
    }

    /// Fails because the running thread unlocks what it does not hold, but a thread with a mark, or
    /// for 0 none.
    pub(crate) fn not_held<T>(&self, what: &str, object: Word, owner: u32) -> Result<T> {
        let name = self.name_of(object);
        let holder = match owner {
            0 => "no thread holds".into(),
            n => format!("{} holds", self.thread_name(n - 1)),
        };
        error(
            ErrorKind::MutexMisuse,
            format!("unlocks the {what} {name}, which {holder}"),
        )
    }

    /// Takes a free mutex for the running thread.
    pub(crate) fn take_mutex(&mut self, mutex: Word) -> Result<()> {
        let mark = self.owner_mark();
        self.set_field(mutex, 0, mark)?;
        self.set_field(mutex, 4, 1)?;
        self.hold(HeldKind::Mutex, mutex);
        self.acquire(message_of(mutex));
        Ok(())
    }

    /// Undoes one lock of a mutex that the running thread holds; returns whether it was the last,
    /// so that the mutex is free.
    pub(crate) fn release_mutex(&mut self, mutex: Word) -> Result<bool> {
        let depth = self.field(mutex, 4, "mutex")?;
        if depth > 1 {
            self.set_field(mutex, 4, depth - 1)?;
            return Ok(false);
        }
        if self.field(mutex, 8, "mutex")? == INCONSISTENT {
            self.set_field(mutex, 8, LOST)?;
        }
        self.set_field(mutex, 0, 0)?;
        self.set_field(mutex, 4, 0)?;
        self.give_up(HeldKind::Mutex, mutex);
        self.release_to(message_of(mutex), false);
        Ok(true)
    }

    /// Locks a recursive mutex that the running thread holds once more.
    pub(crate) fn lock_once_more(&mut self, mutex: Word) -> Result<()> {
        let depth = self.field(mutex, 4, "mutex")?;
        self.set_field(mutex, 4, depth + 1)
    }

    /// Takes a robust mutex from a thread that has ended.
    fn take_over_mutex(&mut self, mutex: Word, owner: u32) -> Result<()> {
        let address = Address::from_bits(mutex.bits);
        let thread = owner as usize - 1;
        if let Some(slot) = self.threads[thread].slot_of(HeldKind::Mutex, address) {
            self.give_up_slot(thread, slot);
        }
        self.take_mutex(mutex)?;
        self.set_field(mutex, 8, INCONSISTENT)
    }

    /// Locks a robust mutex that cannot be locked as others are: gives what the operation returns,
    /// or nothing if it can.
    pub(crate) fn lock_robust(&mut self, mutex: Word, owner: u32) -> Result<Option<i32>> {
        if self.field(mutex, 16, "mutex")? & ROBUST == 0 {
            return Ok(None);
        }
        if self.field(mutex, 8, "mutex")? == LOST {
            self.observe_weakly();
            return Ok(Some(ENOTRECOVERABLE));
        }
        if owner == 0 || self.threads[owner as usize - 1].is_alive() {
            return Ok(None);
        }
        self.take_over_mutex(mutex, owner)?;
        self.note_operation_on(mutex, |m| {
            let before = m.thread_name(owner - 1);
            format!(
                "locks {}, which {before} held when it ended",
                m.name_of(mutex)
            )
        });
        Ok(Some(EOWNERDEAD))
    }

    fn lock_mutex(&mut self, mutex: Word, patience: Patience) -> Result<Returned> {
        self.access(0, mutex)?;
        let owner = self.mutex_owner(mutex)?;
        let kind = self.field(mutex, 16, "mutex")? & TYPE;
        if let Some(number) = self.lock_robust(mutex, owner)? {
            return Returned::int(number);
        }
        if owner == 0 {
            self.take_mutex(mutex)?;
            self.note_operation_on(mutex, |m| format!("locks {}", m.name_of(mutex)));
            return Returned::int(0);
        }
        if owner == self.owner_mark() && kind == RECURSIVE {
            self.lock_once_more(mutex)?;
            self.note_operation_on(mutex, |m| format!("locks {} once more", m.name_of(mutex)));
            return Returned::int(0);
        }
        match patience {
            Patience::Wait | Patience::Until(_)
                if owner == self.owner_mark() && kind == CHECKING =>
            {
                Returned::int(EDEADLK)
            }
            Patience::None(_) | Patience::Until(_) => {
                if owner != self.owner_mark() {
                    self.observe_weakly();
                }
                self.note_operation_on(mutex, |m| format!("cannot lock {}", m.name_of(mutex)));
                let number = self.give_up_with(patience)?;
                Returned::int(number.expect("what does not wait gives up"))
            }
            Patience::Wait => {
                self.block_quietly()?;
                blocked(Awaited::Lock, self.name_of(mutex), [owner - 1])
            }
        }
    }
}

fn destroy_rwlock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let lock = arguments[0];
    machine.access(0, lock)?;
    machine.usable(lock, "reader-writer lock")?;
    if machine.field(lock, 0, "lock")? != 0 || machine.field(lock, 4, "lock")? != 0 {
        let name = machine.name_of(lock);
        return error(
            ErrorKind::MutexMisuse,
            format!("destroys the reader-writer lock {name}, which is held"),
        );
    }
    machine.set_field(lock, 8, DESTROYED)?;
    Returned::int(0)
}

fn read_lock(machine: &mut Machine<'_>, lock: Word, patience: Patience) -> Result<Returned> {
    machine.access(0, lock)?;
    machine.usable(lock, "reader-writer lock")?;
    if machine.field(lock, KIND, "reader-writer lock")? == PREFERS_WRITERS {
        return unsupported("a reader-writer lock that prefers writers");
    }
    let writer = machine.field(lock, 0, "reader-writer lock")?;
    if writer == 0 {
        let readers = machine.field(lock, 4, "reader-writer lock")?;
        machine.set_field(lock, 4, readers + 1)?;
        machine.hold(HeldKind::ReadLock, lock);
        machine.acquire(message_of(lock));
        machine.note_operation_on(lock, |m| format!("locks {} for reading", m.name_of(lock)));
        return Returned::int(0);
    }
    if let Some(number) = machine.give_up_with(patience)? {
        machine.observe_weakly();
        return Returned::int(number);
    }
    machine.block_quietly()?;
    let name = machine.name_of(lock);
    blocked(Awaited::ReadLock, name, [writer - 1])
}

fn write_lock(machine: &mut Machine<'_>, lock: Word, patience: Patience) -> Result<Returned> {
    machine.access(0, lock)?;
    machine.usable(lock, "reader-writer lock")?;
    let writer = machine.field(lock, 0, "reader-writer lock")?;
    let readers = machine.field(lock, 4, "reader-writer lock")?;
    if writer == 0 && readers == 0 {
        let mark = machine.owner_mark();
        machine.set_field(lock, 0, mark)?;
        machine.hold(HeldKind::WriteLock, lock);
        machine.acquire(message_of(lock));
        machine.acquire(message_of(lock).second());
        machine.note_operation_on(lock, |m| format!("locks {} for writing", m.name_of(lock)));
        return Returned::int(0);
    }
    if let Some(number) = machine.give_up_with(patience)? {
        machine.observe_weakly();
        return Returned::int(number);
    }
    machine.block_quietly()?;
    let name = machine.name_of(lock);
    if writer == 0 {
        let readers = machine.holders(HeldKind::ReadLock, lock);
        return blocked(Awaited::WriteLockAfterReaders, name, readers);
    }
    blocked(Awaited::WriteLock, name, [writer - 1])
}

fn unlock_rwlock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let lock = arguments[0];
    machine.access(0, lock)?;
    machine.usable(lock, "reader-writer lock")?;
    let writer = machine.field(lock, 0, "reader-writer lock")?;
    let readers = machine.field(lock, 4, "reader-writer lock")?;
    if writer == machine.owner_mark() {
        machine.set_field(lock, 0, 0)?;
        machine.give_up(HeldKind::WriteLock, lock);
        machine.release_to(message_of(lock), false);
    } else if writer == 0 && readers > 0 && machine.give_up(HeldKind::ReadLock, lock) {
        machine.set_field(lock, 4, readers - 1)?;
        machine.release_to(message_of(lock).second(), true);
    } else {
        return machine.not_held("reader-writer lock", lock, writer);
    }
    machine.note_operation_on(lock, |m| format!("unlocks {}", m.name_of(lock)));
    Returned::int(0)
}

/// The mark of a spin lock's owner, or 0. The lock must be usable.
fn spin_owner(machine: &mut Machine<'_>, lock: Word) -> Result<u32> {
    match machine.field(lock, 0, "spin lock")? {
        DESTROYED => machine.destroyed(lock, "spin lock"),
        owner => Ok(owner),
    }
}

fn destroy_spin_lock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let lock = arguments[0];
    machine.access(0, lock)?;
    let owner = spin_owner(machine, lock)?;
    if owner != 0 {
        let (name, holder) = (machine.name_of(lock), machine.thread_name(owner - 1));
        return error(
            ErrorKind::MutexMisuse,
            format!("destroys the spin lock {name}, which {holder} holds"),
        );
    }
    machine.set_field(lock, 0, DESTROYED)?;
    Returned::int(0)
}

fn spin_lock(machine: &mut Machine<'_>, lock: Word, patience: Patience) -> Result<Returned> {
    machine.access(0, lock)?;
    let owner = spin_owner(machine, lock)?;
    if owner == 0 {
        let mark = machine.owner_mark();
        machine.set_field(lock, 0, mark)?;
        machine.hold(HeldKind::SpinLock, lock);
        machine.acquire(message_of(lock));
        machine.note_operation_on(lock, |m| format!("locks {}", m.name_of(lock)));
        return Returned::int(0);
    }
    match patience {
        Patience::None(number) => {
            machine.observe_weakly();
            Returned::int(number)
        }
        Patience::Wait | Patience::Until(_) => {
            machine.block_quietly()?;
            blocked(Awaited::SpinLock, machine.name_of(lock), [owner - 1])
        }
    }
}

fn spin_unlock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let lock = arguments[0];
    if machine.call.delays() {
        return spin_unlock_later(machine, lock);
    }
    machine.access(0, lock)?;
    let owner = spin_owner(machine, lock)?;
    if owner != machine.owner_mark() {
        return machine.not_held("spin lock", lock, owner);
    }
    machine.set_field(lock, 0, 0)?;
    machine.give_up(HeldKind::SpinLock, lock);
    machine.release_to(message_of(lock), false);
    machine.note_operation_on(lock, |m| format!("unlocks {}", m.name_of(lock)));
    Returned::int(0)
}

/// The unlocking store goes to the store buffer. Only its owner can unlock a lock, so that who
/// holds it can be seen without an action.
fn spin_unlock_later(machine: &mut Machine<'_>, lock: Word) -> Result<Returned> {
    let owner = spin_owner(machine, lock);
    if !matches!(owner, Ok(owner) if owner == machine.owner_mark()) {
        machine.access(0, lock)?;
        let owner = owner?;
        return machine.not_held("spin lock", lock, owner);
    }
    let (free, release) = (Value::one(Word::number(0)), Ordering::Release);
    let scalar = Scalar::Integer(32);
    let order = StoreOrder {
        atomic: true,
        ordering: release,
        order: Order::from(release),
    };
    machine.model().store(machine, scalar, lock, free, order)?;
    machine.give_up(HeldKind::SpinLock, lock);
    machine.note_operation_on(lock, |m| format!("unlocks {}", m.name_of(lock)));
    Returned::int(0)
}

/// The runtime's own locks, and waiting for a number to change.
pub(crate) fn take_plain(machine: &mut Machine<'_>, lock: Word, mark: Word) -> Result<Returned> {
    machine.access(0, lock)?;
    if machine.field(lock, 0, "lock")? != 0 {
        machine.block_quietly()?;
        return blocked(Awaited::Lock, machine.name_of(lock), []);
    }
    machine.set_field(lock, 0, mark.bits as u32)?;
    machine.acquire(message_of(lock));
    Ok(Returned::Nothing)
}
