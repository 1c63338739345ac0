//! Readings of the clock, and waits that end by their deadlines ([`crate::state::clock`]).

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::base::options::Clocks;
use crate::exec::interpret::add_to_address;
use crate::machine::Machine;
use crate::state::clock::{Clock, JUMP, SECOND};
use crate::state::memory::Access;
use impasse_program::instruction::Scalar;
use impasse_program::word::{Time, Word};
use std::sync::atomic::Ordering::Relaxed;

/// What it may show where time passes, after the last jump.
const LATER: u64 = 10 * JUMP;
/// How often it advances to a deadline exactly, and not as far as the next jump, while one thread
/// is alive.
const EXACT_ALONE: u8 = 16;
/// And while several are, of which each may have its own deadlines.
const EXACT: u8 = 1;
/// By how much it advances with each reading in a single run: a millisecond.
const TICK: u64 = 1_000_000;

const EINVAL: i32 = 22;
/// The number of the error of a wait that ends by its deadline.
pub const ETIMEDOUT: i32 = 110;

/// When a wait ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// At any time: the caller gave none.
    Unknown,
    /// When the clock shows so many nanoseconds, which depend on the time like this.
    At(u64, Time),
    /// No time was given but something else, which is an error of the caller's.
    Invalid,
}

impl Machine<'_> {
    /// What clocks show. In a single run, they move.
    fn clocks(&self) -> Clocks {
        match self.progress.has_scheduling_points() {
            true => self.options.clocks,
            false => Clocks::Moving,
        }
    }

    /// Returns the time in a `struct timespec` that the running builtin has observed. A time before
    /// 1970 counts as passed. Fails if the time cannot be read or is undefined.
    pub fn deadline(&mut self, timespec: Word) -> Result<Deadline> {
        if timespec.bits == 0 {
            return Ok(Deadline::Unknown);
        }
        let seconds = self.time_field(timespec, 0)?;
        let nanoseconds = self.time_field(timespec, 8)?;
        if !(0..SECOND as i64).contains(&(nanoseconds.bits as i64)) {
            return Ok(Deadline::Invalid);
        }
        let until = match u64::try_from(seconds.bits as i64) {
            Ok(seconds) => seconds
                .saturating_mul(SECOND)
                .saturating_add(nanoseconds.bits),
            Err(_) => 0,
        };
        let time = match (seconds.time.as_point(), nanoseconds.time.as_part()) {
            (reading @ Some(_), part) if part == reading || nanoseconds.time.is_none() => {
                seconds.time
            }
            _ => seconds.time.or(nanoseconds.time),
        };
        Ok(Deadline::At(until, time))
    }

    fn time_field(&mut self, timespec: Word, offset: i64) -> Result<Word> {
        let word = add_to_address(timespec, offset);
        let spot = self.memory.resolve(word, 8, Access::Read)?;
        let value = self.load_checked(Scalar::Integer(64), spot).low;
        match value.is_defined() {
            true => Ok(value),
            false => error(
                ErrorKind::UndefinedValue,
                "the time until which to wait is undefined",
            ),
        }
    }

    /// Returns the time at which a wait of so many nanoseconds ends: 0 where that does not matter;
    /// where they depend on the time themselves, it is unknown. Halts at a scheduling point.
    pub fn time_after(&mut self, nanoseconds: Word) -> Result<Word> {
        let time = match self.clocks() {
            Clocks::Unread => return Ok(Word::number(0)),
            Clocks::Moving => {
                self.visible_action()?;
                Time::NONE
            }
            Clocks::Unknown => match self.take_reading()? {
                Some(time) => time,
                None => return Ok(Word::number(0)),
            },
        };
        self.observe_clock();
        let until = self.time.clock().now.saturating_add(nanoseconds.bits);
        let time = match nanoseconds.time.is_none() {
            true => time,
            false => Time::SOMEHOW,
        };
        Ok(Word::number(until).with_time(time))
    }

    /// Returns whether a deadline has certainly passed.
    pub fn has_passed(&self, deadline: Deadline) -> bool {
        match (deadline, self.clocks()) {
            (Deadline::At(until, _), Clocks::Moving) => until <= self.time.clock().now,
            (Deadline::At(until, time), _) => until == 0 && time.is_none(),
            _ => false,
        }
    }

    /// Returns the deadline that a waiting thread keeps; 0 if it does not matter.
    pub fn keep(&mut self, deadline: Deadline) -> u64 {
        match (deadline, self.clocks()) {
            (Deadline::At(until, _), Clocks::Moving) => until,
            (Deadline::At(until, time), Clocks::Unknown) if self.follow(time) => until,
            _ => 0,
        }
    }

    /// Advances the clock at least to a deadline that a thread has kept.
    pub fn let_time_pass(&mut self, until: u64) {
        let before = self.time.clock();
        match (
            self.clocks(),
            self.progress.has_scheduling_points(),
            self.memory.concurrent,
        ) {
            (Clocks::Unread, ..) => return,
            (Clocks::Unknown, ..) if !self.knows_time() => return,
            (Clocks::Unknown, ..) | (_, false, _) => {
                self.time.clock_mut().now = before.now.max(until)
            }
            (_, _, true) => self.time.clock_mut().advance(until, EXACT),
            (_, _, false) => self.time.clock_mut().advance(until, EXACT_ALONE),
        }
        self.observe_clock();
        self.note_time_since(before);
    }

    /// Ends a wait that cannot succeed at once by its deadline, and returns the error number.
    pub fn time_out(&mut self, deadline: Deadline) -> i32 {
        if deadline == Deadline::Invalid {
            return EINVAL;
        }
        let until = self.keep(deadline);
        self.let_time_pass(until);
        ETIMEDOUT
    }

    /// Returns what a clock shows at a reading: time has stood still, or has passed. Halts for the
    /// choice, and at a scheduling point; fails if clocks must not be read.
    pub fn read_clock(&mut self) -> Result<Word> {
        self.visible_action()?;
        self.observe_clock();
        if !self.progress.has_scheduling_points() {
            self.time.clock_mut().now += TICK;
            return Ok(Word::number(self.time.clock().now));
        }
        match self.clocks() {
            Clocks::Unread => {
                self.system.clock_is_read.store(true, Relaxed);
                return unsupported("a reading of a clock while the clock stands still");
            }
            Clocks::Unknown => return self.read_unknown_time(),
            Clocks::Moving => {}
        }
        let before = self.time.clock();
        let Some(next) = before.next() else {
            self.effects.note_change();
            let is_later = self.time.read_late() && self.choose(2, false)? == 1;
            return Ok(Word::number(if is_later { LATER } else { before.now }));
        };
        if self.choose(2, false)? == 1 {
            self.time.clock_mut().now = next;
            self.note_time_since(before);
        }
        Ok(Word::number(self.time.clock().now))
    }

    fn note_time_since(&mut self, before: Clock) {
        if self.time.clock().now != before.now {
            self.note_operation(|m| {
                let (before, now) = (in_words(before.now), in_words(m.time.clock().now));
                format!("time passes: the clock showed {before} and shows {now}")
            });
        }
    }
}

/// A time since the start, in words: whole years, and the rest in seconds.
fn in_words(time: u64) -> String {
    let (years, rest) = (time / (JUMP / 10), time % (JUMP / 10));
    let seconds = format!("{}.{:09}", rest / SECOND, rest % SECOND);
    let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
    match (years, rest) {
        (0, _) => format!("{seconds} s"),
        (_, 0) => format!("{years} years"),
        _ => format!("{years} years and {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_words() {
        assert_eq!(in_words(0), "0 s");
        assert_eq!(in_words(2 * SECOND), "2 s");
        assert_eq!(in_words(1_500_000), "0.0015 s");
        assert_eq!(in_words(JUMP), "10 years");
        assert_eq!(in_words(JUMP + SECOND), "10 years and 1 s");
    }
}
