//! Signals, as far as the machine sees to them: which ones a thread blocks, which ones wait for it,
//! and when its handlers run.
//!
//! The runtime (`runtime/signals.c`) defines what a signal does. A thread handles a signal that it
//! sends to itself immediately. A signal from another thread is *pending*. Once it is not blocked,
//! the thread may run its handler before each of its steps; now or later is the scheduler's choice.
//! A signal to the process is *shared*: every thread knows of it, and the first one that handles or
//! takes it makes the others forget it.
//! While a handler runs, the signals of its action's mask are blocked. Blocking them is one action
//! with the beginning of the handler, unblocking them one with its end, so that handlers of one
//! signal never pile up.
//!
//! **Interruptions and the reduction.** A handler is code of the same thread: it may access memory
//! that only this thread can reach, between two accesses that are invisible to other threads. So in
//! a program that can send signals to other threads, while a thread may send one or a signal is
//! pending, each memory access of a thread that does not block all signals with handlers is a step,
//! as with `--por=off`, and so is the end of the thread. It is not enough to start this when a
//! signal is sent: an earlier step would already have run past invisible accesses between which
//! the signal may arrive.
//!
//! A section of waiting is not ended by an interruption: it stays open while the handler runs. A
//! handler that waits for something of the same type is in no section of its own.
//!
//! An interrupted instruction is executed again when the handler has returned: it had no effect.
//! Where the system call behind it fails with `EINTR` instead, whether the thread waited in it
//! already, or was just about to, is another choice.

use crate::base::codec::{Reader, put};
use crate::base::section_type::SectionType;
use smallvec::SmallVec;

/// A set of signals: signal `n` is bit `n - 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SignalSet(pub u64);

impl SignalSet {
    /// All signals: more than a program can block.
    pub const ALL: SignalSet = SignalSet(u64::MAX);

    /// Returns the set of one signal, from 1 to 64.
    pub fn of(signal: u32) -> SignalSet {
        SignalSet(1 << (signal.clamp(1, 64) - 1))
    }

    /// Returns the lowest signal of the set, or `None` if it is empty.
    pub fn lowest(self) -> Option<u32> {
        (self.0 != 0).then(|| self.0.trailing_zeros() + 1)
    }

    /// Returns the intersection.
    pub fn common(self, other: SignalSet) -> SignalSet {
        SignalSet(self.0 & other.0)
    }

    /// Returns the difference.
    pub fn without(self, other: SignalSet) -> SignalSet {
        SignalSet(self.0 & !other.0)
    }

    /// Adds the signals of another set.
    pub fn add(&mut self, other: SignalSet) {
        self.0 |= other.0;
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Signals that wait, and how many more of the same: a real-time signal that is sent again waits
/// again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    set: SignalSet,
    /// For each signal that waits several times, in ascending order: how often besides the first.
    more: SmallVec<[(u8, u8); 1]>,
}

impl Waiting {
    /// How often a signal can wait, besides the first time.
    const MOST: u8 = 32;

    /// Returns the signals.
    #[inline]
    pub fn set(&self) -> SignalSet {
        self.set
    }

    /// Returns whether a signal waits.
    pub fn has(&self, signal: u32) -> bool {
        !self.set.common(SignalSet::of(signal)).is_empty()
    }

    /// Adds a signal, or, if it waits already and all of them are `kept`, another one. Returns
    /// false if there are too many.
    pub fn add(&mut self, signal: u32, kept: bool) -> bool {
        if !self.has(signal) {
            self.set.add(SignalSet::of(signal));
            return true;
        }
        if !kept {
            return true;
        }
        match self.find(signal) {
            Ok(at) if self.more[at].1 == Waiting::MOST => return false,
            Ok(at) => self.more[at].1 += 1,
            Err(at) => self.more.insert(at, (signal as u8, 1)),
        }
        true
    }

    /// Removes a signal once.
    pub fn take(&mut self, signal: u32) {
        let Ok(at) = self.find(signal) else {
            self.set = self.set.without(SignalSet::of(signal));
            return;
        };
        self.more[at].1 -= 1;
        if self.more[at].1 == 0 {
            self.more.remove(at);
        }
    }

    /// Removes a signal, as often as it waits.
    pub fn forget(&mut self, signal: u32) {
        self.set = self.set.without(SignalSet::of(signal));
        if let Ok(at) = self.find(signal) {
            self.more.remove(at);
        }
    }

    fn find(&self, signal: u32) -> Result<usize, usize> {
        self.more
            .binary_search_by_key(&(signal as u8), |more| more.0)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.set.0);
        put(out, self.more.len() as u64);
        for &(signal, count) in &self.more {
            out.extend([signal, count]);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Waiting {
        let set = SignalSet(reader.number());
        let count = reader.small();
        Waiting {
            set,
            more: (0..count).map(|_| (reader.byte(), reader.byte())).collect(),
        }
    }
}

/// A signal that waits for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Its number.
    pub signal: u32,
    /// Whether the process got it, and any thread may take it.
    pub shared: bool,
}

/// How a handler ended that interrupted a system call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Interrupted {
    /// Nothing was interrupted, or the thread was about to wait only.
    #[default]
    No = 0,
    /// Calls that can be started again are.
    Restarting = 1,
    /// The call fails.
    Failing = 2,
}

/// A handler that interrupted its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The number of its frame.
    pub(crate) frame: u32,
    /// Whether it interrupted a call that may fail because of it.
    pub(crate) fails: bool,
    /// What the thread blocked before.
    pub(crate) blocked: SignalSet,
    /// The type of section that the thread was in, waiting: it is in it still.
    pub(crate) waits: Option<SectionType>,
}

/// What a thread has to do with signals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signals {
    /// Those that it blocks.
    pub blocked: SignalSet,
    /// Those that have handlers: the same for all threads.
    pub handled: SignalSet,
    /// Those that wait for it alone.
    pub pending: Waiting,
    /// Those that wait for any thread of the process: the same for all threads.
    pub shared: Waiting,
    /// Those that it is waiting to take, though it may block them.
    pub awaited: SignalSet,
    /// How the last interruption of a call ended, until that call knows.
    pub interrupted: Interrupted,
    pub(crate) handlers: SmallVec<[Handler; 1]>,
}

impl Signals {
    /// Returns the signals of a thread that this one starts, which inherits the mask.
    pub fn inherited(&self) -> Signals {
        Signals {
            blocked: self.blocked,
            handled: self.handled,
            shared: self.shared.clone(),
            ..Signals::default()
        }
    }

    /// Returns whether nothing differs from the default.
    pub fn is_plain(&self) -> bool {
        *self == Signals::default()
    }

    /// Returns the signals that may interrupt the thread.
    #[inline]
    pub fn deliverable(&self) -> SignalSet {
        self.waiting().without(self.blocked)
    }

    /// Returns the signals that the thread could take.
    #[inline]
    pub fn waiting(&self) -> SignalSet {
        SignalSet(self.pending.set.0 | self.shared.set.0)
    }

    /// Returns the signal of a set that comes next, of those that the thread could take: first of
    /// its own, and the lowest.
    pub fn next_of(&self, set: SignalSet) -> Option<Sent> {
        let next = |waiting: SignalSet, shared| {
            let signal = waiting.common(set).lowest()?;
            Some(Sent { signal, shared })
        };
        next(self.pending.set, false).or_else(|| next(self.shared.set, true))
    }

    /// Returns whether the thread would handle or take a signal that the process gets.
    pub fn may_take(&self, signal: SignalSet) -> bool {
        let open = SignalSet(!self.blocked.0 | self.awaited.0);
        !open.common(signal).is_empty()
    }

    /// Returns the types of the waits that handlers have interrupted.
    pub fn interrupted_waits(&self) -> impl Iterator<Item = SectionType> + '_ {
        self.handlers.iter().filter_map(|handler| handler.waits)
    }

    /// Removes the handlers in frames inside of frame `index`, which are gone. Returns whether
    /// there were any.
    pub fn leave_handlers_inside(&mut self, index: usize) -> bool {
        let before = self.handlers.len();
        self.handlers.retain(|h| h.frame as usize <= index);
        self.handlers.len() < before
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.blocked.0);
        put(out, self.handled.0);
        self.pending.encode(out);
        self.shared.encode(out);
        put(out, self.awaited.0);
        out.push(self.interrupted as u8);
        put(out, self.handlers.len() as u64);
        for handler in &self.handlers {
            put(out, (handler.frame as u64) << 1 | handler.fails as u64);
            put(out, handler.blocked.0);
            out.push(handler.waits.map_or(0, |kind| kind as u8 + 1));
        }
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> Signals {
        let blocked = SignalSet(reader.number());
        let handled = SignalSet(reader.number());
        let pending = Waiting::decode(reader);
        let shared = Waiting::decode(reader);
        let awaited = SignalSet(reader.number());
        let interrupted = match reader.byte() {
            0 => Interrupted::No,
            1 => Interrupted::Restarting,
            _ => Interrupted::Failing,
        };
        let count = reader.small();
        let mut handler = || {
            let bits = reader.number();
            Handler {
                frame: (bits >> 1) as u32,
                fails: bits & 1 == 1,
                blocked: SignalSet(reader.number()),
                waits: reader
                    .byte()
                    .checked_sub(1)
                    .map(|kind| SectionType::ALL[kind as usize]),
            }
        };
        Signals {
            blocked,
            handled,
            pending,
            shared,
            awaited,
            interrupted,
            handlers: (0..count).map(|_| handler()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_and_back() {
        let mut signals = Signals::default();
        assert!(signals.is_plain());
        signals.blocked.add(SignalSet::of(64));
        signals.pending.add(1, false);
        signals.shared.add(40, true);
        signals.shared.add(40, true);
        signals.awaited.add(SignalSet::of(3));
        signals.interrupted = Interrupted::Failing;
        signals.handlers.push(Handler {
            frame: 7,
            fails: true,
            blocked: SignalSet::of(3),
            waits: Some(SectionType::Semaphore),
        });
        let mut stored = Vec::new();
        signals.encode(&mut stored);
        assert_eq!(Signals::decode(&mut Reader::new(&stored)), signals);
        assert!(signals.leave_handlers_inside(6));
        assert!(!signals.leave_handlers_inside(6));
    }

    #[test]
    fn blocked_signals_are_not_delivered() {
        let mut signals = Signals::default();
        signals.pending.add(10, false);
        assert_eq!(signals.deliverable().lowest(), Some(10));
        signals.blocked.add(SignalSet::of(10));
        assert!(signals.deliverable().is_empty());
        assert!(signals.inherited().pending.set().is_empty());
        signals.shared.add(9, false);
        assert_eq!(signals.inherited().deliverable().lowest(), Some(9));
        assert_eq!(signals.inherited().blocked, SignalSet::of(10));
    }

    #[test]
    fn its_own_signals_come_first() {
        let mut signals = Signals::default();
        signals.pending.add(12, false);
        signals.shared.add(10, false);
        let next = |signals: &Signals, set| signals.next_of(set).map(|s| (s.signal, s.shared));
        assert_eq!(next(&signals, SignalSet(!0)), Some((12, false)));
        assert_eq!(next(&signals, SignalSet::of(10)), Some((10, true)));
        assert_eq!(next(&signals, SignalSet::of(11)), None);
    }

    #[test]
    fn a_thread_that_awaits_a_signal_may_take_it() {
        let mut signals = Signals {
            blocked: SignalSet(!0),
            ..Signals::default()
        };
        assert!(!signals.may_take(SignalSet::of(10)));
        signals.awaited = SignalSet::of(10);
        assert!(signals.may_take(SignalSet::of(10)));
        assert!(!signals.may_take(SignalSet::of(12)));
    }
}
