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
}

/// How a value depends on the time. Followed only where the time is unknown.
///
/// Looks at clocks have numbers, in their order, up to [`Time::UNORDERED`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Time(pub u8);

impl Time {
    /// Not at all.
    pub const NONE: Time = Time(0);
    /// In some way.
    pub const SOMEHOW: Time = Time(1);
    /// It is how much time passes from one look to a later one, in some unit, give or take a
    /// constant.
    pub const DISTANCE: Time = Time(2);
    /// The number of looks of which it is unknown which is the earlier one.
    pub const UNORDERED: u8 = 63;
    const POINT: u8 = 64;
    const PART: u8 = 128;

    /// The time of a look, in some unit, give or take a constant.
    pub const fn point(look: u8) -> Time {
        Time(Self::POINT | look)
    }

    /// What is left of the time of a look, divided by a unit.
    pub const fn part(look: u8) -> Time {
        Time(Self::PART | look)
    }

    /// Not at all.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The look whose time it is.
    pub const fn as_point(self) -> Option<u8> {
        if self.0 & Self::POINT != 0 {
            Some(self.0 & 63)
        } else {
            None
        }
    }

    /// The look of whose time it is a part.
    pub const fn as_part(self) -> Option<u8> {
        if self.0 & Self::PART != 0 {
            Some(self.0 & 63)
        } else {
            None
        }
    }

    /// What holds of values made of two others in some way.
    #[inline]
    pub const fn or(self, other: Time) -> Time {
        Time((self.0 | other.0 != 0) as u8)
    }

    /// What holds of bytes of a value.
    #[inline]
    pub const fn of_bytes(self) -> Time {
        self.or(Time::NONE)
    }
}

impl Word {
    /// A defined number.
    #[inline]
    pub const fn number(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: false,
            time: Time::NONE,
        }
    }

    /// A defined address.
    #[inline]
    pub const fn pointer(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: true,
            time: Time::NONE,
        }
    }

    /// A value of which the lowest `width` bits are undefined.
    #[inline]
    pub const fn undefined(width: u32) -> Word {
        Word {
            bits: 0,
            undefined: mask(width),
            pointer: false,
            time: Time::NONE,
        }
    }

    /// The same word, carrying or not carrying the right to access an object.
    #[inline]
    pub const fn with_pointer(self, pointer: bool) -> Word {
        Word { pointer, ..self }
    }

    /// The same word, which depends on the time like this.
    #[inline]
    pub const fn with_time(self, time: Time) -> Word {
        Word { time, ..self }
    }

    /// Whether every bit is defined.
    #[inline]
    pub const fn is_defined(self) -> bool {
        self.undefined == 0
    }
}

/// The lowest `width` bits set; `width` is at most 64.
#[inline]
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}
