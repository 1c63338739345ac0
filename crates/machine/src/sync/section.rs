//! What threads hold: locks, and the sections that a program marks itself (`impasse/section.h`).

use crate::base::fault::{ErrorKind, Result, error};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::record::Action;
use crate::state::section::Section;
use crate::state::thread::{Held, HeldKind};
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_section_begin", 2, begin),
    Builtin::new("__impasse_section_end", 2, end),
];

/// The kinds of sections as the header numbers them.
fn kind_of(number: Word) -> Result<HeldKind> {
    match number.bits as u32 {
        0 => Ok(HeldKind::Exclusive),
        1 => Ok(HeldKind::Event),
        2 => Ok(HeldKind::Function),
        n => error(
            ErrorKind::InvalidCall,
            format!("marks a section of kind {n}"),
        ),
    }
}

fn begin(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let kind = kind_of(arguments[0])?;
    match kind {
        HeldKind::Function => {
            let frame = machine.frame_count() as u32 - 1;
            machine.begin(Held {
                kind,
                address: Address::of(ObjectId::NULL),
                frame,
            });
        }
        _ => machine.hold(kind, arguments[1]),
    }
    machine.note_operation(|m| match kind {
        HeldKind::Exclusive => format!("begins a section on {}", m.name_of(arguments[1])),
        HeldKind::Event => format!("begins to wait for {}", m.name_of(arguments[1])),
        _ => "enters a function that must return".into(),
    });
    Ok(Returned::Nothing)
}

fn end(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let kind = kind_of(arguments[0])?;
    let ended = match kind {
        HeldKind::Function => machine.give_up_at(kind, Address::of(ObjectId::NULL)),
        HeldKind::Exclusive => {
            machine.give_up(kind, arguments[1]) || machine.give_up_for_others(kind, arguments[1])
        }
        _ => machine.give_up(kind, arguments[1]),
    };
    if !ended {
        let name = machine.name_of(arguments[1]);
        return error(
            ErrorKind::InvalidCall,
            format!("ends a section on {name} that was not begun"),
        );
    }
    machine.note_operation(|m| match kind {
        HeldKind::Exclusive => format!("ends the section on {}", m.name_of(arguments[1])),
        HeldKind::Event => format!("need not wait for {} any more", m.name_of(arguments[1])),
        _ => "returns from a function that must return".into(),
    });
    Ok(Returned::Nothing)
}

impl Machine<'_> {
    /// The running thread holds something from now on.
    pub(crate) fn hold(&mut self, kind: HeldKind, address: Word) {
        self.hold_at(kind, Address::from_bits(address.bits));
    }

    /// Begins to hold something at an address, as `hold` does.
    pub fn hold_at(&mut self, kind: HeldKind, address: Address) {
        self.begin(Held {
            kind,
            address,
            frame: 0,
        });
    }

    /// The running thread begins to hold something, which is noted if anything is.
    fn begin(&mut self, held: Held) {
        let slot = self.thread().hold(held);
        if self.observer.notes_events() {
            self.note(Action::Begin { slot: slot as u32 });
        }
    }

    /// Gives up a lock of the library. Fails if the running thread does not hold it: C++ demands
    /// that, and the library itself does not check.
    pub fn give_up_library_lock(&mut self, kind: HeldKind, lock: Word) -> Result<()> {
        if self.give_up(kind, lock) {
            self.note_operation(|m| format!("unlocks {}", m.name_of(lock)));
            return Ok(());
        }
        // What was locked by a number has no address here.
        if !lock.pointer {
            return Ok(());
        }
        let what = match kind {
            HeldKind::ReadLock => "shared mutex",
            _ => "mutex",
        };
        let holder = self
            .holders(kind, lock)
            .first()
            .map_or(0, |holder| holder + 1);
        self.not_held(what, lock, holder)
    }

    /// Notes that the running thread holds a lock of the library from now on.
    pub fn hold_library_lock(&mut self, kind: HeldKind, lock: Address) {
        self.hold_at(kind, lock);
        self.note_operation(|m| {
            let name = m.name_of(Word::pointer(lock.bits()));
            match kind {
                HeldKind::ReadLock => format!("locks {name} for reading"),
                HeldKind::WriteLock => format!("locks {name} for writing"),
                _ => format!("locks {name}"),
            }
        });
    }

    /// The running thread gives something up; false if it does not hold it.
    pub(crate) fn give_up(&mut self, kind: HeldKind, address: Word) -> bool {
        self.give_up_at(kind, Address::from_bits(address.bits))
    }

    fn give_up_at(&mut self, kind: HeldKind, address: Address) -> bool {
        let Some(slot) = self.thread().slot_of(kind, address) else {
            return false;
        };
        self.give_up_slot(self.running, slot);
        true
    }

    /// Gives up what another thread holds.
    fn give_up_for_others(&mut self, kind: HeldKind, address: Word) -> bool {
        let address = Address::from_bits(address.bits);
        let slot = |n: usize| self.threads[n].slot_of(kind, address);
        let found = (0..self.threads.len()).find_map(|n| Some((n, slot(n)?)));
        if let Some((thread, slot)) = found {
            self.give_up_slot(thread, slot);
        }
        found.is_some()
    }

    /// Empties a slot of what a thread holds, and ends the section.
    pub fn give_up_slot(&mut self, thread: usize, slot: usize) {
        let held = self.threads[thread].give_up(slot);
        if let Some(kind) = held.and_then(|held| held.kind.section_type()) {
            let ended = Section::Held {
                thread: thread as u32,
                kind,
                slot: slot as u32,
            };
            self.effects.end_section(ended.key());
        }
    }

    /// Notes that the running thread has entered an operation of a library.
    pub fn begin_operation(&mut self, kind: SectionType, first: Option<Word>) {
        let first = first.filter(|word| word.pointer);
        let address = Address::from_bits(first.map_or(0, |word| word.bits));
        let frame = self.frame_count() as u32 - 1;
        let is_its_caller = |held: &Held| {
            matches!(held.kind, HeldKind::Operation(_))
                && held.frame + 1 == frame
                && held.address == address
        };
        if self.thread().held.iter().flatten().any(is_its_caller) {
            return;
        }
        self.begin(Held {
            kind: HeldKind::Operation(kind),
            address,
            frame,
        });
    }

    /// Ends the operations of frames inside of frame `index`, which are gone. Returns the address
    /// that the last of them was about, or `None` if that is unknown.
    pub fn end_operations_inside(&mut self, index: usize) -> Option<Address> {
        let mut last = None;
        while let Some(slot) = self.thread().operation_inside(index) {
            last = self.threads[self.running].held[slot].map(|held| held.address);
            self.give_up_slot(self.running, slot);
            self.thread().stop_watching();
        }
        last.filter(|address| address.bits() != 0)
    }

    /// Ends all functions that had to return, and all operations: all frames of the running thread
    /// are left.
    pub fn end_all_functions(&mut self) {
        let running = self.running;
        for slot in (0..self.threads[running].held.len()).rev() {
            let bound =
                |held: Held| matches!(held.kind, HeldKind::Function | HeldKind::Operation(_));
            let held = self.threads[running].held.get(slot).copied().flatten();
            if held.is_some_and(bound) {
                self.give_up_slot(running, slot);
            }
        }
        self.thread().stop_watching();
    }

    /// Ends the functions that had to return, and the operations, of frames inside of frame
    /// `index`, which were left by an exception or a jump.
    pub fn end_functions_inside(&mut self, index: usize) {
        self.end_operations_inside(index);
        let running = self.running;
        for slot in (0..self.threads[running].held.len()).rev() {
            let inside =
                |held: Held| held.kind == HeldKind::Function && held.frame as usize > index;
            let held = self.threads[running].held.get(slot).copied().flatten();
            if held.is_some_and(inside) {
                self.give_up_slot(running, slot);
            }
        }
    }

    /// The threads that hold something, by number.
    pub(crate) fn holders(&self, kind: HeldKind, address: Word) -> Vec<u32> {
        let address = Address::from_bits(address.bits);
        let threads = self.threads.iter().enumerate();
        threads
            .filter(|(_, thread)| thread.slot_of(kind, address).is_some())
            .map(|(n, _)| n as u32)
            .collect()
    }
}
