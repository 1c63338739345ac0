//! Readings of the clock, and waits that end by their deadlines ([`crate::state::clock`]).

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::base::options::Clocks;
use crate::exec::interpret::add_to_address;
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::state::clock::{Clock, JUMP, SECOND};
use crate::state::memory::Access;
use crate::value::symbolic::{CLOCK_BITS, Feasibility, InputId, term_of};
use impasse_program::instruction::Scalar;
use impasse_program::word::{Time, Word, mask};
use impasse_solver::{Term, Test};
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

/// What an input that is a reading of a clock is called.
const OF_CLOCK: &str = "nanoseconds that a clock shows";
/// No sleep takes so many nanoseconds where clocks are followed symbolically.
const FAR: u64 = 1 << 61;
/// And no deadline is in a later second: after the last one that a clock shows.
const LAST_SECOND: u64 = 8_000_000_000;
/// Why one that is later is not followed.
const LONG: &str = "a wait until a time that no clock may show";

const EINVAL: i32 = 22;
/// The number of the error of a wait that ends by its deadline.
pub const ETIMEDOUT: i32 = 110;

/// When a wait ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// At any time: the caller gave none.
    Unknown,
    /// When the clock shows so many nanoseconds, which may depend on the time themselves.
    At(Word),
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
        if !seconds.term.is_none() || !nanoseconds.term.is_none() {
            return self.deadline_of_terms(seconds, nanoseconds);
        }
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
        Ok(Deadline::At(Word::number(until).with_time(time)))
    }

    /// The same where the time is a term.
    fn deadline_of_terms(&mut self, seconds: Word, nanoseconds: Word) -> Result<Deadline> {
        let fields = [seconds, nanoseconds].map(|word| self.as_term(word, 64));
        let [Some(seconds), Some(nanoseconds)] = fields else {
            return unsupported("a deadline that depends on an input in an unusual way");
        };
        let terms = self.terms();
        let number = |value: u64| terms.with(|terms| terms.constant(value.into(), 64));
        let (second, zero) = (number(SECOND), number(0));
        let is_less = |a, b| terms.with(|terms| terms.test(Test::SignedLess, a, b));
        let is_valid = [is_less(nanoseconds, second), is_less(nanoseconds, zero)];
        if !self.decide(is_valid[0])? || self.decide(is_valid[1])? {
            return Ok(Deadline::Invalid);
        }
        if self.decide(is_less(seconds, zero))? {
            return Ok(Deadline::At(Word::number(0)));
        }
        if !self.decide(is_less(seconds, number(LAST_SECOND)))? {
            return unsupported(LONG);
        }
        let until = terms.with(|terms| terms.add(terms.multiply(seconds, second), nanoseconds));
        Ok(Deadline::At(self.of_term(until)))
    }

    fn time_field(&mut self, timespec: Word, offset: i64) -> Result<Word> {
        let word = add_to_address(timespec, offset);
        let spot = self.memory.resolve(word, 8, Access::Read)?;
        let value = self.load_checked(Scalar::Integer(64), spot).low;
        match value.is_defined() || !value.term.is_none() {
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
            Clocks::Symbolic => return self.symbolic_time_after(nanoseconds),
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

    fn symbolic_time_after(&mut self, nanoseconds: Word) -> Result<Word> {
        self.visible_action()?;
        self.observe_clock();
        let Some(rest) = self.as_term(nanoseconds, 64) else {
            return unsupported("a sleep that depends on an input in an unusual way");
        };
        let is_short = self.terms().with(|terms| {
            let far = terms.constant(FAR.into(), 64);
            terms.test(Test::UnsignedLess, rest, far)
        });
        if !self.decide(is_short)? {
            return unsupported(LONG);
        }
        if self.time.clock().term.is_none() {
            self.advance_symbolically(None, None)?;
        }
        let now = self.symbolic_now();
        Ok(self.of_term(self.terms().with(|terms| terms.add(now, rest))))
    }

    /// The last time that a clock has shown, or that has passed since, where clocks are followed
    /// symbolically.
    fn symbolic_now(&self) -> Term {
        let clock = self.time.clock();
        match clock.term.is_none() {
            true => self
                .terms()
                .with(|terms| terms.constant(clock.now.into(), 64)),
            false => term_of(clock.term),
        }
    }

    /// Advances a clock that is followed symbolically: to any time that is not earlier than the
    /// present one, nor than another. Fails if that may be a time that no clock shows.
    fn advance_symbolically(&mut self, least: Option<Term>, name: Option<&str>) -> Result<Word> {
        let terms = self.terms();
        let at_most = |a, b| terms.with(|terms| terms.test(Test::SignedLessEqual, a, b));
        if let Some(least) = least {
            let last = terms.with(|terms| terms.constant(mask(CLOCK_BITS.into()).into(), 64));
            let is_shown = at_most(least, last);
            let path = &self.symbolic.condition.conjuncts;
            if terms.is_feasible(path, is_shown) != Feasibility::Yes {
                return unsupported(LONG);
            }
        }
        let owner = InputId::owner_of(self.running);
        let input = self.symbolic.condition.add_input(owner, CLOCK_BITS);
        if let Some(name) = name
            && self.observer.notes_events()
        {
            let value = self.symbolic.shown_input(input);
            self.note(Action::Input {
                bits: CLOCK_BITS,
                name: name.into(),
                is_signed: false,
                value: value.map(|value| value as i64),
            });
        }
        let time = terms.input(input);
        let time = terms.with(|terms| terms.zero_extend(time, 64));
        let is_later = at_most(self.symbolic_now(), time);
        self.symbolic.add(is_later);
        if let Some(least) = least {
            self.symbolic.add(at_most(least, time));
        }
        let word = self.of_term(time);
        let clock = self.time.clock_mut();
        (clock.now, clock.term) = (word.bits, word.term);
        Ok(word)
    }

    /// Returns whether a deadline has certainly passed. Halts for a choice.
    pub fn has_passed(&mut self, deadline: Deadline) -> Result<bool> {
        let Deadline::At(until) = deadline else {
            return Ok(false);
        };
        Ok(match self.clocks() {
            Clocks::Moving => until.bits <= self.time.clock().now,
            Clocks::Symbolic if !until.term.is_none() || until.bits > 0 => {
                let Some(until) = self.as_term(until, 64) else {
                    return unsupported("a deadline that depends on an input in an unusual way");
                };
                let now = self.symbolic_now();
                let test =
                    |terms: &impasse_solver::Terms| terms.test(Test::SignedLessEqual, until, now);
                self.decide(self.terms().with(test))?
            }
            _ => until.bits == 0 && until.time.is_none(),
        })
    }

    /// Returns the deadline that a waiting thread keeps; 0 if it does not matter.
    pub fn keep(&mut self, deadline: Deadline) -> Word {
        match (deadline, self.clocks()) {
            (Deadline::At(until), Clocks::Moving) => Word::number(until.bits),
            (Deadline::At(until), Clocks::Symbolic) => until,
            (Deadline::At(until), Clocks::Unknown) if self.follow(until.time) => {
                Word::number(until.bits)
            }
            _ => Word::number(0),
        }
    }

    /// Advances the clock at least to a deadline that a thread has kept.
    pub fn let_time_pass(&mut self, until: Word) -> Result<()> {
        let before = self.time.clock();
        if self.clocks() == Clocks::Symbolic {
            self.observe_clock();
            return match self.as_term(until, 64) {
                Some(until) => self.advance_symbolically(Some(until), None).map(|_| ()),
                None => unsupported("a deadline that depends on an input in an unusual way"),
            };
        }
        let until = until.bits;
        match (
            self.clocks(),
            self.progress.has_scheduling_points(),
            self.memory.concurrent,
        ) {
            (Clocks::Unread, ..) => return Ok(()),
            (Clocks::Unknown, ..) if !self.knows_time() => return Ok(()),
            (Clocks::Unknown, ..) | (_, false, _) => {
                self.time.clock_mut().now = before.now.max(until)
            }
            (_, _, true) => self.time.clock_mut().advance(until, EXACT),
            (_, _, false) => self.time.clock_mut().advance(until, EXACT_ALONE),
        }
        self.observe_clock();
        self.note_time_since(before);
        Ok(())
    }

    /// Ends a wait that cannot succeed at once by its deadline, and returns the error number.
    pub fn time_out(&mut self, deadline: Deadline) -> Result<i32> {
        if deadline == Deadline::Invalid {
            return Ok(EINVAL);
        }
        let until = self.keep(deadline);
        self.let_time_pass(until)?;
        Ok(ETIMEDOUT)
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
            Clocks::Symbolic => return self.advance_symbolically(None, Some(OF_CLOCK)),
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
