//! Loads and stores of the running thread.

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::state::happens_before::Order;
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::{Word, mask};

impl Machine<'_> {
    /// Returns whether an access with this ordering counts as atomic. The C library uses `volatile`
    /// where C11 would use relaxed atomics.
    #[inline]
    pub fn is_atomic(&self, ordering: Ordering, volatile: bool) -> bool {
        ordering.is_atomic() || (volatile && !self.at.users)
    }

    /// Reads a scalar from memory. Fails if the access is an error or races.
    #[inline]
    pub fn load(
        &mut self,
        scalar: Scalar,
        word: Word,
        atomic: bool,
        order: Order,
    ) -> Result<Value> {
        let bytes = scalar.bytes() as u64;
        let address = self.memory.address(word)?;
        let unordered = atomic && self.leaves_unordered(address, order);
        let (spot, value) = self.in_manner(unordered, |machine| {
            machine.observe_as(Route::Forwarded, address, bytes, Access::Read, atomic)?;
            let spot = machine.memory.check(word, address, bytes, Access::Read)?;
            let order = atomic.then_some(order);
            let value = machine
                .model()
                .load(machine, scalar, (address, spot), order)?;
            Ok((spot, value))
        })?;
        if self.observer.notes_events() {
            self.model().note_load(self, scalar, (address, spot), value);
        }
        Ok(value)
    }

    /// Reads a scalar from a checked place.
    #[inline]
    pub fn load_checked(&mut self, scalar: Scalar, spot: Spot) -> Value {
        if scalar == Scalar::Pointer32 {
            return Value::one(self.memory.load_pointer32(spot));
        }
        let bytes = scalar.bytes() as usize;
        let low = self.memory.load(spot, bytes.min(8));
        let low = self.cut(low, scalar.bits().min(64));
        if scalar.words() == 1 {
            return Value::one(low);
        }
        let rest = Spot {
            object: spot.object,
            offset: spot.offset + 8,
        };
        let high = self.memory.load(rest, bytes - 8);
        let high = self.cut(high, scalar.bits() - 64);
        Value { low, high }
    }

    /// Returns a scalar's words with its bits only.
    pub fn cut_value(&self, scalar: Scalar, value: Value) -> Value {
        let bits = scalar.bits();
        let low = self.cut(value.low, bits.min(64));
        match scalar.words() {
            1 => Value::one(low),
            _ => Value {
                low,
                high: self.cut(value.high, bits - 64),
            },
        }
    }

    /// The lowest bits of a word.
    #[inline]
    fn cut(&self, word: Word, width: u32) -> Word {
        match word.term.is_none() {
            true => cut(word, width),
            false => self.memory.cut_term(word, width),
        }
    }

    /// Writes a scalar to memory itself. Fails if the access is an error or races.
    #[inline]
    pub fn store(
        &mut self,
        scalar: Scalar,
        word: Word,
        value: Value,
        atomic: bool,
        order: Order,
    ) -> Result<()> {
        let bytes = scalar.bytes() as u64;
        self.check_pointer32(scalar, value)?;
        let address = self.memory.address(word)?;
        self.observe(address, bytes, Access::Write, atomic)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        if atomic {
            self.order_store(address, order);
        }
        self.write_noted(scalar, address, spot, value)
    }

    /// Writes a scalar to a checked place, after [`Machine::check_pointer32`], and notes it. Never
    /// fails.
    #[inline]
    pub fn write_noted(
        &mut self,
        scalar: Scalar,
        address: Address,
        spot: Spot,
        value: Value,
    ) -> Result<()> {
        if self.observer.notes_events() {
            let old = self.load_checked(scalar, spot);
            self.note_access(address, scalar, Some(old), value);
        }
        self.store_checked(scalar, spot, value);
        Ok(())
    }

    /// Checks that a scalar can be written to memory. Fails if it is an address of four bytes that
    /// has no 32 bits.
    #[inline]
    pub fn check_pointer32(&self, scalar: Scalar, value: Value) -> Result<()> {
        match scalar {
            Scalar::Pointer32 => self.memory.narrow(value.low).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Writes a scalar to a checked place, after [`Machine::check_pointer32`].
    #[inline]
    pub fn store_checked(&mut self, scalar: Scalar, spot: Spot, value: Value) {
        if scalar == Scalar::Pointer32 {
            return self.memory.store_pointer32(spot, value.low);
        }
        let bytes = scalar.bytes() as usize;
        self.memory.store(spot, bytes.min(8), value.low);
        if scalar.words() == 2 {
            let rest = Spot {
                object: spot.object,
                offset: spot.offset + 8,
            };
            self.memory.store(rest, bytes - 8, value.high);
        }
    }
}

/// A word cut to a width.
#[inline]
fn cut(word: Word, width: u32) -> Word {
    if width == 64 {
        return word;
    }
    Word {
        bits: word.bits & mask(width),
        undefined: word.undefined & mask(width),
        pointer: false,
        time: word.time.of_bytes(),
        ..Word::default()
    }
}
