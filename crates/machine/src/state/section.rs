//! Sections: what a thread has begun and must be able to finish.
//!
//! A *resource section* (V. Štill, J. Barnat, *Local Nontermination Detection for Parallel C++
//! Programs*, SEFM 2019, section 3.2) is a block of code with a type. A thread that enters it must
//! be able to leave it. The paper annotates the libraries' code; here the machine itself sees most
//! sections:
//! - A thread that stops at a blocking operation, or inside one, *waits*. The section is open from
//!   the scheduling point before the operation until the operation is done. The thread need not be
//!   blocked: while the operation can be done, the section can end.
//! - What a thread *holds* (a lock, or a section that the program began itself) has a slot in the
//!   thread's list until the thread releases it.
//! - A started thread is a section of type `thread`, which `--sections` selects.
//!
//! **Keys.** An instance has the same key in all states in which it is open, although the numbers
//! of objects differ (each state's heap is canonicalised). So a key consists of numbers that do not
//! change: the thread's number and, for what it holds, the slot, which is the lowest that was free
//! at the beginning. A thread waits for one thing at a time. The report looks up in the state what
//! an instance is about.
//!
//! **What an edge ends.** An instance whose key is not open in the target has ended. If the key is
//! open again, the edge says that it denotes a new instance: a step of thread t ends what t waited
//! for when the step began, since its first instruction is that operation; and the step notes what
//! it releases.
//!
//! An operation of a library that waits by smaller operations (`std::atomic::wait` polls, a future
//! waits for a condition variable repeatedly) is a section of its own, held from the call until
//! the function is left, by a return or an exception. What the library waits for inside is then not
//! a section.

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
    /// Returns the key of the section. [`Section::from_key`] is the inverse.
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

    /// Returns the section with a key that [`Section::key`] returned. Panics on other keys.
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

    /// Returns its type, or `None` for the program as a whole.
    pub fn kind(self) -> Option<SectionType> {
        match self {
            Section::Program => None,
            Section::Waiting { kind, .. } | Section::Held { kind, .. } => Some(kind),
            Section::Thread { .. } => Some(SectionType::Thread),
        }
    }

    /// Returns the thread that it belongs to, or `None` for the program as a whole.
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
    /// Returns the type of the section during which a thread holds this, or `None`.
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
