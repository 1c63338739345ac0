//! Functions that the machine implements itself: allocation, threads and synchronisation, choices, and the world outside.
//!
//! Each is one step or a few, with blocking that can be seen. A builtin either completes or has no effect; what it may halt for
//! ([`crate::fault::Halt`]) it asks for before its first effect.

pub mod access;
mod choice;
mod condition;
mod drain;
pub use drain::Drains;
mod jump;
mod lock;
mod memory;
mod mutex;
mod process;
mod room;
mod section;
mod semaphore;
mod signal;
mod sync;
pub use sync::thread_name;
mod threads;
mod unwind;
mod watch;
mod world;

use crate::fault::Result;
use crate::machine::{Machine, Stop};
use crate::section::SectionType;
use access::ArgumentAccess;
use impasse_program::link::BuiltinId;
use impasse_program::word::Word;
use std::collections::HashMap;
use std::sync::OnceLock;

/// What a builtin did.
pub enum Returned {
    /// It returns nothing.
    Nothing,
    /// It returns a word.
    Word(Word),
    /// It returns a word, and the step ends behind the call.
    Last(Word),
    /// It has set the cursor itself.
    Moved,
    /// The run ends here, at the call.
    Stop(Stop),
}

impl Returned {
    /// It returns a number.
    pub fn number(number: i64, width: u32) -> Result<Returned> {
        Ok(Returned::Word(crate::interpret::number(
            number as u64,
            width,
        )))
    }

    /// It returns an `int`.
    pub fn int(number: i32) -> Result<Returned> {
        Returned::number(number as i64, 32)
    }
}

/// The code of a builtin.
pub type Code = for<'s> fn(&mut Machine<'s>, &[Word]) -> Result<Returned>;

/// A function of the machine.
pub struct Builtin {
    pub(crate) name: &'static str,
    parameters: usize,
    code: Code,
    waits: Option<SectionType>,
    interrupted: bool,
    accesses: &'static [ArgumentAccess],
}

impl Builtin {
    /// A builtin with so many parameters, each one word.
    pub const fn new(name: &'static str, parameters: usize, code: Code) -> Builtin {
        Builtin {
            name,
            parameters,
            code,
            waits: None,
            interrupted: false,
            accesses: &[],
        }
    }

    /// The same, which may block: whoever rests before it is in a section of this type.
    const fn waiting(self, kind: SectionType) -> Builtin {
        Builtin {
            waits: Some(kind),
            ..self
        }
    }

    /// The same, which fails if a signal interrupts it.
    const fn interrupted(self) -> Builtin {
        Builtin {
            interrupted: true,
            ..self
        }
    }

    /// The same, which makes these accesses.
    const fn accessing(self, accesses: &'static [ArgumentAccess]) -> Builtin {
        Builtin { accesses, ..self }
    }

    /// What it accesses of the memory that its arguments point to.
    pub fn accesses(&self) -> &'static [ArgumentAccess] {
        self.accesses
    }

    /// Whether it fails if a signal interrupts it.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// The type of section that whoever rests before it is in.
    pub fn waits(&self) -> Option<SectionType> {
        self.waits
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many words it takes.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Runs it.
    #[inline]
    pub fn call(&self, machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
        (self.code)(machine, arguments)
    }

    /// The builtin with a number.
    #[inline]
    pub fn from_id(id: BuiltinId) -> &'static Builtin {
        let (group, index) = (id.0 >> 8, id.0 & 0xff);
        &GROUPS[group as usize].builtins[index as usize]
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Builtin> {
        GROUPS.iter().flat_map(|group| group.builtins)
    }

    /// Whether what it does is right where addresses, and `long`, take four bytes.
    pub fn takes_short_pointers(id: BuiltinId) -> bool {
        GROUPS[(id.0 >> 8) as usize].short
    }

    /// The number of the builtin with a name.
    pub fn find(name: &str) -> Option<BuiltinId> {
        static NAMES: OnceLock<HashMap<&'static str, BuiltinId>> = OnceLock::new();
        let names = NAMES.get_or_init(|| {
            let groups = GROUPS.iter().enumerate();
            let all = groups.flat_map(|(g, group)| {
                let entries = group.builtins.iter().enumerate();
                entries.map(move |(i, b)| (b.name, BuiltinId((g as u16) << 8 | i as u16)))
            });
            all.collect()
        });
        names.get(name).copied()
    }
}

/// The builtins of a file.
struct Group {
    builtins: &'static [Builtin],
    /// Whether they look at nothing that has another layout where addresses, and `long`, take four bytes.
    short: bool,
}

impl Group {
    const fn short(self) -> Group {
        Group {
            short: true,
            ..self
        }
    }
}

const fn plain(builtins: &'static [Builtin]) -> Group {
    Group {
        builtins,
        short: false,
    }
}

const GROUPS: &[Group] = &[
    plain(memory::BUILTINS).short(),
    plain(mutex::BUILTINS),
    plain(condition::BUILTINS),
    plain(lock::BUILTINS).short(),
    plain(semaphore::BUILTINS),
    plain(threads::BUILTINS),
    plain(threads::QUESTIONS).short(),
    plain(choice::BUILTINS).short(),
    plain(process::BUILTINS).short(),
    plain(unwind::BUILTINS),
    plain(jump::BUILTINS),
    plain(world::CLOCKS),
    plain(world::BUILTINS).short(),
    plain(section::BUILTINS).short(),
    plain(watch::BUILTINS),
    plain(signal::BUILTINS),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        for Group { builtins, .. } in GROUPS {
            assert!(builtins.len() <= 256);
            for builtin in *builtins {
                let id = Builtin::find(builtin.name).expect("its own name");
                assert_eq!(Builtin::from_id(id).name, builtin.name);
            }
        }
    }
}
