//! Which errors of the machine the user's rules suppress.

use crate::base::fault::{CodePlace, ErrorKind, Fault};
use crate::base::suppression::{Subject, Suppressed};
use crate::machine::Machine;
use crate::machine::system::System;
use crate::state::canonical::Leak;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Which accesses rules name, as far as it was asked.
#[derive(Default)]
pub(crate) struct RelaxedAccesses {
    /// By place, global variable, and whether several threads were alive.
    known: RefCell<FxHashMap<(CodePlace, ObjectId, bool), bool>>,
}

/// What is said of hangs that a rule suppresses.
pub(crate) const NEVER_ENDS: &str = "what waits or runs here need not end";

impl Machine<'_> {
    /// Returns whether a rule makes a load or store of the present instruction a relaxed atomic
    /// one, and notes it then.
    #[inline]
    pub(crate) fn is_relaxed(&self, scalar: Scalar, address: Word) -> bool {
        self.system.relaxes && scalar.words() == 1 && self.is_named_by_rule(address)
    }

    fn is_named_by_rule(&self, address: Word) -> bool {
        let object = Address::from_bits(address.bits).object;
        let global = match object.kind() {
            ObjectKind::Global(_) => object,
            _ => ObjectId::dynamic(0),
        };
        let concurrent = self.memory.concurrent;
        let place = self.place();
        let key = (place, global, concurrent);
        if let Some(&known) = self.relaxed.known.borrow().get(&key) {
            return known;
        }
        let relaxed = self.system.relaxes_access(place, global, concurrent);
        self.relaxed.known.borrow_mut().insert(key, relaxed);
        relaxed
    }

    /// Returns whether a rule suppresses a leak, by the place where the memory was allocated or
    /// where it is lost, and notes it then.
    pub(crate) fn suppresses_leak(&self, leak: &Leak) -> bool {
        let kind = ErrorKind::MemoryLeak;
        if !self.options.suppressions.concern(|it| it == kind) {
            return false;
        }
        let what = format!("nothing refers any more to {}", leak.description);
        let at = |stack: &[CodePlace]| self.system.suppresses_at(kind, stack, &what);
        leak.origin.is_some_and(|origin| at(&[origin])) || at(&self.frames_of(self.running))
    }
}

/// The source of a stack: the names of its functions, and its innermost own place.
struct Source {
    functions: Vec<String>,
    place: (String, u32),
}

impl System {
    /// Whether a rule makes an access at a place a relaxed one. It is noted if others may race with
    /// it.
    fn relaxes_access(&self, place: CodePlace, object: ObjectId, concurrent: bool) -> bool {
        let source = self.source_of(&[place]);
        let global = match object.kind() {
            ObjectKind::Global(number) => self.program.globals().get(number as usize),
            _ => None,
        };
        let names = global.map(|global| [global.name.as_str(), global.display_name.as_str()]);
        let names = names.as_ref().map_or(&[][..], |names| names.as_slice());
        let kind = ErrorKind::DataRace;
        let Some(suppressed) = self.find_suppressed(kind, &source, names) else {
            return false;
        };
        if concurrent {
            let of = global.map(|global| format!(" to {}", global.display_name));
            let of = of.unwrap_or_default();
            let what = format!("accesses{of} count as relaxed atomic ones");
            self.options.suppressions.note(suppressed, &what);
        }
        true
    }

    /// What a rule suppresses of an error of this kind, if one does.
    fn find_suppressed(
        &self,
        kind: ErrorKind,
        source: &Source,
        variables: &[&str],
    ) -> Option<Suppressed> {
        let functions: Vec<&str> = source.functions.iter().map(String::as_str).collect();
        let (file, line) = (source.place.0.as_str(), source.place.1);
        let rule = self.options.suppressions.find(Subject {
            kind,
            functions: &functions,
            places: &[(file, line)],
            variables,
        })?;
        Some(Suppressed {
            file: file.into(),
            line,
            kind,
            rule,
        })
    }

    /// Returns whether a rule suppresses an error, and notes it then. A deadlock is suppressed if
    /// each thread is blocked where a rule says.
    pub fn suppresses(&self, fault: &Fault) -> bool {
        let suppressions = &self.options.suppressions;
        if suppressions.rules().is_empty() {
            return false;
        }
        match fault.kind {
            // What follows a race means nothing: its accesses are relaxed, or it is reported.
            ErrorKind::DataRace => false,
            ErrorKind::Hang => {
                let mut stacks = fault.stacks.iter();
                stacks.all(|stack| self.suppresses_at(fault.kind, &stack.frames, NEVER_ENDS))
            }
            _ => {
                let stack = fault.stacks.first();
                let frames = stack.map_or(&[][..], |stack| stack.frames.as_slice());
                self.suppresses_at(fault.kind, frames, &fault.message)
            }
        }
    }

    /// Returns whether a rule suppresses an error of a thread with this stack, innermost frame
    /// first, and notes it then.
    pub fn suppresses_at(&self, kind: ErrorKind, stack: &[CodePlace], what: &str) -> bool {
        let suppressions = &self.options.suppressions;
        if !suppressions.concern(|it| it == kind) {
            return false;
        }
        let is_part = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '"' | '`');
        let variables: Vec<&str> = what.split(is_part).collect();
        let found = self.find_suppressed(kind, &self.source_of(stack), &variables);
        if let Some(suppressed) = &found {
            suppressions.note(suppressed.clone(), what);
        }
        found.is_some()
    }

    /// The place is that of the innermost frame in the program's own files; none if there is none.
    fn source_of(&self, stack: &[CodePlace]) -> Source {
        let mut functions = Vec::new();
        let mut place = None;
        for at in stack {
            let info = self.program.info(at.function);
            functions.extend([info.name.clone(), info.display_name.clone()]);
            for location in self.program.location(at.function, at.position) {
                let own =
                    self.program.is_users(info.unit) && !location.file.starts_with("/library/");
                if own && location.line > 0 && place.is_none() {
                    place = Some((location.file, location.line));
                }
                functions.push(location.function);
            }
        }
        Source {
            functions,
            place: place.unwrap_or_default(),
        }
    }
}
