//! Delayed stores in words: what a thread loads from its own buffer, and stores of many bytes.

use crate::machine::Machine;
use crate::state::memory::Spot;
use crate::state::store_buffer::{Bytes, Entry, Piece};
use crate::value::Value;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;
use smallvec::SmallVec;

impl Machine<'_> {
    /// Reads a scalar from a checked place, as the running thread sees it.
    pub(super) fn load_forwarded(&mut self, scalar: Scalar, spot: Spot) -> Value {
        let own = Bytes::new(spot.object, spot.offset, scalar.bytes() as usize);
        if !self.own_buffer().overlaps(&own) {
            return self.load_checked(scalar, spot);
        }
        let bytes = scalar.bytes() as usize;
        let low = self.word_forwarded(spot, bytes.min(8));
        let high = match scalar.words() {
            1 => Word::number(0),
            _ => {
                let offset = spot.offset + 8;
                self.word_forwarded(Spot { offset, ..spot }, bytes - 8)
            }
        };
        self.cut_value(scalar, Value { low, high })
    }

    pub(super) fn word_forwarded(&mut self, spot: Spot, bytes: usize) -> Word {
        let below = self.memory.load(spot, bytes);
        let seen = self.own_buffer().forward(spot, bytes, below);
        for address in seen.broken {
            self.memory.expose_word(address);
        }
        let range = spot.offset..spot.offset + bytes;
        match seen.terms.is_empty() {
            true => seen.word,
            false => self.memory.join_terms(range, &seen.terms, seen.word),
        }
    }

    /// A store of many bytes, in pieces that are words of the target.
    pub(super) fn entry_in_words(
        &mut self,
        to: Spot,
        bytes: usize,
        mut word: impl FnMut(&mut Self, usize, usize) -> Word,
    ) -> Entry {
        let mut pieces = SmallVec::new();
        let mut done = 0;
        while done < bytes {
            let offset = to.offset + done;
            let count = (8 - offset % 8).min(bytes - done);
            pieces.push(Piece {
                offset: offset as u32,
                bytes: count as u8,
                word: word(self, done, count),
            });
            done += count;
        }
        Entry {
            object: to.object,
            pieces,
            atomic: !self.options.races,
        }
    }
}
