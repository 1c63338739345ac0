//! What builtins access of the memory that their arguments point to: one row for each access.
//!
//! The machine observes the accesses by these rows (`Machine::access`), and a test makes programs
//! from them in which two threads make each pair of accesses at the same place: a row that a
//! builtin does not observe fails it. A builtin that accesses memory without a row panics. What
//! only some calls access (the result of a join, once the thread has ended) is observed by those.

use crate::fault::Result;
use crate::machine::Machine;
use crate::memory::{Access, Spot};
use crate::model::Route;
use impasse_program::word::Word;

/// What a `struct timespec` takes.
pub(super) const TIME_BYTES: u64 = 16;

/// How many bytes an access takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// So many.
    Bytes(u64),
    /// Those of an address.
    Pointer,
    /// As many as the argument with this index says.
    Argument(usize),
    /// The whole block that was allocated.
    Block,
}

/// An access to the memory that an argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentAccess {
    /// The index of the argument.
    pub argument: usize,
    /// How many bytes, beginning where it points to.
    pub extent: Extent,
    /// Reads or writes.
    pub access: Access,
    /// Whether it is atomic: it races with no other atomic access.
    pub atomic: bool,
    /// Whether the argument may be null, for no access.
    pub optional: bool,
}

impl ArgumentAccess {
    const fn new(argument: usize, extent: Extent, access: Access) -> ArgumentAccess {
        ArgumentAccess {
            argument,
            extent,
            access,
            atomic: false,
            optional: false,
        }
    }

    /// The same, unless the argument is null.
    pub const fn unless_null(self) -> ArgumentAccess {
        ArgumentAccess {
            optional: true,
            ..self
        }
    }
}

/// Reads so many bytes.
pub const fn reads(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Bytes(bytes), Access::Read)
}

/// Writes so many bytes.
pub const fn writes(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Bytes(bytes), Access::Write)
}

/// Reads as many bytes as another argument says.
pub const fn reads_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Argument(count), Access::Read)
}

/// Writes as many bytes as another argument says.
pub const fn writes_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Argument(count), Access::Write)
}

/// Writes an address.
pub const fn writes_pointer(argument: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Pointer, Access::Write)
}

/// Frees a block.
pub const fn frees(argument: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Block, Access::Write).unless_null()
}

/// Operates on an object that threads synchronise by.
pub const fn synchronises(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess {
        atomic: true,
        ..writes(argument, bytes)
    }
}

impl Machine<'_> {
    /// Observes what the running builtin does with the memory that one of its arguments points to,
    /// as one action with its other accesses, and checks that the memory is there.
    pub(super) fn access(&mut self, argument: usize, pointer: Word) -> Result<Spot> {
        let bytes = match self.row(argument).extent {
            Extent::Bytes(bytes) => bytes,
            Extent::Pointer => u64::from(self.program.pointer().bytes()),
            Extent::Argument(_) | Extent::Block => unreachable!("the builtin knows how many"),
        };
        self.access_bytes(argument, pointer, bytes)
    }

    /// The same, unless the argument is null.
    pub(super) fn access_unless_null(
        &mut self,
        argument: usize,
        pointer: Word,
    ) -> Result<Option<Spot>> {
        debug_assert!(self.row(argument).optional);
        if pointer.bits == 0 && pointer.is_defined() {
            return Ok(None);
        }
        self.access(argument, pointer).map(Some)
    }

    /// The same for so many bytes.
    pub(super) fn access_bytes(
        &mut self,
        argument: usize,
        pointer: Word,
        bytes: u64,
    ) -> Result<Spot> {
        let row = self.row(argument);
        let address = self.memory.address(pointer)?;
        let route = match self.keeps_buffer {
            true => Route::Forwarded,
            false => Route::Direct,
        };
        self.observe_also(route, address, bytes, row.access, row.atomic)?;
        self.memory.check(pointer, address, bytes, row.access)
    }

    /// Stores a number where one of the running builtin's arguments points to, as the program
    /// would: by way of the store buffer.
    pub(super) fn store_number(
        &mut self,
        argument: usize,
        pointer: Word,
        number: u32,
    ) -> Result<()> {
        self.access(argument, pointer)?;
        self.set_field(pointer, 0, number)
    }

    /// What the running builtin does with an argument.
    fn row(&self, argument: usize) -> ArgumentAccess {
        let builtin = self.builtin.expect("a builtin runs");
        let mut rows = builtin.accesses().iter();
        let row = rows.find(|row| row.argument == argument);
        *row.unwrap_or_else(|| panic!("{} lists no such access", builtin.name()))
    }
}
