//! What is known of the time where it is unknown; `docs/internals/time.md` has the argument.
//!
//! Values that depend on the time are marked ([`Time`]). Only one thread's time is followed, that
//! of the first one that reads a clock: its readings have numbers, and its own waits and sleeps say
//! how much time has passed at least between two of them. The clock shows the earliest times that
//! these allow. So what holds of the distance between two readings for these times, and for all
//! longer ones, is certain. Once another thread reads a clock, nothing is certain any more.

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::state::known_time::Known;
use crate::state::known_time::Tie;
use impasse_program::instruction::Comparison;
use impasse_program::word::{Time, Word};
use impasse_semantics::numbers::Narrow;
use std::cmp::Ordering;

/// How many readings of a thread have numbers, while no other one is alive.
const LOOKS_ALONE: u8 = 30;
/// And while others are.
const READINGS: u8 = 6;
/// How many of them are not for sleeps, which may come in great number while a deadline is awaited.
const NOT_FOR_SLEEPS: u8 = 2;
/// The number of a thread, plus one, that stands for several.
const SEVERAL: u8 = u8::MAX;
/// No clock shows so many nanoseconds: in the year 2116.
const NEVER: i64 = 1 << 62;
/// What clocks show at first: a whole second, or the end of one. Both are tried, since programs
/// carry from fractions to seconds.
const STARTS: [u64; 2] = [0, 999_999_999];
/// The bounds that programs compare fractions of a second with.
const BOUNDS: [i64; 4] = [1_000_000_000, 999_999_999, 1_000_000, 999_999];

/// What is known of the difference of two values.
enum Difference {
    /// It is this.
    Is(i128),
    /// It is this, or any more.
    AtLeast(i128),
    /// Nothing.
    Unknown,
}

impl Difference {
    /// How a value may compare with the one that is taken away from it.
    fn orderings(&self) -> &'static [Ordering] {
        use Ordering::{Equal, Greater, Less};
        match *self {
            Difference::Is(n) | Difference::AtLeast(n) if n > 0 => &[Greater],
            Difference::Is(0) => &[Equal],
            Difference::Is(_) => &[Less],
            Difference::AtLeast(0) => &[Equal, Greater],
            Difference::AtLeast(_) | Difference::Unknown => &[Less, Equal, Greater],
        }
    }
}

impl Machine<'_> {
    /// Returns whether the running thread is the only one that has read a clock.
    pub fn knows_time(&self) -> bool {
        self.is_certain() && self.time.clock().known.reader as usize == self.running + 1
    }

    /// Returns whether a deadline is a reading of the running thread plus a constant, so that it is
    /// known how much time passes until then. Excludes readings that come after that one.
    pub fn follow(&mut self, deadline: Time) -> bool {
        let reading = deadline.as_point().unwrap_or(Time::UNORDERED);
        if !self.knows_time() || reading == Time::UNORDERED {
            return false;
        }
        let known = &mut self.time.clock_mut().known;
        if reading < known.readings {
            let first = match known.between {
                (0, _) => reading + 1,
                (first, _) => first.min(reading + 1),
            };
            known.between = (first, known.readings);
        }
        true
    }

    /// The number of the next reading, if it has one; so many others are to be left.
    fn next_reading(&self, left: u8) -> Option<u8> {
        let most = match self.memory.concurrent {
            true => READINGS,
            false => LOOKS_ALONE,
        };
        let readings = self.time.clock().known.readings;
        (self.is_certain() && readings + left < most).then_some(readings + 1)
    }

    /// Returns the time of a new reading, if the running thread alone has read clocks, and
    /// otherwise `None`. Halts at a scheduling point.
    pub fn take_reading(&mut self) -> Result<Option<Time>> {
        let reading = self.next_reading(NOT_FOR_SLEEPS);
        let Some(reading) = reading.filter(|_| self.knows_time()) else {
            return Ok(None);
        };
        self.visible_action()?;
        self.time.clock_mut().known.readings = reading;
        Ok(Some(Time::point(reading)))
    }

    /// Returns what a clock shows at a reading. Halts for a choice, or at a scheduling point.
    pub fn read_unknown_time(&mut self) -> Result<Word> {
        let reader = u8::try_from(self.running + 1).unwrap_or(SEVERAL);
        let start = match self.time.clock().known.reader {
            0 => Some(self.choose(STARTS.len() as u32, false)? as usize),
            _ => None,
        };
        let clock = self.time.clock_mut();
        if let Some(start) = start {
            clock.now = STARTS[start];
            clock.known.reader = reader;
        } else if clock.known.reader != reader && clock.known.reader != SEVERAL {
            clock.now = STARTS[!clock.now.is_multiple_of(1_000_000_000) as usize];
            clock.known = Known {
                reader: SEVERAL,
                ..Known::default()
            };
        }
        let reading = self.next_reading(0);
        self.time.clock_mut().known.readings = reading.unwrap_or(self.time.clock().known.readings);
        let time = Time::point(reading.unwrap_or(Time::UNORDERED));
        Ok(Word::number(self.time.clock().now).with_time(time))
    }

    /// Returns the result of comparing values of which at least one depends on the time. Halts for
    /// a choice if both results are possible.
    pub fn compare_times(
        &mut self,
        comparison: Comparison,
        width: u32,
        left: Word,
        right: Word,
    ) -> Result<bool> {
        let (difference, is_swapped) = self.difference(width, left, right);
        let tie = self.tie_of(left, right);
        let orderings = match (tie, self.time.clock().known.tie) {
            (Some(tie), Some(known))
                if tie
                    == (Tie {
                        is_equal: true,
                        ..known
                    }) =>
            {
                match known.is_equal {
                    true => &[Ordering::Equal][..],
                    false => &[Ordering::Greater],
                }
            }
            _ => difference.orderings(),
        };
        let holds = |ordering: &Ordering| {
            let ordering = if is_swapped {
                ordering.reverse()
            } else {
                *ordering
            };
            holds(comparison, ordering)
        };
        let first = holds(&orderings[0]);
        if orderings.iter().all(|ordering| holds(ordering) == first) {
            return Ok(first);
        }
        let answer = self.guess(2)? == 1;
        if let Some(tie) = tie {
            let left: Vec<&Ordering> = orderings.iter().filter(|o| holds(o) == answer).collect();
            self.time.clock_mut().known.tie = match left[..] {
                [Ordering::Equal] => Some(tie),
                [Ordering::Greater] => Some(Tie {
                    is_equal: false,
                    ..tie
                }),
                _ => None,
            };
        }
        Ok(answer)
    }

    /// Returns the choice of one of several outcomes that depend on the time. Halts until it is
    /// made.
    pub fn guess(&mut self, outcomes: u32) -> Result<u32> {
        let outcome = self.choose(outcomes, false)?;
        self.note_operation(|_| TIME_DECIDES.into());
        Ok(outcome)
    }

    /// What is known of `left - right`, or, with the flag, of `right - left`.
    fn difference(&self, width: u32, left: Word, right: Word) -> (Difference, bool) {
        let (a, b) = (
            Narrow::signed(left.bits, width),
            Narrow::signed(right.bits, width),
        );
        let distance = a as i128 - b as i128;
        if right.time.is_none() {
            return (self.difference_to(left.time, a, b), false);
        }
        if left.time.is_none() {
            return (self.difference_to(right.time, b, a), true);
        }
        let readings = match (left.time.as_point(), right.time.as_point()) {
            (Some(i), Some(j)) => Some((i, j)),
            _ => None,
        };
        let parts = match (left.time.as_part(), right.time.as_part()) {
            (Some(i), Some(j)) => Some((i, j)),
            _ => None,
        };
        match readings.or(parts) {
            Some((i, j)) if i == j && i != Time::UNORDERED => (Difference::Is(distance), false),
            Some((i, j)) if !self.are_ordered(i, j) => (Difference::Unknown, false),
            Some((i, j)) if parts.is_some() && !self.are_in_same_second(i, j) => {
                (Difference::Unknown, false)
            }
            Some((i, j)) if i > j => (Difference::AtLeast(distance), false),
            Some(_) => (Difference::AtLeast(-distance), true),
            None => (Difference::Unknown, false),
        }
    }

    /// What is known of a value, less a constant.
    fn difference_to(&self, time: Time, value: i64, constant: i64) -> Difference {
        let distance = value as i128 - constant as i128;
        if constant >= NEVER || constant <= -NEVER {
            return Difference::Is(distance);
        }
        match (time.as_point(), time.as_part()) {
            // It is long after the epoch.
            (Some(_), _) if constant <= 0 => Difference::Is(1),
            (_, Some(_)) if constant <= 0 || BOUNDS.contains(&constant) => Difference::Is(distance),
            _ if time == Time::DISTANCE && self.is_certain() => Difference::AtLeast(distance),
            _ => Difference::Unknown,
        }
    }

    /// Whether one thread alone has read clocks.
    fn is_certain(&self) -> bool {
        self.time.clock().known.reader != SEVERAL
    }

    /// Returns whether the least time that passes between two readings is known.
    pub fn are_ordered(&self, i: u8, j: u8) -> bool {
        let (first, last) = self.time.clock().known.between;
        let is_ordered = |reading| {
            reading != Time::UNORDERED && (reading < first || reading > last || first == 0)
        };
        self.is_certain() && is_ordered(i) && is_ordered(j)
    }

    /// Whether the times of two readings, with the constants that were added to them, were found to
    /// have the same seconds.
    fn are_in_same_second(&self, i: u8, j: u8) -> bool {
        let tie = self.time.clock().known.tie;
        tie.is_some_and(|t| t.is_equal && (t.later, t.earlier) == (i.max(j), i.min(j)))
    }

    /// What comparing the times of two readings may find out, if these were the same if no more
    /// time passed than had to.
    fn tie_of(&self, left: Word, right: Word) -> Option<Tie> {
        let (i, j) = (left.time.as_point()?, right.time.as_point()?);
        let is_open = i != j && self.are_ordered(i, j) && left.bits == right.bits;
        is_open.then(|| Tie {
            later: i.max(j),
            earlier: i.min(j),
            bits: left.bits,
            is_equal: true,
        })
    }
}

/// What a step does that decides something by the time, in a trace.
pub const TIME_DECIDES: &str = "its continuation depends on the time";

/// Whether a comparison holds of values that compare like this.
fn holds(comparison: Comparison, ordering: Ordering) -> bool {
    use Comparison as C;
    match comparison {
        C::Equal => ordering.is_eq(),
        C::NotEqual => ordering.is_ne(),
        C::UnsignedGreater | C::SignedGreater => ordering.is_gt(),
        C::UnsignedGreaterEqual | C::SignedGreaterEqual => ordering.is_ge(),
        C::UnsignedLess | C::SignedLess => ordering.is_lt(),
        C::UnsignedLessEqual | C::SignedLessEqual => ordering.is_le(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all differences up to a bound.
    #[test]
    fn orderings_are_those_that_may_be() {
        for least in -3..4 {
            let known = Difference::AtLeast(least);
            for more in 0..8 {
                let ordering = (least + more).cmp(&0);
                assert!(known.orderings().contains(&ordering));
            }
            let all = (0..8).map(|more| (least + more).cmp(&0));
            let all: std::collections::HashSet<Ordering> = all.collect();
            assert_eq!(known.orderings().len(), all.len());
            assert_eq!(Difference::Is(least).orderings(), [least.cmp(&0)]);
        }
    }
}
