//! The virtual clock, which all clocks of a program show; `docs/internals/time.md` has the
//! argument.
//!
//! Time passes where a wait ends by its time limit, at the end of a sleep, and at a reading of a
//! clock. A wait may end by its limit whenever nothing else ends it, and the clock then shows its
//! deadline, or a later time if it did before.

use crate::base::codec::{Reader, put};
use crate::state::known_time::Known;
use impasse_program::word::TermId;

pub(crate) const SECOND: u64 = 1_000_000_000;
/// How far the clock advances between two readings, if it does: beyond any time limit of ten years.
/// A program that asks for the time again and again has finitely many states, since it advances a
/// few times only.
pub(crate) const JUMP: u64 = 86_400 * 3650 * SECOND;
/// What it shows after the last jump.
pub(crate) const LAST: u64 = 3 * JUMP;
/// The last deadline that it advances to.
pub(crate) const MOST: u64 = 9 * JUMP;
/// What the clock shows, and how it got there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock {
    /// Nanoseconds since the start.
    pub now: u64,
    /// The term that they are instead, where clocks are followed symbolically.
    pub term: TermId,
    /// How often it has advanced to a deadline exactly.
    exact: u8,
    /// What is known where the time is unknown.
    pub known: Known,
}

impl Clock {
    /// Appends the stored form.
    pub fn encode(self, out: &mut Vec<u8>) {
        let is_plain = self.now == 0 && self.known == Known::default() && self.term.is_none();
        put(out, self.now << 1 | !is_plain as u64);
        if !is_plain {
            out.push(self.exact);
            put(out, u64::from(self.term.to_bits()));
            self.known.encode(out);
        }
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> Clock {
        let number = reader.number();
        let now = number >> 1;
        if number & 1 == 0 {
            return Clock::default();
        }
        Clock {
            now,
            exact: reader.byte(),
            term: TermId::from_bits(reader.small()),
            known: Known::decode(reader),
        }
    }

    /// Returns the time after a jump, or `None` after the last one.
    pub fn next(self) -> Option<u64> {
        (self.now < LAST).then(|| (self.now / JUMP + 1) * JUMP)
    }

    /// Advances to a time: exactly, if the clock has done so less often than `exact`, or else to
    /// the next jump after it. Stands still where it would advance too often or too far.
    pub fn advance(&mut self, until: u64, exact: u8) {
        if until <= self.now {
            return;
        }
        if self.exact < exact && until <= MOST {
            self.now = until;
            self.exact += 1;
        } else if until <= LAST {
            self.now = until.div_ceil(JUMP) * JUMP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_shows_a_deadline_that_has_passed() {
        let mut clock = Clock::default();
        clock.advance(2 * SECOND, 1);
        assert_eq!(clock.now, 2 * SECOND);
        clock.advance(SECOND, 1);
        assert_eq!(clock.now, 2 * SECOND);
        for _ in 0..100 {
            let until = clock.now + SECOND;
            clock.advance(until, 16);
            assert!(clock.now >= until || until > LAST);
        }
    }

    #[test]
    fn a_jump_passes_ten_years_a_few_times() {
        let mut clock = Clock::default();
        clock.advance(SECOND, 1);
        let mut jumps = 0;
        while let Some(next) = clock.next() {
            assert!(next > clock.now);
            clock.now = next;
            jumps += 1;
        }
        assert_eq!(jumps, 3);
    }
}
