//! Accesses of more than a word, which processors make in pieces, where others can see them half
//! done.
//!
//! Where data races are reported, a thread that could see that has a race, and one action is
//! enough. Elsewhere functions of the runtime (`pieces.c`) make the access, in ascending or in
//! descending order.

use super::Flow;
use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Scalar, Slot};
use impasse_program::word::Word;

/// What the runtime's functions take for an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    Ascending = 0,
    Descending = 1,
}

impl Pieces {
    /// Returns the order as the runtime's functions take it.
    pub fn word(self) -> Word {
        Word::number(self as u64)
    }
}

/// What a copy or a fill takes, as the runtime's functions do.
pub struct Copy {
    pub to: Word,
    pub from: Word,
    pub bytes: u64,
}

impl Machine<'_> {
    /// Whether another thread can see a long access half done without a data race.
    #[inline]
    fn makes_pieces(&self) -> bool {
        let races = self.options.races && self.options.reduces();
        (!races || self.interruptions.are_possible())
            && self.progress.has_scheduling_points()
            && self.threads[self.running].atomic == 0
    }

    /// Whether others, or a signal handler, can see accesses to an object.
    fn is_seen(&self, object: ObjectId) -> bool {
        self.memory.is_visible(object)
            || self.interruptions.are_possible() && self.memory.header(object).is_some()
    }

    /// Returns whether an access is made in pieces.
    #[inline]
    pub fn is_in_pieces(&self, address: Word, bytes: u64) -> bool {
        self.makes_pieces() && self.is_long(address, bytes)
    }

    #[cold]
    fn is_long(&self, address: Word, bytes: u64) -> bool {
        !self.is_piece(bytes) && self.is_seen(Address::from_bits(address.bits).object)
    }

    /// Whether a load or store of a scalar is made in pieces.
    #[inline]
    pub(super) fn is_scalar_in_pieces(&self, address: Word, scalar: Scalar) -> bool {
        scalar.words() == 2
            && self.program.ilp32().is_none()
            && self.is_in_pieces(address, u64::from(scalar.bytes()))
    }

    /// Returns whether a copy is made in pieces. A copy of one word is if other threads see both
    /// the read and the write.
    pub fn copies_in_pieces(&self, copy: &Copy) -> bool {
        if !self.makes_pieces() || self.program.ilp32().is_some() && self.is_piece(copy.bytes) {
            return false;
        }
        let seen = |word: Word| self.is_seen(Address::from_bits(word.bits).object);
        match self.is_piece(copy.bytes) {
            true => seen(copy.to) && seen(copy.from),
            false => seen(copy.to) || seen(copy.from),
        }
    }

    /// Whether processors access so many bytes at once.
    fn is_piece(&self, bytes: u64) -> bool {
        bytes.is_power_of_two() && bytes <= u64::from(self.program.pointer().bytes())
    }

    /// Returns the order of the pieces. Halts for the choice: call it before the instruction has
    /// any effect.
    pub fn order_of_pieces(&mut self, bytes: u64) -> Result<Pieces> {
        if self.is_piece(bytes) || self.choose(2, true)? == 0 {
            return Ok(Pieces::Ascending);
        }
        if self.observer.notes_events() {
            let text = "memory is copied or filled from its end to its start".into();
            self.note(Action::Choice { text });
        }
        Ok(Pieces::Descending)
    }

    /// Enters the function that copies in pieces, which returns to the next instruction. Fails if
    /// the stack is too deep.
    pub fn copy_in_pieces(&mut self, copy: &Copy, order: Pieces) -> Result<Flow> {
        self.calls();
        self.enter_copy(copy, order)
    }

    /// Pushes the function that copies in pieces on the stack. Fails if the stack is too deep.
    pub fn enter_copy(&mut self, copy: &Copy, order: Pieces) -> Result<Flow> {
        let bytes = Word::number(copy.bytes);
        let arguments = [copy.to, copy.from, bytes, order.word()];
        self.enter(self.system.pieces.copy, &arguments)?;
        Ok(Flow::Moved)
    }

    /// Enters the function that fills in pieces, which returns to the next instruction. Halts for
    /// the order, and fails if the stack is too deep.
    pub fn fill_in_pieces(&mut self, to: Word, value: Word, bytes: u64) -> Result<Flow> {
        let order = self.order_of_pieces(bytes)?;
        self.calls();
        let arguments = [to, value, Word::number(bytes), order.word()];
        self.enter(self.system.pieces.fill, &arguments)?;
        Ok(Flow::Moved)
    }

    /// The same for a load of a scalar of two words.
    #[cold]
    pub(super) fn load_in_pieces(&mut self, from: Word, scalar: Scalar) -> Result<Flow> {
        let bytes = u64::from(scalar.bytes());
        self.memory
            .resolve(from, bytes, crate::state::memory::Access::Read)?;
        let order = self.order_of_pieces(bytes)?;
        self.calls();
        let arguments = [from, Word::number(bytes), order.word()];
        self.enter(self.system.pieces.load, &arguments)?;
        Ok(Flow::Moved)
    }

    /// The same for a store.
    #[cold]
    pub(super) fn store_in_pieces(
        &mut self,
        to: Word,
        scalar: Scalar,
        value: Value,
    ) -> Result<Flow> {
        let bytes = u64::from(scalar.bytes());
        self.memory
            .resolve(to, bytes, crate::state::memory::Access::Write)?;
        let order = self.order_of_pieces(bytes)?;
        self.calls();
        let arguments = [to, value.low, value.high, Word::number(bytes), order.word()];
        self.enter(self.system.pieces.store, &arguments)?;
        Ok(Flow::Moved)
    }

    /// Assigns the result of a load in pieces.
    pub fn loaded_in_pieces(&mut self, destination: Slot, scalar: Scalar, words: &[Word]) {
        let [low, high] = *words else {
            unreachable!("the function returns two words");
        };
        let value = self.cut_value(scalar, Value { low, high });
        self.write_scalar(destination, scalar, value);
    }
}
