//! What is known of the time where it is unknown (`docs/internals/time.md`).

use crate::base::codec::{Reader, put};

/// What is known of the time where it is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known {
    /// The thread, plus one, that has read a clock; none has at 0.
    pub(crate) reader: u8,
    /// How many readings and sleeps of its have numbers.
    pub(crate) readings: u8,
    /// The first and the last reading of those that were taken while a deadline was awaited, or
    /// before, but after it was computed: of the distance from them to later ones, nothing is
    /// known.
    pub(crate) between: (u8, u8),
    /// What was found out of two times that could be equal.
    pub(crate) tie: Option<Tie>,
}

/// A later reading's time, and an earlier one's, that were the same if no more time passed than had
/// to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tie {
    pub(crate) later: u8,
    pub(crate) earlier: u8,
    pub(crate) bits: u64,
    /// Whether they are equal, and the later one is not greater.
    pub(crate) is_equal: bool,
}

impl Known {
    /// Appends the stored form.
    pub fn encode(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.reader, self.readings, self.between.0, self.between.1]);
        match self.tie {
            None => out.push(0),
            Some(tie) => {
                out.extend_from_slice(&[1 + tie.is_equal as u8, tie.later, tie.earlier]);
                put(out, tie.bits);
            }
        }
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> Known {
        let (thread, readings) = (reader.byte(), reader.byte());
        let between = (reader.byte(), reader.byte());
        let tie = match reader.byte() {
            0 => None,
            kind => Some(Tie {
                later: reader.byte(),
                earlier: reader.byte(),
                bits: reader.number(),
                is_equal: kind == 2,
            }),
        };
        Known {
            reader: thread,
            readings,
            between,
            tie,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_stored() {
        let tie = Tie {
            later: 3,
            earlier: 1,
            bits: 1 << 40,
            is_equal: true,
        };
        for tie in [None, Some(tie)] {
            let known = Known {
                reader: 2,
                readings: 3,
                between: (2, 3),
                tie,
            };
            let mut stored = Vec::new();
            known.encode(&mut stored);
            assert_eq!(Known::decode(&mut Reader::new(&stored)), known);
        }
    }
}
