//! A builtin: a function that the machine implements itself. The builtins are in [`crate::sync`]
//! and [`crate::builtin`].

mod access;

pub use access::{ArgumentAccess, Extent, TIME_BYTES};
pub use access::{
    frees, loads_as_many, reads, reads_as_many, synchronises, updates_as_many, writes,
    writes_as_many, writes_pointer,
};

use crate::base::fault::Result;
use crate::base::section_type::SectionType;
use crate::machine::{Machine, Stop};
use impasse_program::word::{Word, mask};

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
    /// Returns a number of `width` bits from a builtin. Never fails.
    pub fn number(number: i64, width: u32) -> Result<Returned> {
        Ok(Returned::Word(Word::number(number as u64 & mask(width))))
    }

    /// Returns an `int` from a builtin. Never fails.
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
    /// Returns a builtin with `parameters` parameters, each one word.
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

    /// Returns the builtin as one that may block: a thread at a scheduling point before it is in a
    /// section of this type.
    pub const fn waiting(self, kind: SectionType) -> Builtin {
        Builtin {
            waits: Some(kind),
            ..self
        }
    }

    /// Returns the builtin as one that fails if a signal interrupts it.
    pub const fn interrupted(self) -> Builtin {
        Builtin {
            interrupted: true,
            ..self
        }
    }

    /// Returns the builtin as one that makes these accesses.
    pub const fn accessing(self, accesses: &'static [ArgumentAccess]) -> Builtin {
        Builtin { accesses, ..self }
    }

    /// Returns the accesses to memory that its arguments point to.
    pub fn accesses(&self) -> &'static [ArgumentAccess] {
        self.accesses
    }

    /// Returns whether it fails if a signal interrupts it.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Returns the type of section that a thread at a scheduling point before it is in, or `None`
    /// if it never blocks.
    pub fn waits(&self) -> Option<SectionType> {
        self.waits
    }

    /// Returns the name by which programs call it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of words that it takes.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Executes the builtin for the running thread. Fails before its first effect if it halts.
    #[inline]
    pub fn call(&self, machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
        (self.code)(machine, arguments)
    }
}
