//! How a builtin accesses the memory that its arguments point to.

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, Extent};
use crate::machine::route::Route;
use crate::state::memory::{Access, Spot};
use impasse_program::word::Word;

impl Machine<'_> {
    /// Observes what the running builtin does with the memory that one of its arguments points to,
    /// as one action with its other accesses, and checks that the memory is there.
    pub(crate) fn access(&mut self, argument: usize, pointer: Word) -> Result<Spot> {
        let bytes = match self.row(argument).extent {
            Extent::Bytes(bytes) => bytes,
            Extent::Pointer => u64::from(self.program.pointer().bytes()),
            Extent::Argument(_) | Extent::Block => unreachable!("the builtin knows how many"),
        };
        self.access_bytes(argument, pointer, bytes)
    }

    /// The same for a builtin that, as it finds the memory, only reads it.
    pub(crate) fn access_reading(&mut self, argument: usize, pointer: Word) -> Result<Spot> {
        let row = ArgumentAccess {
            access: Access::Read,
            ..self.row(argument)
        };
        let Extent::Bytes(bytes) = row.extent else {
            unreachable!("the builtin knows how many");
        };
        self.access_row(&row, pointer, bytes)
    }

    /// The same, unless the argument is null.
    pub(crate) fn access_unless_null(
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
    pub(crate) fn access_bytes(
        &mut self,
        argument: usize,
        pointer: Word,
        bytes: u64,
    ) -> Result<Spot> {
        let row = self.row(argument);
        self.access_row(&row, pointer, bytes)
    }

    fn access_row(&mut self, row: &ArgumentAccess, pointer: Word, bytes: u64) -> Result<Spot> {
        let address = self.memory.address(pointer)?;
        let route = match self.call.delays() {
            true => Route::Forwarded,
            false => Route::Direct,
        };
        self.observe_also(route, address, bytes, row.access, row.atomic)?;
        self.memory.check(pointer, address, bytes, row.access)
    }

    /// Stores a number where one of the running builtin's arguments points to, as the program
    /// would: by way of the store buffer.
    pub(crate) fn store_number(
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
        let builtin = self.call.builtin().expect("a builtin runs");
        let mut rows = builtin.accesses().iter();
        let row = rows.find(|row| row.argument == argument);
        *row.unwrap_or_else(|| panic!("{} lists no such access", builtin.name()))
    }
}
