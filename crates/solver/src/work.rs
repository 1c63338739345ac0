//! A clock of the work that a thread has done, which other processes do not make run faster.
//!
//! Whoever looks for proofs divides what may be spent between several ways. Were it divided by the
//! time of day, a busy machine would cut short the way that leads to the proof, and the same
//! program would have a proof on one day only. So what Z3 does counts by Z3's own units, which are
//! the same in every run, and everything else by the time that the processor gives to the thread.
//! The time of day bounds the whole alone ([`set_deadline`]).

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::ops::Add;
use std::time::{Duration, Instant};
use z3::{Params, SatResult, StatisticsValue};

/// Units of Z3 that count as a millisecond: about what it does in one on vectors of bits.
const UNITS: u64 = 4000;

thread_local! {
    static DONE: Cell<Done> = const { Cell::new(Done { units: 0, asking: Duration::ZERO }) };
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// What Z3 has done in this thread.
#[derive(Clone, Copy)]
struct Done {
    units: u64,
    /// The processor's time that it took.
    asking: Duration,
}

/// A moment of the work of this thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// Returns the present one.
    pub fn now() -> Moment {
        let done = DONE.get();
        let besides = processor().saturating_sub(done.asking);
        Moment(Duration::from_micros(done.units * 1000 / UNITS) + besides)
    }

    /// Returns the work from another moment to this one; zero if it is a later one.
    pub fn since(self, other: Moment) -> Duration {
        self.0.saturating_sub(other.0)
    }

    /// Returns whether this moment has come, or the time of day at which all work ends.
    pub fn is_over(self) -> bool {
        Moment::now() >= self || is_late()
    }
}

impl Add<Duration> for Moment {
    type Output = Moment;

    fn add(self, work: Duration) -> Moment {
        Moment(self.0.saturating_add(work))
    }
}

/// Returns the work that Z3 has done in this thread, by its units alone.
pub fn of_solver() -> Duration {
    Duration::from_micros(DONE.get().units * 1000 / UNITS)
}

/// Says when this thread must stop working; `None` for never.
pub fn set_deadline(deadline: Option<Instant>) {
    DEADLINE.set(deadline);
}

/// Returns whether the deadline of this thread is over.
pub fn is_late() -> bool {
    DEADLINE.get().is_some_and(|end| Instant::now() >= end)
}

/// Asks Z3, which may do so much work, and no more than fits before the deadline.
///
/// Z3 has timeouts as well, but its timers are threads, and before each fork of the process Z3
/// waits until it has ended all of them: two threads that fork together wait without end, each for
/// timers that the other has ended. Nor must Z3 catch interrupts: its handler would take the place
/// of the command's.
pub(crate) fn check(solver: &z3::Solver, work: Duration) -> SatResult {
    let left = DEADLINE
        .get()
        .map(|end| end.saturating_duration_since(Instant::now()));
    let work = left.map_or(work, |left| left.min(work));
    let units = (work.as_micros() as u64).saturating_mul(UNITS) / 1000;
    let mut params = Params::new();
    params.set_u32("rlimit", u32::try_from(units).unwrap_or(u32::MAX).max(1));
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    let (before, time) = (units_of(solver), processor());
    let answer = solver.check();
    // Where Z3 has counted too far to say, the processor's time of the question counts.
    if let (Some(before), Some(after)) = (before, units_of(solver)) {
        let mut done = DONE.get();
        done.units += u64::from(after.saturating_sub(before));
        done.asking += processor().saturating_sub(time);
        DONE.set(done);
    }
    answer
}

/// The units that Z3 has counted, over all solvers of the thread.
fn units_of(solver: &z3::Solver) -> Option<u32> {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(units)) => Some(units),
        _ => None,
    }
}

/// The processor's time of this thread.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
