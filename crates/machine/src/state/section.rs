//! Sections: what a thread has begun and must be able to finish.
//!
//! *Resource sections* are those of Štill and Barnat ("Local Nontermination Detection for Parallel C++ Programs", section 3.2): a block of code with a
//! type, entered and left; once entered, it should be possible to leave it. Where the paper has annotations in the
//! library's code, most sections are visible to the machine itself:
//! - a thread that rests at a blocking operation, or in the middle of one, *waits*: the section is open from the rest before the
//!   operation until the operation is done. It need not be blocked: while the operation can be done the section can end.
//! - what a thread *holds* (a lock, or a section that the program itself has begun) has a slot in the thread's list until it is given up.
//! - a started thread itself is a section if that is asked for: it must be able to end.
//!
//! **Keys.** An instance must have the same key in all states in which it is open, whatever objects are called in them (names are settled
//! anew in each state). So keys are made of numbers that do not move: the thread's, and of a held section the slot,
//! which is the lowest that was free when it was begun. A thread waits for one thing at a time. What an
//! instance is about is looked up in a state when it is reported.
//!
//! **What an edge ends.** An instance whose key is not open in the target has ended. Where it is open again, the edge must say that it
//! is a new one: a step of thread t ends what t waited for when it began, since its first
//! instruction is the operation waited at; and whatever is given up in the step is noted when it happens.
//!
//! Waiting in a library's operation made of smaller ones (`std::barrier` polls a number, `std::call_once` waits for a condition
//! variable, again and again) is a section of its own, held from the call until the function is left in whatever way: it is the operation
//! that must be able to end. What the library waits for inside is then not a section.

use crate::base::options::Draining;
use crate::machine::builtin::Builtin;
use crate::state::frame::{FrameImage, Stack};
use crate::state::thread::{HeldKind, Thread, Wait};
use crate::system::System;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Callee, Instruction, Place};
use impasse_program::link::Target;
use impasse_store::Id;
use impasse_transition_system::Key;
use smallvec::SmallVec;

macro_rules! types {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal,)*) => {
        /// The type of a section. The names are a stable interface.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum SectionType { $($(#[doc = $doc])* $kind,)* }

        impl SectionType {
            /// Every type.
            pub const ALL: &'static [SectionType] = &[$(SectionType::$kind,)*];

            /// The stable name, as in `--sections`.
            pub fn name(self) -> &'static str {
                match self { $(SectionType::$kind => $name,)* }
            }
        }
    };
}

types! {
    /// Waiting for a mutex or a spin lock.
    Mutex "mutex",
    /// Holding a mutex or a spin lock.
    Critical "critical",
    /// Waiting for a condition variable.
    Condition "cond",
    /// Waiting for a thread to end.
    Join "join",
    /// Waiting at a barrier or a latch.
    Barrier "barrier",
    /// Waiting for a reader-writer lock, or holding it.
    ReaderWriter "rwlock",
    /// Waiting for a semaphore.
    Semaphore "semaphore",
    /// Waiting for an initialisation that another thread makes.
    Once "once",
    /// Waiting for a number to change, as `std::atomic::wait` does.
    Atomic "atomic",
    /// A started thread.
    Thread "thread",
    /// A section that the program marks itself.
    User "user",
}

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectionTypes(u16);

impl SectionTypes {
    /// No type.
    pub const NONE: SectionTypes = SectionTypes(0);

    /// All but [`SectionType::Thread`]: many threads are meant to run forever.
    pub const USUAL: SectionTypes =
        SectionTypes((1 << SectionType::ALL.len()) - 1 - (1 << SectionType::Thread as u16));

    /// This set and one more type.
    pub fn with(self, kind: SectionType) -> SectionTypes {
        SectionTypes(self.0 | 1 << kind as u16)
    }

    /// Whether a type is in the set.
    pub fn has(self, kind: SectionType) -> bool {
        self.0 & (1 << kind as u16) != 0
    }
}

impl FromIterator<SectionType> for SectionTypes {
    fn from_iter<I: IntoIterator<Item = SectionType>>(types: I) -> Self {
        types.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Which hangs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hangs {
    /// None at all.
    Off,
    /// Sections of these types that can never end.
    Local(SectionTypes),
    /// Whether the program can always end.
    Global,
}

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

const WAITING: u64 = 0;
const HELD: u64 = 1;
const THREAD: u64 = 2;
/// Where in a key its form stands.
const FORM: u64 = 0xff;

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

/// How many stored threads' sections are remembered.
const REMEMBERED: usize = 4096;

/// Finds the sections that are open in stored threads, and remembers them: they depend on nothing else.
pub struct Sections<'s> {
    system: &'s System,
    /// By the number of the stored thread: the keys, as if the thread had the number 0.
    known: Vec<(u32, SmallVec<[Key; 2]>)>,
    stack: Stack<'s>,
}

impl<'s> Sections<'s> {
    /// Knows nothing yet.
    pub fn new(system: &'s System) -> Self {
        Sections {
            system,
            known: Vec::new(),
            stack: Stack::default(),
        }
    }

    /// Calls `f` with the key of each section that is open in a stored thread with a number: what it waits for first, then what it holds by slots.
    pub fn for_each(&mut self, number: u32, stored: Id, mut f: impl FnMut(Key)) {
        if self.known.is_empty() {
            self.known = vec![(u32::MAX, SmallVec::new()); REMEMBERED];
        }
        let hash = (stored.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let place = hash as usize % REMEMBERED;
        if self.known[place].0 != stored.0 {
            let thread = Thread::decode(self.system.store.get(stored));
            let open = self.of(&thread);
            self.known[place] = (stored.0, open.iter().map(|section| section.key()).collect());
        }
        for key in &self.known[place].1 {
            if number > 0 || key.0 & FORM != THREAD {
                f(Key(key.0 | u64::from(number) << 40));
            }
        }
    }

    /// What a stored thread with a number waits for.
    pub fn waiting(&mut self, number: u32, stored: Id) -> Option<Section> {
        let mut waiting = None;
        self.for_each(number, stored, |key| {
            if key.0 & FORM == WAITING {
                waiting = Some(Section::from_key(key));
            }
        });
        waiting
    }

    fn of(&mut self, thread: &Thread) -> SmallVec<[Section; 2]> {
        let mut open = SmallVec::new();
        let Hangs::Local(types) = self.system.options.hangs else {
            return open;
        };
        let waits = match thread.is_alive() && !thread.preempted {
            true => self.waiting_of(thread),
            false => None,
        };
        for kind in thread.signals.interrupted_waits().chain(waits) {
            let section = Section::Waiting { thread: 0, kind };
            if !open.contains(&section) {
                open.push(section);
            }
        }
        for (slot, held) in thread.held.iter().enumerate() {
            let kind = held.and_then(|held| held.kind.section_type());
            open.extend(kind.map(|kind| Section::Held {
                thread: 0,
                kind,
                slot: slot as u32,
            }));
        }
        if thread.is_alive() {
            open.push(Section::Thread { thread: 0 });
        }
        open.retain(|section| section.kind().is_some_and(|kind| types.has(kind)));
        open
    }

    fn waiting_of(&mut self, thread: &Thread) -> Option<SectionType> {
        let kind = match thread.wait {
            Wait::Condition { .. } => SectionType::Condition,
            Wait::Woken { .. } => SectionType::Mutex,
            Wait::Barrier { .. } => SectionType::Barrier,
            Wait::Passed | Wait::Starting { .. } => return None,
            Wait::None => self.resting_at(thread)?.waits()?,
        };
        (!self.is_in_operation(thread)).then_some(kind)
    }

    /// The builtin that a thread rests at.
    fn resting_at(&mut self, thread: &Thread) -> Option<&'static Builtin> {
        let stored = self.system.store.get(*thread.frames.last()?);
        self.stack.clear();
        self.stack.push_stored(&self.system.program, stored);
        let frame = self.stack.frames.last()?;
        let body = &frame.function.body;
        let Instruction::Call { site } = body.code[frame.position as usize] else {
            return None;
        };
        let target = match body.sites[site.0 as usize].callee {
            Callee::Symbol(_) => frame.function.targets[site.0 as usize],
            Callee::Address(operand) => {
                let word = match operand.place() {
                    Place::Slot(slot) => self.stack.words[frame.base + slot.0 as usize],
                    Place::Constant(index) => frame.function.constants[index as usize],
                };
                match Address::from_bits(word.bits).object.kind() {
                    ObjectKind::Function(index) if word.is_defined() => {
                        self.system.program.function_object(index)?
                    }
                    _ => return None,
                }
            }
        };
        match target {
            Target::Builtin(id) => Some(Builtin::from_id(id)),
            _ => None,
        }
    }

    /// Whether the thread is in one of the libraries' operations, and not in the program's own code called from there.
    fn is_in_operation(&self, thread: &Thread) -> bool {
        let function = |frame: &Id| FrameImage::decode(self.system.store.get(*frame)).function;
        let functions = thread.frames.iter().rev().map(function);
        let mut inside = functions.take_while(|id| !self.system.own[id.0 as usize]);
        inside.any(|id| self.system.operations[id.0 as usize].is_some())
    }
}

/// Calls `f` with the key of each section that counts as open in a stored state, in a fixed order.
/// With [`Draining::Always`] only the sections of drained states count (see [`crate::memory_model`]).
pub fn open_in(sections: &mut Sections<'_>, state: &[u8], mut f: impl FnMut(Key)) {
    let options = &sections.system.options;
    if sections.system.draining() == Draining::Always && !crate::state::encoding::is_drained(state)
    {
        return;
    }
    if options.program_is_section && crate::state::encoding::stored_threads(state).is_some() {
        f(Key::PROGRAM);
    }
    all_open_in(sections, state, f);
}

/// Whether any section is open in a stored state, whether or not that counts.
pub fn any_open_in(sections: &mut Sections<'_>, state: &[u8]) -> bool {
    let mut any = false;
    all_open_in(sections, state, |_| any = true);
    any
}

fn all_open_in(sections: &mut Sections<'_>, state: &[u8], mut f: impl FnMut(Key)) {
    let Some(threads) = crate::state::encoding::stored_threads(state) else {
        return;
    };
    match sections.system.options.hangs {
        Hangs::Off => {}
        Hangs::Global => f(Key::PROGRAM),
        Hangs::Local(_) => {
            for (number, stored) in threads.enumerate() {
                sections.for_each(number as u32, stored, &mut f);
            }
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

    #[test]
    fn sets_of_types() {
        let set: SectionTypes = [SectionType::Join, SectionType::User].into_iter().collect();
        assert!(set.has(SectionType::Join) && set.has(SectionType::User));
        assert!(!set.has(SectionType::Mutex));
        assert!(!SectionTypes::USUAL.has(SectionType::Thread));
        assert!(SectionTypes::USUAL.has(SectionType::User));
    }
}
