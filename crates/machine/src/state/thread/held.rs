//! What threads hold: locks, sections, operations that may wait.

use crate::base::section_type::SectionType;
use impasse_program::address::Address;

/// What kind of thing a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldKind {
    /// A mutex.
    Mutex,
    /// A spin lock.
    SpinLock,
    /// A reader-writer lock, for reading.
    ReadLock,
    /// A reader-writer lock, for writing.
    WriteLock,
    /// An exclusive section of the program's own.
    Exclusive,
    /// The program waits for an event by its own code.
    Event,
    /// A function that must return.
    Function,
    /// The thread watches an address, until a thread notifies it. It is no section.
    Watch,
    /// One of the libraries' operations that may wait; the address is that of its first argument.
    Operation(SectionType),
}

impl HeldKind {
    const PLAIN: [HeldKind; 8] = [
        HeldKind::Mutex,
        HeldKind::SpinLock,
        HeldKind::ReadLock,
        HeldKind::WriteLock,
        HeldKind::Exclusive,
        HeldKind::Event,
        HeldKind::Function,
        HeldKind::Watch,
    ];

    /// Returns whether it is a lock.
    pub fn is_lock(self) -> bool {
        use HeldKind::{Mutex, ReadLock, SpinLock, WriteLock};
        matches!(self, Mutex | SpinLock | ReadLock | WriteLock)
    }

    /// Its number in stored forms; never 0.
    pub(super) fn number(self) -> u8 {
        let plain = Self::PLAIN.iter().position(|&kind| kind == self);
        match (plain, self) {
            (Some(index), _) => index as u8 + 1,
            (None, HeldKind::Operation(kind)) => (Self::PLAIN.len() + 1) as u8 + kind as u8,
            (None, _) => unreachable!("all others are plain"),
        }
    }

    /// The kind with a number; none for 0.
    pub(super) fn of_number(number: u8) -> Option<HeldKind> {
        let index = number.checked_sub(1)? as usize;
        let operation = || HeldKind::Operation(SectionType::ALL[index - Self::PLAIN.len()]);
        Some(Self::PLAIN.get(index).copied().unwrap_or_else(operation))
    }
}

/// Something that a thread holds.
///
/// The address does not keep its object alive: it is there to find the entry again, and to name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// What kind of thing.
    pub kind: HeldKind,
    /// Its address; null once its object is gone, and for functions.
    pub address: Address,
    /// The frame that it goes with (the outermost frame's number is 0); for functions and
    /// operations.
    pub frame: u32,
}
