//! Where an atomic lies, by which its messages are found.

use super::Message;
use crate::base::codec::{Reader, put};
use impasse_program::address::{Address, ObjectId};

/// The memory of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The object that it lies in.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: u32,
    /// How many bytes it has.
    pub bytes: u32,
}

impl Place {
    /// Returns the memory of an atomic of so many bytes at an address.
    pub fn at(address: Address, bytes: u64) -> Place {
        Place {
            object: address.object,
            offset: address.offset as u32,
            bytes: bytes as u32,
        }
    }

    /// Returns where it is.
    pub fn address(&self) -> Address {
        Address {
            object: self.object,
            offset: self.offset.into(),
        }
    }

    /// Appends the stored form.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.object.0.into());
        put(out, self.offset.into());
        put(out, self.bytes.into());
    }

    /// Reads a stored form.
    pub(super) fn decode(reader: &mut Reader<'_>) -> Place {
        Place {
            object: ObjectId(reader.small()),
            offset: reader.small(),
            bytes: reader.small(),
        }
    }

    pub(super) fn overlaps(&self, other: &Place) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.bytes
            && other.offset < self.offset + self.bytes
    }

    /// Returns whether a message is one there.
    pub(super) fn is_of(&self, message: Message) -> bool {
        (self.object, self.offset) == (message.object, message.offset)
    }

    /// Returns a message there, by its position in the modification order.
    pub fn message(&self, order: usize) -> Message {
        Message {
            object: self.object,
            offset: self.offset,
            order: order as u32,
        }
    }
}
