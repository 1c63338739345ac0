//! What the threads of the process say, as `runtime/steered.h` describes it.

use anyhow::{Result, bail};

/// What a thread says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The thread, in the order in which threads start.
    pub thread: u32,
    /// What it says.
    pub what: What,
    /// How many threads there have been.
    pub threads: u32,
    /// Whether its last call has done nothing: it has tried, or waited for long enough.
    pub vain: bool,
}

/// What a thread can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// It has started, and the kernel knows it by this number.
    Started(u32),
    /// It is about to act.
    Arrived(Access, Vec<u64>),
    /// It is blocked, perhaps until a time at which it gives up; the addresses of the code where
    /// it is, innermost first.
    Blocked(bool, Vec<u64>),
    /// It has ended.
    Ended,
    /// The program has gone wrong, at these addresses of code.
    Failed(Failure, Vec<u64>),
    /// The same, of something that does no harm by itself; it waits.
    Noticed(Failure, Vec<u64>),
    /// A signal is about to kill the process; it came at these addresses of code.
    Killed(i32, Vec<u64>),
    /// The same, as the stack is too large.
    StackOverflow(Vec<u64>),
}

/// What a thread is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// Whether it reads memory.
    pub reads: bool,
    /// Whether it writes memory.
    pub writes: bool,
    /// Whether it does so atomically.
    pub atomic: bool,
    /// The first byte, or what a call is about.
    pub address: u64,
    /// How many bytes; 0 for a call.
    pub size: u64,
    /// Of a call: the lock that it gives up too, or the thread that it joins; 3 if it is about a
    /// descriptor; of one that orders nothing, the bytes that it frees, or without an address 1 if
    /// it sleeps and 2 if it allocates.
    pub other: u64,
    /// The memory order of an atomic access or a fence; what a call orders.
    pub order: Order,
}

/// Memory orders.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Order {
    /// Whether it acquires.
    pub acquires: bool,
    /// Whether it releases.
    pub releases: bool,
}

impl Access {
    /// Returns whether it races with another one that is about to be made at the same time.
    pub fn races_with(&self, other: &Access) -> bool {
        let overlap = self.address < other.end() && other.address < self.end();
        overlap && (self.changes() || other.changes()) && !(self.orders() && other.orders())
    }

    /// The first byte beyond.
    fn end(&self) -> u64 {
        let bytes = if self.frees() { self.other } else { self.size };
        self.address.saturating_add(bytes.max(1))
    }

    /// Whether it is a call that orders nothing.
    fn orders_nothing(&self) -> bool {
        let orders = self.order.acquires || self.order.releases;
        self.size == 0 && !self.atomic && !orders
    }

    /// Whether it frees memory.
    fn frees(&self) -> bool {
        self.orders_nothing() && self.address > 0 && self.other > 0
    }

    /// Returns whether it is a call that only lets others run: a yield or a sleep.
    pub fn only_yields(&self) -> bool {
        self.orders_nothing() && self.address == 0
    }

    /// Returns whether it is a call about a descriptor, which a path does not list.
    pub fn is_about_descriptor(&self) -> bool {
        self.size == 0 && !self.atomic && (self.address, self.other) == (1, 3)
    }

    /// Returns whether it is a yield.
    pub fn is_yield(&self) -> bool {
        self.only_yields() && self.other == 0
    }

    /// Whether it may change memory, as a call may that is about some.
    fn changes(&self) -> bool {
        self.writes || self.size == 0
    }

    /// Whether it races with none of its kind: it is atomic, or a call that synchronises.
    fn orders(&self) -> bool {
        self.atomic || self.size == 0 && !self.frees()
    }
}

/// What the runtime notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// An assertion does not hold.
    Assertion,
    /// An access beyond an allocation.
    OutOfBounds,
    /// An access to freed memory.
    UseAfterFree,
    /// A second `free`.
    DoubleFree,
    /// A `free` of something that was not allocated.
    InvalidFree,
    /// A lock that the thread does not hold, or a held one that is destroyed.
    Mutex,
    /// A thread that cannot be joined.
    Thread,
    /// An access to a variable whose function has returned, or whose block has ended.
    UseAfterReturn,
    /// A result that does not fit into its type.
    Overflow,
    /// A division by zero, or one that overflows.
    Division,
    /// A shift by too much.
    Shift,
    /// The end of a function that must return a value, or another point that is never reached.
    Unreachable,
    /// A call of a function as one of another type, or with arguments that it does not take.
    Call,
    /// Memory that nothing refers to any more.
    Leak,
}

/// The size of a message.
pub const SIZE: usize = 32 + 8 * STACK;

const STACK: usize = 24;

/// The answer to a thread that has reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// To continue, or to try again.
    Go,
    /// To give up waiting, as time is up; or to fail in what may fail without a reason.
    GiveUp,
    /// To act as if it were woken.
    Wake,
    /// To take a signal, and to report again.
    Signal(u8),
}

impl Answer {
    /// Returns what is sent for it.
    pub fn byte(self) -> u8 {
        match self {
            Answer::Go => 1,
            Answer::GiveUp => 2,
            Answer::Wake => 3,
            Answer::Signal(number) => number.saturating_add(64),
        }
    }
}

impl Message {
    /// Reads a message. Fails if it is none.
    pub fn read(bytes: &[u8; SIZE]) -> Result<Message> {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let (kind, detail) = (bytes[0], bytes[1]);
        let frames = usize::from(bytes[2]).min(STACK);
        let stack: Vec<u64> = (0..frames).map(|n| word(32 + 8 * n)).collect();
        let (address, size) = (word(8), word(16));
        let what = match kind {
            0 => What::Started(size as u32),
            1 => {
                let access = Access {
                    reads: detail & 1 != 0,
                    writes: detail & 2 != 0,
                    atomic: detail & 8 != 0,
                    address,
                    size,
                    other: word(24),
                    order: match (detail & 15, detail >> 4) {
                        // A call orders both, if it does not say which.
                        (0, 0) => Order {
                            acquires: true,
                            releases: true,
                        },
                        (_, order) => Order {
                            acquires: matches!(order, 1 | 2 | 4 | 5),
                            releases: matches!(order, 3..=5),
                        },
                    },
                };
                What::Arrived(access, stack)
            }
            2 => What::Blocked(detail != 0, stack),
            3 => What::Ended,
            4 => What::Failed(failure(detail)?, stack),
            5 => What::Killed(i32::from(detail), stack),
            6 => What::StackOverflow(stack),
            7 => What::Noticed(failure(detail)?, stack),
            _ => bail!("the process says what nobody understands"),
        };
        let number = |at: usize| u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        Ok(Message {
            thread: number(4),
            threads: number(6),
            what,
            vain: bytes[3] != 0,
        })
    }
}

fn failure(detail: u8) -> Result<Failure> {
    Ok(match detail {
        0 => Failure::Assertion,
        1 => Failure::OutOfBounds,
        2 => Failure::UseAfterFree,
        3 => Failure::DoubleFree,
        4 => Failure::InvalidFree,
        5 => Failure::Mutex,
        6 => Failure::Thread,
        7 => Failure::UseAfterReturn,
        8 => Failure::Overflow,
        9 => Failure::Division,
        10 => Failure::Shift,
        11 => Failure::Unreachable,
        12 => Failure::Call,
        13 => Failure::Leak,
        _ => bail!("the process says what nobody understands"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Access, Message, Order, SIZE, What};

    #[test]
    fn messages_are_read_as_the_runtime_writes_them() {
        let mut bytes = [0; SIZE];
        (bytes[0], bytes[1], bytes[2], bytes[4]) = (1, 3 | 8 | 3 << 4, 1, 7);
        (bytes[8], bytes[16], bytes[32]) = (0x40, 4, 0x99);
        let access = Access {
            reads: true,
            writes: true,
            atomic: true,
            address: 0x40,
            size: 4,
            other: 0,
            order: Order {
                acquires: false,
                releases: true,
            },
        };
        let message = Message::read(&bytes).unwrap();
        assert_eq!(message.thread, 7);
        assert_eq!(message.what, What::Arrived(access, vec![0x99]));
        bytes[0] = 9;
        assert!(Message::read(&bytes).is_err());
    }

    #[test]
    fn accesses_race_if_they_overlap_and_one_writes_and_one_is_not_atomic() {
        let access = |address, size, writes: bool, atomic| Access {
            reads: !writes,
            writes,
            atomic,
            address,
            size,
            ..Access::default()
        };
        assert!(access(8, 4, true, false).races_with(&access(11, 1, false, true)));
        assert!(!access(8, 4, true, false).races_with(&access(12, 1, false, false)));
        assert!(!access(8, 4, false, false).races_with(&access(8, 4, false, false)));
        assert!(!access(8, 4, true, true).races_with(&access(8, 4, true, true)));
        let free = Access {
            address: 8,
            other: 16,
            ..Access::default()
        };
        assert!(free.races_with(&access(20, 4, false, true)));
        assert!(!free.races_with(&access(24, 4, false, true)));
    }
}
