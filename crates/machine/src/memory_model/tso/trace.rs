//! What happens to delayed stores, for the trace.

use crate::machine::Machine;
use crate::machine::record::Action;
use crate::state::store_buffer::Entry;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::Scalar;

/// Where an entry writes, and how many bytes.
fn place_of(entry: &Entry) -> (Address, u64) {
    let bytes = entry.bytes();
    let address = Address {
        object: entry.object,
        offset: bytes.range.start as i64,
    };
    (address, bytes.range.len() as u64)
}

impl Machine<'_> {
    /// Notes that a delayed store has reached memory.
    pub fn note_reached(&mut self, thread: usize, entry: &Entry) {
        if self.observer.notes_events() {
            let (address, bytes) = place_of(entry);
            let action = Action::Reach {
                variable: self.variable(address, bytes).0,
                value: self.show_value_of(entry),
            };
            self.note_for(thread, action, self.identity_of(address, bytes));
        }
    }

    /// Notes that a delayed store never reaches memory: that is gone.
    pub(super) fn note_dropped(&mut self, thread: usize, entry: &Entry) {
        if self.observer.notes_events() {
            let (address, bytes) = place_of(entry);
            let action = Action::Drop {
                variable: self.variable(address, bytes).0,
                value: self.show_value_of(entry),
            };
            self.note_for(thread, action, self.identity_of(address, bytes));
        }
    }

    /// Notes that the running thread delays a store.
    #[cold]
    pub(super) fn note_delayed(&mut self, entry: &Entry) {
        let (address, bytes) = place_of(entry);
        let (variable, library) = self.variable(address, bytes);
        let value = self.show_value_of(entry);
        let identity = self.identity_of(address, bytes);
        self.note_about(Action::Delay { variable, value }, library, identity);
    }

    /// What an entry writes, in words.
    fn show_value_of(&self, entry: &Entry) -> String {
        match entry.pieces.as_slice() {
            [piece] => {
                let scalar = match piece.word.pointer {
                    true => Scalar::Pointer,
                    false => Scalar::Integer(piece.bytes * 8),
                };
                self.show(scalar, Value::one(piece.word))
            }
            _ => format!("{} bytes", entry.bytes().range.len()),
        }
    }
}
