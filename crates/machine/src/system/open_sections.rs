//! Which sections are open in a stored state.

use crate::base::fault::{CodePlace, ErrorKind};
use crate::base::hangs::Draining;
use crate::base::section_type::{SectionType, SectionTypes};
use crate::machine::builtin::Builtin;
use crate::machine::suppression::NEVER_ENDS;
use crate::machine::system::System;
use crate::state::encoding::{is_drained, stored_threads};
use crate::state::frame::{FrameImage, Stack};
use crate::state::section::{FORM, Section, THREAD, WAITING};
use crate::state::thread::{Thread, Wait};
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Callee, Instruction, Place, Position};
use impasse_program::link::Target;
use impasse_store::Id;
use impasse_transition_system::Key;
use smallvec::SmallVec;

/// For how many stored threads the sections are kept.
const REMEMBERED: usize = 4096;

/// Finds the sections that are open in stored threads, and keeps them: they depend on nothing else.
pub struct Sections<'s> {
    system: &'s System,
    /// By the number of the stored thread: the keys, as if the thread had the number 0.
    known: Vec<(u32, SmallVec<[Key; 2]>)>,
    /// Whether rules suppress hangs.
    suppresses: bool,
    stack: Stack<'s>,
}

impl<'s> Sections<'s> {
    /// Returns an empty cache of the open sections of stored threads.
    pub fn new(system: &'s System) -> Self {
        Sections {
            system,
            known: Vec::new(),
            suppresses: system
                .options
                .suppressions
                .concern(|kind| kind == ErrorKind::Hang),
            stack: Stack::default(),
        }
    }

    /// Calls `f` with the key of each section that is open in a thread with a number and a stored
    /// form: what it waits for first, then what it holds by slots.
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

    /// Returns what a thread with a number and a stored form waits for, or `None`.
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
        let types = self.system.options.hangs.section_types();
        if types == SectionTypes::NONE || self.is_suppressed(thread) {
            return open;
        }
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

    /// Whether a rule suppresses hangs of a thread where it is.
    fn is_suppressed(&self, thread: &Thread) -> bool {
        if !self.suppresses || !thread.is_alive() {
            return false;
        }
        let place = |stored: &Id| {
            let image = FrameImage::decode(self.system.store.get(*stored));
            CodePlace {
                function: image.function,
                position: Position(image.position),
            }
        };
        let stack: Vec<CodePlace> = thread.frames.iter().rev().map(place).collect();
        let system = self.system;
        system.suppresses_at(ErrorKind::Hang, &stack, NEVER_ENDS)
    }

    /// Whether a rule suppresses hangs of a thread of a stored state.
    fn is_any_suppressed(&self, state: &[u8]) -> bool {
        let thread = |stored| Thread::decode(self.system.store.get(stored));
        let mut threads = stored_threads(state).into_iter().flatten().map(thread);
        self.suppresses && threads.any(|thread| self.is_suppressed(&thread))
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

    /// The builtin that a thread stopped at.
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

    /// Whether the thread is in one of the libraries' operations, and not in the program's own code
    /// called from there.
    fn is_in_operation(&self, thread: &Thread) -> bool {
        let function = |frame: &Id| FrameImage::decode(self.system.store.get(*frame)).function;
        let functions = thread.frames.iter().rev().map(function);
        let mut inside = functions.take_while(|id| !self.system.own[id.0 as usize]);
        inside.any(|id| self.system.operations[id.0 as usize].is_some())
    }
}

/// Calls `f` with the key of each section that counts as open in a stored state, in a fixed order.
/// With [`Draining::Always`] only the sections of drained states count (see
/// [`crate::memory_model`]), and the program itself where its end is only noted.
pub fn open_in(sections: &mut Sections<'_>, state: &[u8], mut f: impl FnMut(Key)) {
    let options = &sections.system.options;
    if options.hangs.notes_program() && stored_threads(state).is_some() {
        f(Key::PROGRAM);
    }
    if sections.system.draining() == Draining::Always && !is_drained(state) {
        return;
    }
    all_open_in(sections, state, f);
}

/// Returns whether any section is open in a stored state, whether or not it counts.
pub fn any_open_in(sections: &mut Sections<'_>, state: &[u8]) -> bool {
    let mut any = false;
    all_open_in(sections, state, |_| any = true);
    any
}

fn all_open_in(sections: &mut Sections<'_>, state: &[u8], mut f: impl FnMut(Key)) {
    let Some(threads) = stored_threads(state) else {
        return;
    };
    let hangs = sections.system.options.hangs;
    if hangs.requires_program_end() && !sections.is_any_suppressed(state) {
        f(Key::PROGRAM);
    }
    if hangs.section_types() != SectionTypes::NONE {
        for (number, stored) in threads.enumerate() {
            sections.for_each(number as u32, stored, &mut f);
        }
    }
}
