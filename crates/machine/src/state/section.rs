//! Sections: what a thread has begun and must be able to finish.
//!
//! *Resource sections* are those of Štill and Barnat ("Local Nontermination Detection for Parallel
//! C++ Programs", section 3.2): a block of code with a type, entered and left; once entered, it
//! should be possible to leave it. Where the paper has annotations in the library's code, most
//! sections are visible to the machine itself:
//! - a thread that stops at a blocking operation, or inside one, *waits*: the section is open from
//!   the scheduling point before the operation until the operation is done. It need not be blocked:
//!   while the operation can be done the section can end.
//! - what a thread *holds* (a lock, or a section that the program itself has begun) has a slot in
//!   the thread's list until it is given up.
//! - a started thread itself is a section if that is asked for: it must be able to end.
//!
//! **Keys.** An instance must have the same key in all states in which it is open, whatever the
//! numbers of objects are (each state's heap is canonicalised). So keys are made of numbers
//! that do not move: the thread's, and of a held section the slot, which is the lowest that was
//! free when it was begun. A thread waits for one thing at a time. What an instance is about is
//! looked up in a state when it is reported.
//!
//! **What an edge ends.** An instance whose key is not open in the target has ended. Where it is
//! open again, the edge must say that it is a new one: a step of thread t ends what t waited for
//! when it began, since its first instruction is the operation waited at; and whatever is given up
//! in the step is noted when it happens.
//!
//! Waiting in a library's operation made of smaller ones (`std::barrier` polls a number,
//! `std::call_once` waits for a condition variable, again and again) is a section of its own, held
//! from the call until the function is left in whatever way: it is the operation that must be able
//! to end. What the library waits for inside is then not a section.

use crate::base::section_type::SectionType;
use crate::state::thread::HeldKind;
use impasse_transition_system::Key;

/// A section instance, as its key names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// The program as a whole.
    Program,
    /// A thread waits.
    Waiting {
        /// The thread.
        thread: u32,
        /// For what kind of thing.
        kind: SectionType,
    },
    /// A thread holds something.
    Held {
        /// The thread.
        thread: u32,
        /// What kind of section it is.
        kind: SectionType,
        /// Its place among what the thread holds.
        slot: u32,
    },
    /// A started thread.
    Thread {
        /// The thread.
        thread: u32,
    },
}

pub(crate) const WAITING: u64 = 0;
const HELD: u64 = 1;
pub(crate) const THREAD: u64 = 2;
/// Where in a key its form stands.
pub(crate) const FORM: u64 = 0xff;

impl Section {
    /// Its key.
    pub fn key(self) -> Key {
        let packed = |form: u64, thread: u32, kind: SectionType, slot: u32| {
            Key(u64::from(thread) << 40 | u64::from(slot) << 16 | (kind as u64) << 8 | form)
        };
        match self {
            Section::Program => Key::PROGRAM,
            Section::Waiting { thread, kind } => packed(WAITING, thread, kind, 0),
            Section::Held { thread, kind, slot } => packed(HELD, thread, kind, slot),
            Section::Thread { thread } => packed(THREAD, thread, SectionType::Thread, 0),
        }
    }

    /// The section with a key that [`Section::key`] made.
    pub fn from_key(key: Key) -> Section {
        if key == Key::PROGRAM {
            return Section::Program;
        }
        let thread = (key.0 >> 40) as u32;
        let slot = (key.0 >> 16) as u32 & 0xff_ffff;
        let kind = SectionType::ALL[(key.0 >> 8) as usize & 0xff];
        match key.0 & FORM {
            WAITING => Section::Waiting { thread, kind },
            HELD => Section::Held { thread, kind, slot },
            _ => Section::Thread { thread },
        }
    }

    /// Its type; none for the program as a whole.
    pub fn kind(self) -> Option<SectionType> {
        match self {
            Section::Program => None,
            Section::Waiting { kind, .. } | Section::Held { kind, .. } => Some(kind),
            Section::Thread { .. } => Some(SectionType::Thread),
        }
    }

    /// The thread that it belongs to; none for the program as a whole.
    pub fn thread(self) -> Option<u32> {
        match self {
            Section::Program => None,
            Section::Waiting { thread, .. }
            | Section::Held { thread, .. }
            | Section::Thread { thread } => Some(thread),
        }
    }
}

impl HeldKind {
    /// The type of section that holding it is, if it is one.
    pub fn section_type(self) -> Option<SectionType> {
        match self {
            HeldKind::Mutex | HeldKind::SpinLock => Some(SectionType::Critical),
            HeldKind::ReadLock | HeldKind::WriteLock => Some(SectionType::ReaderWriter),
            HeldKind::Exclusive | HeldKind::Event | HeldKind::Function => Some(SectionType::User),
            HeldKind::Operation(kind) => Some(kind),
            HeldKind::Watch => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_back() {
        let mut sections = vec![Section::Program];
        for thread in [0, 1, 7, 0xff_ffff] {
            sections.push(Section::Thread { thread });
            for &kind in SectionType::ALL {
                sections.push(Section::Waiting { thread, kind });
                for slot in [0, 1, 0xff_ffff] {
                    sections.push(Section::Held { thread, kind, slot });
                }
            }
        }
        let mut keys: Vec<Key> = sections.iter().map(|section| section.key()).collect();
        for (section, &key) in sections.iter().zip(&keys) {
            assert_eq!(Section::from_key(key), *section);
        }
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), sections.len());
    }
}
