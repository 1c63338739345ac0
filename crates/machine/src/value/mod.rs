//! Scalar values and the operations on them, with undefined bits. Pure: knows no memory and no
//! threads. What the operations compute on defined numbers is defined in `impasse_semantics`.

pub mod float;
pub mod integer;
pub mod intrinsic;
pub mod symbolic;

use impasse_program::word::Word;
use impasse_semantics::numbers::Wide;

/// A scalar of one or two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// The low word.
    pub low: Word,
    /// The high word; defined and zero for scalars of one word.
    pub high: Word,
}

impl Value {
    /// Returns a scalar of one word.
    #[inline]
    pub fn one(low: Word) -> Value {
        Value {
            low,
            high: Word::number(0),
        }
    }

    /// Returns a defined number of up to 128 bits.
    pub fn number(bits: u128) -> Value {
        Value {
            low: Word::number(bits as u64),
            high: Word::number((bits >> 64) as u64),
        }
    }

    /// Returns a value of which the lowest `width` bits are undefined.
    pub fn undefined(width: u32) -> Value {
        Value {
            low: Word::undefined(width.min(64)),
            high: Word::undefined(width.saturating_sub(64)),
        }
    }

    /// Returns all bits; undefined ones are zero.
    #[inline]
    pub fn bits(self) -> u128 {
        self.low.bits as u128 | (self.high.bits as u128) << 64
    }

    /// Returns a number with a one for each undefined bit.
    pub fn undefined_bits(self) -> u128 {
        self.low.undefined as u128 | (self.high.undefined as u128) << 64
    }

    /// Returns whether the value depends on inputs that are followed symbolically.
    #[inline]
    pub fn is_term(self) -> bool {
        !self.low.term.is_none() || !self.high.term.is_none()
    }

    /// Returns whether every bit is defined.
    #[inline]
    pub fn is_defined(self) -> bool {
        self.low.is_defined() && self.high.is_defined()
    }

    /// Returns the value with these bits and undefined bits, truncated to `width`.
    pub fn with_undefined(bits: u128, undefined: u128, width: u32) -> Value {
        let mask = Wide::mask(width);
        let (undefined, bits) = (undefined & mask, bits & mask & !undefined);
        Value {
            low: Word {
                bits: bits as u64,
                undefined: undefined as u64,
                ..Word::default()
            },
            high: Word {
                bits: (bits >> 64) as u64,
                undefined: (undefined >> 64) as u64,
                ..Word::default()
            },
        }
    }
}
