//! What builtins access of the memory that their arguments point to: one row for each access.
//!
//! The machine observes the accesses by these rows (`Machine::access`), and a test makes programs
//! from them in which two threads make each pair of accesses at the same place: a row that a
//! builtin does not observe fails it. A builtin that accesses memory without a row panics. What
//! only some calls access (the result of a join, once the thread has ended) is observed by those.

use crate::state::memory::Access;

/// What a `struct timespec` takes.
pub const TIME_BYTES: u64 = 16;

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

    /// Returns the access, made only if the argument is not null.
    pub const fn unless_null(self) -> ArgumentAccess {
        ArgumentAccess {
            optional: true,
            ..self
        }
    }
}

/// Returns a read of `bytes` bytes.
pub const fn reads(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Bytes(bytes), Access::Read)
}

/// Returns a write of `bytes` bytes.
pub const fn writes(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Bytes(bytes), Access::Write)
}

/// Returns a read of as many bytes as another argument says.
pub const fn reads_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Argument(count), Access::Read)
}

/// Returns a write of as many bytes as another argument says.
pub const fn writes_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Argument(count), Access::Write)
}

/// Returns a write of an address.
pub const fn writes_pointer(argument: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Pointer, Access::Write)
}

/// Returns the release of a block, unless the argument is null.
pub const fn frees(argument: usize) -> ArgumentAccess {
    ArgumentAccess::new(argument, Extent::Block, Access::Write).unless_null()
}

/// Returns an operation on a synchronisation object of `bytes` bytes.
pub const fn synchronises(argument: usize, bytes: u64) -> ArgumentAccess {
    ArgumentAccess {
        atomic: true,
        ..writes(argument, bytes)
    }
}

/// Returns an atomic load of as many bytes as another argument says.
pub const fn loads_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess {
        atomic: true,
        ..reads_as_many(argument, count)
    }
}

/// Returns an atomic store or read-modify-write of as many bytes as another argument says.
pub const fn updates_as_many(argument: usize, count: usize) -> ArgumentAccess {
    ArgumentAccess {
        atomic: true,
        ..writes_as_many(argument, count)
    }
}
