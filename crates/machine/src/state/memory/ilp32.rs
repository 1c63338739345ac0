//! Addresses of four bytes.
//!
//! In programs whose pointers have 32 bits, an address in memory is a number of four bytes
//! (`impasse_program::ilp32`). What reads it as anything but a pointer sees the number, and the
//! object is exposed; integers are never addresses there, and give the right to access an object
//! only if it is exposed. Such programs are executed, and no state of theirs is stored.

use super::object::Flags;
use super::{Memory, Spot, little_endian};
use crate::base::fault::{Result, unsupported};
use impasse_program::address::Address;
use impasse_program::ilp32::Ilp32Addresses;
use impasse_program::word::{Word, mask};

impl Memory<'_> {
    /// Returns the 32-bit addresses of objects, or `None` unless addresses take four bytes.
    pub fn ilp32(&self) -> Option<&Ilp32Addresses> {
        self.ilp32.as_ref()
    }

    /// Returns the 32 bits that an address has in memory. Fails if it has none. Panics unless
    /// addresses have 32 bits.
    pub fn narrow(&self, word: Word) -> Result<Word> {
        if word.undefined & mask(32) == mask(32) {
            return Ok(Word::undefined(32));
        }
        let ilp32 = self.ilp32.as_ref().expect("addresses have 32 bits");
        match ilp32.narrow(word.bits).filter(|_| word.is_defined()) {
            Some(number) => Ok(Word::number(number.into())),
            None => {
                let place = Address::from_bits(word.bits);
                unsupported(format!(
                    "an address that 32 bits cannot express: {} bytes from the start of {}",
                    place.offset,
                    self.describe(place.object)
                ))
            }
        }
    }

    /// Returns the 32 bits of an address, and exposes its object: the program is going to see them.
    /// Fails as [`Memory::narrow`] does.
    pub fn expose_pointer32(&mut self, word: Word) -> Result<Word> {
        let number = self.narrow(word)?;
        if number.is_defined() {
            self.expose(Address::from_bits(word.bits).object);
        }
        Ok(number)
    }

    /// Returns the address that the lowest 32 bits of a number stand for. Panics unless addresses
    /// have 32 bits.
    pub fn widen(&self, number: Word) -> Word {
        if number.undefined & mask(32) != 0 {
            return Word::undefined(64);
        }
        let ilp32 = self.ilp32.as_ref().expect("addresses have 32 bits");
        let bits = ilp32.widen(number.bits as u32);
        let object = self.get(Address::from_bits(bits).object);
        Word {
            bits,
            undefined: 0,
            pointer: object.is_some_and(|o| o.flags().has(Flags::EXPOSED)),
            ..Word::default()
        }
    }

    /// Reads an address of four bytes at a checked place.
    pub fn load_pointer32(&mut self, spot: Spot) -> Word {
        let object = self.get(spot.object).expect("a checked place");
        let marked = spot.offset.is_multiple_of(4) && object.is_pointer(spot.offset / 4);
        let (bytes, undefined) = (object.bytes(), object.undefined());
        let range = spot.offset..spot.offset + 4;
        let number = Word {
            bits: little_endian(&bytes[range.clone()]),
            undefined: undefined.get(range).map_or(0, little_endian),
            ..Word::default()
        };
        let word = self.widen(number);
        word.with_pointer(marked || word.pointer)
    }

    /// Writes an address of four bytes at a checked place. Panics if it has no 32 bits.
    pub fn store_pointer32(&mut self, spot: Spot, word: Word) {
        let number = self.narrow(word).expect("an address that has a number");
        let aligned = spot.offset.is_multiple_of(4);
        if word.pointer && !aligned {
            self.expose_word(word);
        }
        self.store(spot, 4, number);
        if word.pointer && aligned {
            self.get_mut(spot.object).mark_pointer(spot.offset / 4);
        }
    }
}
