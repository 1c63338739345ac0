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
}

impl Word {
    /// A defined number.
    #[inline]
    pub const fn number(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: false,
        }
    }

    /// A defined address.
    #[inline]
    pub const fn pointer(bits: u64) -> Word {
        Word {
            bits,
            undefined: 0,
            pointer: true,
        }
    }

    /// A value of which the lowest `width` bits are undefined.
    #[inline]
    pub const fn undefined(width: u32) -> Word {
        Word {
            bits: 0,
            undefined: mask(width),
            pointer: false,
        }
    }

    /// The same word, carrying or not carrying the right to access an object.
    #[inline]
    pub const fn with_pointer(self, pointer: bool) -> Word {
        Word { pointer, ..self }
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
