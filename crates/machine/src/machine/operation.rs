//! The libraries' operations that wait, and those that take a lock which is made of smaller things,
//! or give it up.
//!
//! What `std::timed_mutex` and the like are made of is free again when `lock` returns, and the
//! number of a `std::shared_mutex` does not say who has it: that is known from the calls alone. The
//! lock is taken when the operation returns (by `try_lock`, if it returns true) and given up when
//! `unlock` is called. Where such an operation calls another one of the same lock, only the first
//! counts.

use crate::base::section_type::SectionType;
use crate::state::thread::HeldKind;

/// An operation of a library that may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The type of section that it is.
    pub kind: SectionType,
    /// What its first argument is held as once it has returned, and not returned `false`.
    pub takes: Option<HeldKind>,
}

/// How the linkage name of an operation begins, what else is in it, and the operation.
type Row = (&'static str, &'static str, Operation);

const fn waits(start: &'static str, inside: &'static str, kind: SectionType) -> Row {
    (start, inside, Operation { kind, takes: None })
}

const fn takes(start: &'static str, inside: &'static str, takes: HeldKind) -> Row {
    let kind = match takes {
        HeldKind::Mutex => SectionType::Mutex,
        _ => SectionType::ReaderWriter,
    };
    let takes = Some(takes);
    (start, inside, Operation { kind, takes })
}

const TIMED: &str = "_ZNSt3__111timed_mutex";
const RECURSIVE: &str = "_ZNSt3__121recursive_timed_mutex";
const SHARED: &str = "_ZNSt3__119__shared_mutex_base";
const SHARED_TIMED: &str = "_ZNSt3__118shared_timed_mutex";

/// The first row that fits counts.
const OPERATIONS: &[Row] = &[
    takes(TIMED, "4lockE", HeldKind::Mutex),
    takes(TIMED, "8try_lockE", HeldKind::Mutex),
    takes(TIMED, "14try_lock_untilI", HeldKind::Mutex),
    takes(RECURSIVE, "4lockE", HeldKind::Mutex),
    takes(RECURSIVE, "8try_lockE", HeldKind::Mutex),
    takes(RECURSIVE, "14try_lock_untilI", HeldKind::Mutex),
    takes(SHARED, "4lockE", HeldKind::WriteLock),
    takes(SHARED, "8try_lockE", HeldKind::WriteLock),
    takes(SHARED, "11lock_sharedE", HeldKind::ReadLock),
    takes(SHARED, "15try_lock_sharedE", HeldKind::ReadLock),
    // It is made of the base, whose operations may have become parts of its own when the library
    // was compiled.
    takes(SHARED_TIMED, "4lockE", HeldKind::WriteLock),
    takes(SHARED_TIMED, "8try_lockE", HeldKind::WriteLock),
    takes(SHARED_TIMED, "11lock_sharedE", HeldKind::ReadLock),
    takes(SHARED_TIMED, "15try_lock_sharedE", HeldKind::ReadLock),
    takes(SHARED_TIMED, "14try_lock_untilI", HeldKind::WriteLock),
    takes(SHARED_TIMED, "21try_lock_shared_untilI", HeldKind::ReadLock),
    waits("pthread_once", "", SectionType::Once),
    waits("__pthread_once", "", SectionType::Once),
    waits("__cxa_guard_acquire", "", SectionType::Once),
    waits("_ZNSt3__111__call_once", "", SectionType::Once),
    waits("_ZNSt3__16futureI", "3get", SectionType::Condition),
    waits("_ZNKSt3__16futureI", "4wait", SectionType::Condition),
    waits("_ZNKSt3__113shared_futureI", "3get", SectionType::Condition),
    waits(
        "_ZNKSt3__113shared_futureI",
        "4wait",
        SectionType::Condition,
    ),
    waits(
        "_ZNSt3__118condition_variable4waitI",
        "",
        SectionType::Condition,
    ),
    waits(
        "_ZNSt3__122condition_variable_any4waitI",
        "",
        SectionType::Condition,
    ),
    waits("_ZNKSt3__113__atomic_baseI", "4wait", SectionType::Atomic),
    waits("_ZNVKSt3__113__atomic_baseI", "4wait", SectionType::Atomic),
    waits("_ZNKSt3__16atomicI", "4wait", SectionType::Atomic),
    waits("_ZNVKSt3__16atomicI", "4wait", SectionType::Atomic),
    waits("_ZNKSt3__111atomic_flag", "4wait", SectionType::Atomic),
    waits("_ZNVKSt3__111atomic_flag", "4wait", SectionType::Atomic),
];

/// Operations that give up what their first argument is held as.
const GIVING_UP: &[(&str, &str, HeldKind)] = &[
    (TIMED, "6unlockE", HeldKind::Mutex),
    (RECURSIVE, "6unlockE", HeldKind::Mutex),
    (SHARED, "6unlockE", HeldKind::WriteLock),
    (SHARED, "13unlock_sharedE", HeldKind::ReadLock),
    (SHARED_TIMED, "6unlockE", HeldKind::WriteLock),
    (SHARED_TIMED, "13unlock_sharedE", HeldKind::ReadLock),
];

/// `thrd_busy` of `threads.h`.
const THREAD_BUSY: u64 = 1;
/// Functions that may fail spuriously, and what they return then: C++'s attempts to lock
/// ([thread.mutex.requirements]), to take a semaphore and to see that a latch is down, and C's
/// `mtx_trylock` (C17 7.26.4.5). Those of `pthread.h` may not.
const SPURIOUS: &[(&str, &str, u64)] = &[
    ("_ZNSt3__15mutex", "8try_lockE", 0),
    ("_ZNSt3__115recursive_mutex", "8try_lockE", 0),
    (TIMED, "8try_lockE", 0),
    (RECURSIVE, "8try_lockE", 0),
    (SHARED, "8try_lockE", 0),
    (SHARED, "15try_lock_sharedE", 0),
    (SHARED_TIMED, "8try_lockE", 0),
    (SHARED_TIMED, "15try_lock_sharedE", 0),
    ("_ZNSt3__118counting_semaphoreI", "11try_acquire", 0),
    ("_ZNKSt3__15latch", "8try_wait", 0),
    ("mtx_trylock", "", THREAD_BUSY),
];

fn fits(name: &str, start: &str, inside: &str) -> bool {
    let rest = name.strip_prefix(start);
    rest.is_some_and(|rest| rest.contains(inside))
}

/// Returns the result with which a function with a linkage name fails spuriously, or `None` if it
/// may not.
pub fn fails_spuriously(name: &str) -> Option<u64> {
    let found = SPURIOUS
        .iter()
        .find(|(start, inside, _)| fits(name, start, inside));
    found.map(|(.., returned)| *returned)
}

/// Returns the operation that a function with a linkage name is, or `None`.
pub fn operation(name: &str) -> Option<Operation> {
    let row = OPERATIONS
        .iter()
        .find(|(start, inside, _)| fits(name, start, inside));
    row.map(|&(_, _, operation)| operation)
}

/// Returns what a function with a linkage name releases, or `None`.
pub fn gives_up(name: &str) -> Option<HeldKind> {
    let row = GIVING_UP
        .iter()
        .find(|(start, inside, _)| fits(name, start, inside));
    row.map(|&(_, _, kind)| kind)
}

/// What a function of the C++ library does with the number of references to what objects share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// It adds one, whatever there were, and does nothing else.
    Adds,
    /// It asks whether there is one left, or no other one.
    Asks,
}

/// Returns what a function with a linkage name does with a number of references, or `None` if there
/// is none, or it tells the number.
pub fn counting(name: &str) -> Option<Counting> {
    let found = COUNTING.iter().find(|(start, _)| name.starts_with(start));
    found.map(|&(_, counting)| counting)
}

const COUNTING: [(&str, Counting); 4] = [
    (
        "_ZNSt3__134__libcpp_atomic_refcount_increment",
        Counting::Adds,
    ),
    (
        "_ZNSt3__134__libcpp_atomic_refcount_decrement",
        Counting::Asks,
    ),
    (
        "_ZNSt3__119__shared_weak_count14__release_weakEv",
        Counting::Asks,
    ),
    ("_ZNSt3__119__shared_weak_count4lockEv", Counting::Asks),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_told_apart() {
        fn taken(name: &str) -> Option<Option<HeldKind>> {
            operation(name).map(|operation| operation.takes)
        }
        let base = |rest: &str| format!("{SHARED}{rest}");
        assert_eq!(taken(&base("4lockEv")), Some(Some(HeldKind::WriteLock)));
        assert_eq!(
            taken(&base("11lock_sharedEv")),
            Some(Some(HeldKind::ReadLock))
        );
        assert_eq!(taken(&base("6unlockEv")), None);
        assert_eq!(gives_up(&base("6unlockEv")), Some(HeldKind::WriteLock));
        assert_eq!(
            gives_up(&base("13unlock_sharedEv")),
            Some(HeldKind::ReadLock)
        );
        assert_eq!(gives_up(&base("4lockEv")), None);
        let timed = |rest: &str| format!("{SHARED_TIMED}{rest}");
        assert_eq!(taken(&timed("4lockEv")), taken(&base("4lockEv")));
        assert_eq!(gives_up(&timed("6unlockEv")), gives_up(&base("6unlockEv")));
        assert_eq!(taken("_ZNKSt3__16futureIiE4waitEv"), Some(None));
    }
}
