//! The value of a register slot.

use serde::{Deserialize, Serialize};

/// Up to 64 bits of a value, with what is known about them.
///
/// Bits above the width of the value's type are zero in `bits` and in `undefined`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Word {
    /// The value; where a bit is undefined, zero.
    pub bits: u64,
    /// One for each bit that is undefined.
    pub undefined: u64,
    /// Whether the bits are an address that carries the right to access its object.
    pub pointer: bool,
    /// How it depends on what clocks showed.
    pub time: Time,
    /// What it is where it depends on inputs that are followed symbolically: every bit of it that
    /// is no address is undefined then.
    #[serde(skip)]
    pub term: TermId,
}

/// The number of the term that a value is, or that none is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct TermId(u32);

impl TermId {
    /// No term: the value depends on no input.
    pub const NONE: TermId = TermId(0);

    /// Returns the number of the term at an index. Panics if the index is `u32::MAX`.
    pub const fn of_index(index: u32) -> TermId {
        TermId(index + 1)
    }

    /// Returns the index of the term, or `None` if there is none.
    #[inline]
    pub const fn index(self) -> Option<u32> {
        self.0.checked_sub(1)
    }

    /// Returns whether there is no term.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the form of four bytes in which states store it.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// Returns what [`TermId::to_bits`] was taken of.
    pub const fn from_bits(bits: u32) -> TermId {
        TermId(bits)
    }
}

/// How a value depends on the time. Followed only where the time is unknown.
///
/// Readings of clocks are numbered, in their order, up to [`Time::UNORDERED`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Time(pub u8);

impl Time {
    /// Not at all.
    pub const NONE: Time = Time(0);
    /// In an unknown form.
    pub const SOMEHOW: Time = Time(1);
    /// It is how much time passes from one reading to a later one, in some unit, give or take a
    /// constant.
    pub const DISTANCE: Time = Time(2);
    /// The number of readings of which it is unknown which is the earlier one.
    pub const UNORDERED: u8 = 63;
    const POINT: u8 = 64;
    const PART: u8 = 128;

    /// Returns the time of a reading, in some unit, give or take a constant.
    pub const fn point(reading: u8) -> Time {
        Time(Self::POINT | reading)
    }

    /// Returns the remainder of the time of a reading, divided by a unit.
    pub const fn part(reading: u8) -> Time {
        Time(Self::PART | reading)
    }

    /// Returns whether the value does not depend on the time.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the reading whose time the value is, or `None` if it is none's.
    pub const fn as_point(self) -> Option<u8> {
        if self.0 & Self::POINT != 0 {
            Some(self.0 & 63)
        } else {
            None
        }
    }

    /// Returns the reading of whose time the value is a part, or `None` if it is none's.
    pub const fn as_part(self) -> Option<u8> {
        if self.0 & Self::PART != 0 {
            Some(self.0 & 63)
        } else {
            None
        }
    }

    /// Returns how a value depends on the time that is computed from two others.
    #[inline]
    pub const fn or(self, other: Time) -> Time {
        Time((self.0 | other.0 != 0) as u8)
    }

    /// Returns how bytes of the value depend on the time.
    #[inline]
    pub const fn of_bytes(self) -> Time {
        self.or(Time::NONE)
    }
}

impl Word {
    /// Returns a defined number.
    #[inline]
    pub const fn number(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: false,
            time: Time::NONE,
            term: TermId::NONE,
        }
    }

    /// Returns a defined address.
    #[inline]
    pub const fn pointer(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: true,
            time: Time::NONE,
            term: TermId::NONE,
        }
    }

    /// Returns a value of which the lowest `width` bits are undefined.
    #[inline]
    pub const fn undefined(width: u32) -> Word {
        Word {
            bits: 0,
            undefined: mask(width),
            pointer: false,
            time: Time::NONE,
            term: TermId::NONE,
        }
    }

    /// Returns the word, with or without the right to access an object.
    #[inline]
    pub const fn with_pointer(self, pointer: bool) -> Word {
        Word { pointer, ..self }
    }

    /// Returns the word, depending on the time as given.
    #[inline]
    pub const fn with_time(self, time: Time) -> Word {
        Word { time, ..self }
    }

    /// Returns whether every bit is defined.
    #[inline]
    pub const fn is_defined(self) -> bool {
        self.undefined == 0
    }
}

/// Returns a number whose lowest `width` bits are set; all 64 if `width` is larger.
#[inline]
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}
