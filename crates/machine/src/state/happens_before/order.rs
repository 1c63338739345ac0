//! What operations that order others do to a history.

use super::{Holder, Message, Op};
use impasse_program::instruction::Ordering;
use smallvec::SmallVec;

/// How an atomic access or a fence orders others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// It acquires what it reads.
    pub acquires: bool,
    /// What it writes releases.
    pub releases: bool,
    /// It is sequentially consistent.
    pub is_total: bool,
}

impl Order {
    /// All of it.
    pub const BOTH: Order = Order {
        acquires: true,
        releases: true,
        is_total: true,
    };
}

impl From<Ordering> for Order {
    fn from(ordering: Ordering) -> Order {
        use Ordering::{Acquire, AcquireRelease, Release, SequentiallyConsistent};
        Order {
            acquires: matches!(ordering, Acquire | AcquireRelease | SequentiallyConsistent),
            releases: matches!(ordering, Release | AcquireRelease | SequentiallyConsistent),
            is_total: ordering == SequentiallyConsistent,
        }
    }
}

impl Op {
    /// Returns the action of a thread that reads an atomic or acquires a lock: what was released
    /// through it reaches the thread, or its next acquire fence.
    pub fn read(thread: u32, message: Message, order: Order) -> Op {
        let to = match order.acquires {
            true => Holder::Thread(thread),
            false => Holder::AcquireFence(thread),
        };
        Op::Spread(Holder::Message(message), to)
    }

    /// Returns the actions of a thread that writes an atomic or releases a lock. A
    /// read-modify-write continues the release sequence.
    pub fn write(
        thread: u32,
        message: Message,
        order: Order,
        continues: bool,
    ) -> impl Iterator<Item = Op> {
        let message = Holder::Message(message);
        let erase = (!continues).then_some(Op::Erase(message));
        let spread = Op::Spread(released_by(thread, order), message);
        erase.into_iter().chain([spread])
    }

    /// Returns whether it concerns only what a thread's next acquire fence acquires.
    pub fn is_for_fences_alone(&self) -> bool {
        matches!(
            self,
            Op::Spread(_, Holder::AcquireFence(_)) | Op::Hand(_, Holder::AcquireFence(_), _)
        )
    }

    /// Returns the action of a store that enters a thread's buffer at an index.
    pub fn delay(thread: u32, index: u32, order: Order) -> Op {
        Op::Spread(released_by(thread, order), Holder::Delayed(thread, index))
    }

    /// Returns the actions of a store that leaves a thread's buffer, and writes an atomic if
    /// `message` is given.
    pub fn reach(thread: u32, index: u32, message: Option<Message>) -> impl Iterator<Item = Op> {
        let delayed = Holder::Delayed(thread, index);
        let written = message
            .map(Holder::Message)
            .map(|message| [Op::Erase(message), Op::Spread(delayed, message)]);
        let gone = [Op::Erase(delayed), Op::Shift(thread, index)];
        written.into_iter().flatten().chain(gone)
    }

    /// Returns the actions of a thread that executes a fence.
    pub fn fence(thread: u32, order: Order) -> impl Iterator<Item = Op> {
        let (acquire, release) = (Holder::AcquireFence(thread), Holder::ReleaseFence(thread));
        let me = Holder::Thread(thread);
        let acquires = order.acquires.then_some(Op::Spread(acquire, me));
        let releases = order.releases.then_some(Op::Spread(me, release));
        acquires.into_iter().chain(releases)
    }

    /// Returns the actions of a thread that starts another one.
    pub fn start(thread: u32, started: u32) -> [Op; 3] {
        let spread = Op::Spread(Holder::Thread(thread), Holder::Thread(started));
        [Op::Begin(thread), Op::Begin(started), spread]
    }

    /// Returns the actions of a thread that ends.
    pub fn end(thread: u32) -> [Op; 2] {
        let spread = Op::Spread(Holder::Thread(thread), Holder::Ended(thread));
        [spread, Op::End(thread)]
    }

    /// Returns the actions of a thread that finds that another one has ended, whose number can be
    /// used again.
    pub fn join(thread: u32, ended: u32) -> [Op; 3] {
        let ended = Holder::Ended(ended);
        [
            Op::Spread(ended, Holder::Thread(thread)),
            Op::Erase(ended),
            Op::Await(thread, SmallVec::new()),
        ]
    }
}

/// Who knows what a store releases: its thread, or that as it was at its last release fence.
fn released_by(thread: u32, order: Order) -> Holder {
    match order.releases {
        true => Holder::Thread(thread),
        false => Holder::ReleaseFence(thread),
    }
}
