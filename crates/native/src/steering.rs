//! Steering: one thread runs at a time, and all of them in the order of a path.

use crate::clocks::Clocks;
use crate::expected::{ends_at, fits_failure, is_at};
use crate::protocol::{Access, Answer, Message, What};
use crate::states::{Arrival, At, Event, Exit, Hold, Process, Stop};
use crate::turns::{Rest, fits, gives_up, in_words, is_woken, shown};
use impasse_diagnose::order::{Class, Operation, Place, Turn};
use impasse_report::ErrorReport;
use impasse_report::rendering::thread_name;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An operation that was done.
struct Done {
    thread: u32,
    /// How many operations the thread had done before.
    after: u64,
    access: Access,
    place: Option<Place>,
    /// The thread's own time.
    time: u64,
}

struct Thread {
    kernel: u32,
    at: At,
    operations: u64,
}

/// How long a thread may be silent before it is looked at.
const SILENCE: Duration = Duration::from_millis(30);

/// After how long a silent thread is taken for one that says nothing any more.
const LONG_SILENCE: Duration = Duration::from_secs(2);

/// How often in a row a silent thread must be found waiting.
const FOUND_WAITING: u32 = 4;

/// How often it is listened for a thread that is to start.
const UNTIL_STARTED: u32 = 150;

/// How long a silent thread is listened to again.
const AGAIN: Duration = Duration::from_millis(1);

/// How often other threads run so that a blocked one can.
const MOST_HELP: usize = 2_000;

/// How many operations of a turn are looked at to find out whether the thread has come past some.
const AHEAD: usize = 40;

/// How many operations that are not on the path a thread does between two that are.
const MOST_BETWEEN: u64 = 300_000;

/// A process whose threads run one at a time.
pub struct Steering<P> {
    process: P,
    threads: BTreeMap<u32, Thread>,
    done: Vec<Done>,
    clocks: Clocks,
    /// The thread that ran last.
    last: Option<u32>,
    /// How many threads there have been, as the process says.
    expected: u32,
    hold: Option<Hold>,
    /// The error that is looked for.
    watched: Option<ErrorReport>,
    deadline: Instant,
    /// Whether what a thread cannot do where it should is left out.
    skips: bool,
}

impl<P: Process> Steering<P> {
    /// Returns the steering of a process whose threads have not acted yet. `hold` says which thread
    /// never does a certain operation.
    pub fn new(process: P, hold: Option<Hold>, deadline: Instant) -> Steering<P> {
        Steering {
            process,
            threads: BTreeMap::new(),
            done: Vec::new(),
            clocks: Clocks::default(),
            last: None,
            expected: 0,
            hold,
            watched: None,
            deadline,
            skips: false,
        }
    }

    /// Leaves out what a thread cannot do where it should, instead of leaving the path.
    pub fn skip(&mut self) {
        self.skips = true;
    }

    /// Stops at what does no harm by itself, if it is this error.
    pub fn watch(&mut self, error: &ErrorReport) {
        self.watched = Some(error.clone());
    }

    /// Returns where a thread is, unless it has not started.
    pub fn at(&self, thread: u32) -> Option<&At> {
        self.threads.get(&thread).map(|it| &it.at)
    }

    /// Returns the threads that have started.
    pub fn threads(&self) -> Vec<u32> {
        self.threads.keys().copied().collect()
    }

    /// Has the threads take these turns. What a thread does besides, it does on the way to its next
    /// act. Ends early as the [`Stop`] says.
    pub fn follow(&mut self, turns: &[Turn]) -> Result<(), Stop> {
        self.started(0)?;
        for (n, turn) in turns.iter().enumerate() {
            let rest = Rest(&turns[n + 1..]);
            self.take_turn(turn, rest)?;
        }
        self.all_started()
    }

    /// Has a thread do what it does in a turn, up to where it is about to do something else.
    fn take_turn(&mut self, turn: &Turn, rest: Rest<'_>) -> Result<(), Stop> {
        tracing::debug!(?turn);
        let thread = turn.thread;
        if self.skips && thread >= self.expected {
            return Ok(());
        }
        self.started(thread)?;
        let mut left = &turn.operations[..];
        let mut last: Option<&Operation> = None;
        let (mut between, mut helped) = (0, 0);
        while !self.is_held(thread) {
            if let Some(signal) = self.signal_due(thread, left, rest) {
                left = &shown(left)[1..];
                self.answer(thread, Answer::Signal(signal))?;
                continue;
            }
            match &self.threads[&thread].at {
                At::Ended => break,
                At::Start => self.advance(thread)?,
                At::Blocked { .. } if is_woken(left) => {
                    left = &left[1..];
                    self.answer(thread, Answer::Wake)?;
                }
                At::Blocked { ends: true, .. } if rest.0.is_empty() || gives_up(left) => {
                    let first = left.first().map(|act| act.class);
                    let at_once = first == Some(Class::Timeout);
                    left = &left[usize::from(at_once)..];
                    if !at_once {
                        self.advance(thread)?;
                    }
                    self.give_up(thread)?;
                }
                At::Blocked { .. } | At::Silent => {
                    if left.is_empty() {
                        break;
                    }
                    let goes_on_later = rest.next_of(thread).is_some();
                    helped += 1;
                    if !self.advance_with_help(thread, rest)? || helped > MOST_HELP {
                        if left.len() < turn.operations.len() || !goes_on_later || self.skips {
                            break;
                        }
                        return Err(Stop::Left(format!("{} waits", thread_name(thread))));
                    }
                }
                At::Arrival(arrival) => {
                    left = shown(left);
                    let mut ahead = left.iter().take(AHEAD);
                    let mut answer = Answer::Go;
                    if let Some(skipped) = ahead.position(|act| fits(act, arrival)) {
                        if left[skipped].class == Class::Fails {
                            answer = Answer::GiveUp;
                        }
                        last = Some(&left[skipped]);
                        left = &left[skipped + 1..];
                    } else if left.is_empty() {
                        let is_part = |act: &&Operation| {
                            let same = arrival.place.as_ref() == Some(&act.place);
                            let begins = act.class == Class::LibraryAccess;
                            let is_before = begins && arrival.access.size == 0;
                            act.class.is_library() && same && !arrival.direct && !is_before
                        };
                        let next = rest.next_of(thread).and_then(|it| it.first());
                        let is_next = next.is_some_and(|act| fits(act, arrival));
                        // Without an order of its own, it belongs to either turn.
                        let is_free = arrival.access.is_about_descriptor() && !self.skips;
                        if !is_free && (is_next || last.filter(is_part).is_none()) {
                            break;
                        }
                    } else if rest.is_next(thread, arrival) {
                        break;
                    } else {
                        between += 1;
                    }
                    if between > MOST_BETWEEN {
                        return Err(Stop::Left(format!(
                            "{} does not come to {}",
                            thread_name(thread),
                            in_words(&left[0].place)
                        )));
                    }
                    self.advance_with(thread, answer)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the signal that a thread is to take where it is, as what is left of its turn says:
    /// at the place of that, but before its next operation.
    fn signal_due(&self, thread: u32, left: &[Operation], rest: Rest<'_>) -> Option<u8> {
        let (first, next) = shown(left).split_first()?;
        let Class::Signal(signal) = first.class else {
            return None;
        };
        let is_here = match &self.threads[&thread].at {
            At::Arrival(arrival) => {
                let spot = arrival.place.as_ref().and_then(|place| place.spot.as_ref());
                let next = shown(next).first();
                spot == first.place.spot.as_ref()
                    || next.is_some_and(|act| fits(act, arrival))
                    || next.is_none() && rest.is_next(thread, arrival)
            }
            At::Blocked { .. } => true,
            At::Start | At::Silent | At::Ended => false,
        };
        is_here.then_some(signal)
    }

    /// Has a blocked thread try again; if it is still blocked, after others have run; if those
    /// cannot, it gives up, if its wait ends at some time. Returns whether anything has happened.
    fn advance_with_help(&mut self, thread: u32, rest: Rest<'_>) -> Result<bool, Stop> {
        self.advance(thread)?;
        if !self.is_blocked(thread) {
            return Ok(true);
        }
        let mut moved = false;
        for other in self.threads() {
            if other == thread || self.is_held(other) {
                continue;
            }
            let before = self.threads[&other].at.clone();
            let may_move = match &before {
                At::Arrival(arrival) => !rest.is_next(other, arrival),
                At::Start | At::Blocked { .. } | At::Silent => rest.next_of(other).is_none(),
                At::Ended => false,
            };
            if may_move {
                self.advance(other)?;
                moved |= self.threads[&other].at != before || matches!(before, At::Arrival(_));
            }
        }
        Ok(moved || self.give_up(thread)?)
    }

    /// Has a thread give up waiting, if it waits until some time. Returns whether it does.
    fn give_up(&mut self, thread: u32) -> Result<bool, Stop> {
        let is_it = matches!(self.threads[&thread].at, At::Blocked { ends: true, .. });
        if is_it {
            self.answer(thread, Answer::GiveUp)?;
        }
        Ok(is_it)
    }

    /// Resumes a blocked thread.
    fn answer(&mut self, thread: u32, answer: Answer) -> Result<(), Stop> {
        self.in_time()?;
        self.last = Some(thread);
        self.process.tell(thread, answer);
        self.listen(thread, false)
    }

    /// Has some thread that waits for an answer take a signal.
    pub fn send(&mut self, signal: u8) -> Result<(), Stop> {
        let waits = |of: &Thread| matches!(of.at, At::Arrival(_) | At::Blocked { .. });
        let found = self.threads.iter().find(|(_, of)| waits(of));
        match found.map(|(&thread, _)| thread) {
            Some(thread) => self.answer(thread, Answer::Signal(signal)),
            None => Ok(()),
        }
    }

    fn is_blocked(&self, thread: u32) -> bool {
        matches!(self.threads[&thread].at, At::Blocked { .. } | At::Silent)
    }

    /// Whether a thread is before the operation that it must not do.
    pub fn is_held(&self, thread: u32) -> bool {
        let hold = self.hold.filter(|hold| hold.thread == thread);
        let of = self.threads.get(&thread);
        match (hold, of) {
            (Some(hold), Some(of)) => {
                of.operations == hold.after && matches!(of.at, At::Arrival(_))
            }
            _ => false,
        }
    }

    /// Has a thread continue to its next report. One that is held stays.
    pub fn advance(&mut self, thread: u32) -> Result<(), Stop> {
        self.advance_with(thread, Answer::Go)
    }

    /// The same, where the answer may be that what it tries fails.
    fn advance_with(&mut self, thread: u32, answer: Answer) -> Result<(), Stop> {
        self.in_time()?;
        if self.is_held(thread) {
            return Ok(());
        }
        let of = self.threads.get_mut(&thread).expect("it has started");
        match &of.at {
            At::Ended => return Ok(()),
            At::Silent => return self.listen(thread, true),
            At::Arrival(arrival) => {
                self.done.push(Done {
                    thread,
                    after: of.operations,
                    access: arrival.access,
                    place: arrival.place.clone(),
                    time: self.clocks.act(thread, &arrival.access),
                });
                of.operations += 1;
            }
            At::Start | At::Blocked { .. } => {}
        }
        self.last = Some(thread);
        self.process.tell(thread, answer);
        self.listen(thread, false)
    }

    /// Waits until a thread says something, or is silent for long. One that `was_silent` is only
    /// polled again.
    fn listen(&mut self, thread: u32, was_silent: bool) -> Result<(), Stop> {
        let wait = if was_silent { AGAIN } else { SILENCE };
        let since = Instant::now();
        let mut found_waiting = 0;
        loop {
            match self.process.next(wait) {
                Event::Said(message) => {
                    let speaker = message.thread;
                    if self.heard(message)? && speaker == thread {
                        return self.all_started();
                    }
                }
                Event::Ended(exit) => return Err(Stop::Exit(exit, None)),
                Event::Quiet => {
                    let of = self.threads.get_mut(&thread).expect("it has started");
                    found_waiting = match self.process.waits(of.kernel) {
                        true => found_waiting + 1,
                        false => 0,
                    };
                    let is_silent = was_silent
                        || found_waiting == FOUND_WAITING
                        || since.elapsed() > LONG_SILENCE;
                    if is_silent {
                        of.at = At::Silent;
                        return Ok(());
                    }
                }
            }
            self.in_time()?;
        }
    }

    /// Waits until those threads have started that were created.
    fn all_started(&mut self) -> Result<(), Stop> {
        for thread in 0..self.expected {
            self.started(thread)?;
        }
        Ok(())
    }

    /// Waits until a thread has started.
    fn started(&mut self, thread: u32) -> Result<(), Stop> {
        let mut silent = 0;
        while !self.threads.contains_key(&thread) {
            match self.process.next(SILENCE) {
                Event::Said(message) => {
                    self.heard(message)?;
                }
                Event::Ended(exit) => return Err(Stop::Exit(exit, None)),
                Event::Quiet if silent < UNTIL_STARTED || thread == 0 => silent += 1,
                Event::Quiet => {
                    return Err(Stop::Left(format!(
                        "{} does not start",
                        thread_name(thread)
                    )));
                }
            }
            self.in_time()?;
        }
        Ok(())
    }

    /// Notes what a thread says. Returns whether it waits where it can be resumed.
    fn heard(&mut self, message: Message) -> Result<bool, Stop> {
        let thread = message.thread;
        self.expected = self.expected.max(message.threads);
        if message.vain {
            self.clocks.forget_call(thread);
        }
        let at = match message.what {
            What::Started(kernel) => {
                let at = At::Start;
                let operations = 0;
                self.clocks.start(self.last, thread);
                self.threads.insert(
                    thread,
                    Thread {
                        kernel,
                        at,
                        operations,
                    },
                );
                return Ok(true);
            }
            What::Arrived(access, stack) => {
                let (place, direct) = self.process.place(&stack);
                At::Arrival(Arrival {
                    access,
                    place,
                    direct,
                })
            }
            What::Blocked(ends, stack) => At::Blocked {
                place: self.process.place(&stack).0,
                ends,
            },
            What::Ended => At::Ended,
            What::Killed(signal, stack) => {
                let place = self.process.place(&stack).0;
                return Err(Stop::Exit(Exit::Signal(signal), place));
            }
            // The innermost function may not have got to its first line.
            What::StackOverflow(stack) => {
                let mut place = None;
                for depth in 1..stack.len() {
                    let here = self.process.place(&stack[depth..]).0;
                    let watched = self.watched.as_ref();
                    let is_it = watched
                        .is_some_and(|error| ends_at(error, Exit::StackOverflow, here.as_ref()));
                    if is_it || place.is_none() {
                        place = here;
                    }
                    if is_it {
                        break;
                    }
                }
                return Err(Stop::Exit(Exit::StackOverflow, place));
            }
            What::Noticed(failure, stack) => {
                let place = self.process.place(&stack).0;
                let watched = self.watched.as_ref();
                let is_it = watched.is_some_and(|error| {
                    fits_failure(&error.kind, failure) && is_at(error, place.as_ref())
                });
                if is_it {
                    self.process.tell(thread, Answer::GiveUp);
                    return Err(Stop::Failure(thread, failure, place));
                }
                self.process.tell(thread, Answer::Go);
                return Ok(false);
            }
            What::Failed(failure, stack) => {
                let place = self.process.place(&stack).0;
                return Err(Stop::Failure(thread, failure, place));
            }
        };
        tracing::debug!(thread, ?at);
        if let Some(of) = self.threads.get_mut(&thread) {
            of.at = at;
        }
        Ok(true)
    }

    fn in_time(&self) -> Result<(), Stop> {
        match Instant::now() < self.deadline {
            true => Ok(()),
            false => Err(Stop::Late),
        }
    }

    /// Runs one thread until it is blocked or ends.
    pub fn run_alone(&mut self, thread: u32) -> Result<(), Stop> {
        for _ in 0..MOST_BETWEEN {
            if !matches!(self.threads[&thread].at, At::Start | At::Arrival(_)) {
                break;
            }
            self.advance(thread)?;
        }
        Ok(())
    }

    /// Runs one thread until something goes wrong; others, where it is blocked. Ends at the
    /// latest when it can no more.
    pub fn run_into_error(&mut self, thread: u32) -> Result<(), Stop> {
        self.started(thread)?;
        let mut helped = 0;
        while helped < MOST_HELP {
            match self.threads[&thread].at {
                At::Ended => break,
                At::Start | At::Arrival(_) => self.advance(thread)?,
                // It comes to its error without others.
                At::Blocked { ends: true, .. } => {
                    self.advance(thread)?;
                    self.give_up(thread)?;
                }
                At::Blocked { .. } | At::Silent => {
                    helped += 1;
                    if !self.advance_with_help(thread, Rest(&[]))? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Has all threads take turns; returns whether none of them can continue. `rounds` bounds
    /// how often each has its turn.
    pub fn take_turns(&mut self, rounds: usize) -> Result<bool, Stop> {
        let mut still = 0;
        for _ in 0..rounds {
            let mut moved = false;
            for thread in self.threads() {
                let before = self.threads[&thread].at.clone();
                match before {
                    At::Ended => continue,
                    At::Start | At::Arrival(_) => moved |= !self.is_held(thread),
                    At::Blocked { .. } | At::Silent => {}
                }
                self.advance(thread)?;
                moved |= self.threads[&thread].at != before || self.give_up(thread)?;
            }
            still = if moved { 0 } else { still + 1 };
            if still > 2 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Brings a thread to an access at a place, and returns it; `None` if it does not come there.
    pub fn bring_to(&mut self, thread: u32, place: &Place) -> Result<Option<Arrival>, Stop> {
        self.started(thread)?;
        let mut helped = 0;
        while helped < MOST_HELP {
            match &self.threads[&thread].at {
                At::Ended => break,
                At::Arrival(arrival)
                    if arrival.place.as_ref() == Some(place) && arrival.access.address > 0 =>
                {
                    return Ok(Some(arrival.clone()));
                }
                At::Start | At::Arrival(_) => self.advance(thread)?,
                // It comes to its error without others.
                At::Blocked { ends: true, .. } => {
                    self.advance(thread)?;
                    self.give_up(thread)?;
                }
                At::Blocked { .. } | At::Silent => {
                    helped += 1;
                    if !self.advance_with_help(thread, Rest(&[]))? {
                        break;
                    }
                }
            }
        }
        Ok(None)
    }

    /// Ends the steering, and returns the process.
    pub fn into_process(self) -> P {
        self.process
    }
}

mod races;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub mod toy;
