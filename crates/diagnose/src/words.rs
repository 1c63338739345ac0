//! What sections and waits are called in reports.

use impasse_machine::base::fault::{Awaited, Blocked, ThreadStack};
use impasse_machine::base::section_type::SectionType;
use impasse_machine::machine::names::thread_name;
use std::convert::identity;

/// Returns in words how a wait can end, as in "lock m"; `resource` is what the thread waits for.
pub fn ending(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("be woken from its wait for {resource}"),
        SectionType::Join => format!("finish joining {resource}"),
        SectionType::Barrier => format!("get past {resource}"),
        SectionType::Semaphore => format!("take {resource}"),
        SectionType::Once => format!("finish the initialisation of {resource}"),
        SectionType::Atomic => format!("finish its wait for {resource} to change"),
        _ => format!("lock {resource}"),
    }
}

/// Returns a sentence about a state in which no thread can continue; `stacks` are those of all
/// threads.
pub fn deadlock(stacks: &[ThreadStack]) -> String {
    match stacks {
        [only] => {
            let waits = only.waits.as_ref();
            let reason = waits.map(|blocked| waits_for(blocked, only.thread, identity));
            let reason = reason.unwrap_or_default();
            format!("{} waits {reason}, forever", thread_name(only.thread))
        }
        _ => format!("all {} threads wait forever", stacks.len()),
    }
}

/// Returns what a thread waits for, as in "to lock m, which thread 1 holds". `reported` maps the
/// number of a thread in the state to its number in reports.
pub fn waits_for(blocked: &Blocked, thread: u32, reported: impl Fn(u32) -> u32) -> String {
    let name = &blocked.resource;
    let who = |&on: &u32| thread_name(reported(on));
    let names = blocked.on.iter().map(who).collect::<Vec<String>>();
    let names = names.join(" and ");
    let holder = || match blocked.on.as_slice() {
        [] => String::new(),
        [one] if *one == thread => ", which it holds itself".into(),
        [_] => format!(", which {names} holds"),
        _ => format!(", which {names} hold"),
    };
    match blocked.until {
        Awaited::Unknown => String::new(),
        Awaited::Arrivals { arrived, needed } => {
            format!("at {name}, where {arrived} of {needed} threads have arrived")
        }
        Awaited::Signal => "for a signal".into(),
        Awaited::Wakeup => format!("for a signal of {name}"),
        Awaited::Change(from) => format!("for {name} to change from {from}"),
        Awaited::End if blocked.on == [thread] => "for itself to end".into(),
        Awaited::End => format!("for {name} to end"),
        Awaited::Unit => format!("for {name}, which is 0"),
        Awaited::Zero(count) => format!("for {name}, which is {count}, to be counted down"),
        Awaited::Notification => format!("for {name} to change"),
        Awaited::EmptyStoreBuffer => "for its store buffer to be empty".into(),
        Awaited::Return => format!("in {name}"),
        Awaited::Lock => format!("to lock {name}{}", holder()),
        Awaited::LockAgain => format!("to lock {name} again after its wait, which {names} holds"),
        Awaited::SpinLock => format!("to lock {name}, which {names} holds"),
        Awaited::ReadLock => format!("to lock {name} for reading{} for writing", holder()),
        Awaited::WriteLock => {
            format!("to lock {name} for writing, which {names} holds for writing")
        }
        Awaited::WriteLockAfterReaders => {
            let readers = blocked.on.iter().map(|on| match *on == thread {
                true => "itself".into(),
                false => who(on),
            });
            let readers = readers.collect::<Vec<String>>().join(" and ");
            format!("to lock {name} for writing, which is held for reading by {readers}")
        }
        Awaited::Operation(SectionType::Once) if !names.is_empty() => {
            let what = waiting(SectionType::Once, name);
            format!("{what}, which {names} has begun")
        }
        Awaited::Operation(kind) => waiting(kind, name) + &holder(),
    }
}

/// What an operation of a library waits for, as in "to lock m".
fn waiting(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("for {resource}"),
        SectionType::Barrier => format!("for others to arrive at {resource}"),
        SectionType::Semaphore => format!("for a unit of {resource}"),
        SectionType::Once => format!("for the initialisation of {resource}"),
        SectionType::Atomic => format!("for {resource} to change"),
        _ => format!("to lock {resource}"),
    }
}
