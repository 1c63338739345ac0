//! Fields of synchronisation objects in the program's memory.

use crate::base::fault::{ErrorKind, Result, error};
use crate::exec::interpret::add_to_address;
use crate::machine::Machine;
use crate::machine::names::SubobjectSelector;
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::state::happens_before::Message;
use crate::state::memory::{Access, Spot};
use crate::state::thread::HeldKind;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

const FIELD: Scalar = Scalar::Integer(32);

/// What a destroyed object holds in its field of status.
pub const DESTROYED: u32 = 0xdead;

impl Machine<'_> {
    /// Returns the 32-bit field at an offset, in bytes, of a checked object. `what` names the kind
    /// of the object. Fails if the field is undefined or cannot be read.
    pub fn field(&mut self, object: Word, offset: i64, what: &str) -> Result<u32> {
        let word = add_to_address(object, offset);
        let spot = self.memory.resolve(word, 4, Access::Read)?;
        let value = self.model().peek(self, FIELD, spot).low;
        if !value.is_defined() {
            let address = Address::from_bits(object.bits);
            let name = self.memory.describe_subobject(address, 0);
            return error(
                ErrorKind::MutexMisuse,
                format!("uses the {what} {name}, which was never initialised"),
            );
        }
        Ok(value.bits as u32)
    }

    /// Writes the 32-bit field at an offset, in bytes, of a checked object. Fails if it cannot be
    /// written.
    pub fn set_field(&mut self, object: Word, offset: i64, number: u32) -> Result<()> {
        let word = add_to_address(object, offset);
        let spot = self.memory.resolve(word, 4, Access::Write)?;
        if self.puts_into_buffer(word, 4)? {
            let bytes = number.to_le_bytes();
            return self.model().store_bytes(self, spot, &bytes);
        }
        self.store_checked(FIELD, spot, Value::one(Word::number(number as u64)));
        Ok(())
    }

    /// Fails if a checked object, which has its status at 8, was destroyed or never initialised.
    pub(crate) fn usable(&mut self, object: Word, what: &str) -> Result<()> {
        match self.field(object, 8, what)? {
            DESTROYED => self.destroyed(object, what),
            _ => Ok(()),
        }
    }

    /// Fails because an object was destroyed.
    #[cold]
    pub(crate) fn destroyed<T>(&self, object: Word, what: &str) -> Result<T> {
        let name = self.name_of(object);
        error(
            ErrorKind::MutexMisuse,
            format!("uses the {what} {name}, which was destroyed"),
        )
    }

    /// The thread that holds a lock which is about to be initialised. `number` is where the lock
    /// keeps its owner's mark, or how many readers there are: memory that was a lock before, and
    /// something else since, is held by none.
    fn holder_before(&mut self, kind: HeldKind, lock: Word, number: i64) -> Result<Option<u32>> {
        let word = add_to_address(lock, number);
        let spot = self.memory.resolve(word, 4, Access::Read)?;
        let number = self.model().peek(self, FIELD, spot).low;
        if !number.is_defined() || number.bits == 0 {
            return Ok(None);
        }
        let is_it = |holder: &u32| kind == HeldKind::ReadLock || *holder as u64 + 1 == number.bits;
        Ok(self.holders(kind, lock).into_iter().find(is_it))
    }

    /// Whether what the running builtin stores goes to the store buffer.
    pub(crate) fn puts_into_buffer(&self, to: Word, bytes: u64) -> Result<bool> {
        let address = self.memory.address(to)?;
        Ok(self.call.delays()
            && self.model().route_of_store(self, address, bytes, false) == Route::Delayed
            && self.memory.is_visible(address.object))
    }

    /// Initialises the running builtin's object of so many bytes, with a number at an offset and
    /// zeroes elsewhere: one store, of which nothing is in the store buffer before all of it is.
    pub(crate) fn initialise(
        &mut self,
        object: Word,
        bytes: u64,
        (offset, number): (usize, u32),
    ) -> Result<()> {
        let spot = self.access(0, object)?;
        self.write_initial(spot, object, bytes, (offset, number))
    }

    /// The same for a lock. Fails if a thread holds it: `marks` says where the lock notes that it
    /// is held, and how.
    pub(crate) fn initialise_lock(
        &mut self,
        (what, marks): (&str, &[(HeldKind, i64)]),
        lock: Word,
        bytes: u64,
        (offset, number): (usize, u32),
    ) -> Result<()> {
        let spot = self.access(0, lock)?;
        for &(kind, at) in marks {
            if let Some(holder) = self.holder_before(kind, lock, at)? {
                let (name, holder) = (self.name_of(lock), self.thread_name(holder));
                return error(
                    ErrorKind::MutexMisuse,
                    format!("initialises the {what} {name} again, which {holder} holds"),
                );
            }
        }
        self.write_initial(spot, lock, bytes, (offset, number))
    }

    /// The same, after the access.
    pub(crate) fn write_initial(
        &mut self,
        spot: Spot,
        object: Word,
        bytes: u64,
        (offset, number): (usize, u32),
    ) -> Result<()> {
        if self.puts_into_buffer(object, bytes)? {
            let mut contents = vec![0; bytes as usize];
            contents[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
            return self.model().store_bytes(self, spot, &contents);
        }
        self.memory.fill(spot, bytes as usize, Word::number(0));
        self.set_field(object, offset as i64, number)
    }

    /// Returns the name of an object, for messages.
    pub fn name_of(&self, object: Word) -> String {
        let address = Address::from_bits(object.bits);
        let name = self.name_with_object(address, SubobjectSelector::Innermost);
        // A static variable's guard stands for the variable.
        name.replacen("the initialisation of ", "", 1)
    }

    /// Returns the number by which the running thread marks what it owns.
    pub fn owner_mark(&self) -> u32 {
        self.running as u32 + 1
    }

    /// Notes an operation for the trace.
    pub fn note_operation(&mut self, text: impl FnOnce(&Self) -> String) {
        if self.observer.notes_events() {
            let text = text(self);
            self.note(Action::Operation { text });
        }
    }

    /// Notes an operation on an object for the trace, as the library's own if it is that.
    pub fn note_operation_on(&mut self, object: Word, text: impl FnOnce(&Self) -> String) {
        if self.observer.notes_events() {
            let action = Action::Operation { text: text(self) };
            let library = self.is_librarys_business(object).then(String::new);
            self.note_about(action, library, String::new());
        }
    }

    /// Returns whether an operation on an object is a detail of what a library does.
    pub fn is_librarys_business(&self, object: Word) -> bool {
        let address = Address::from_bits(object.bits);
        self.is_in_composed_operation() || self.is_of_library(address)
    }
}

/// Returns the message that a lock or the like at an address hands over.
pub fn message_of(object: Word) -> Message {
    Message::at(Address::from_bits(object.bits))
}
