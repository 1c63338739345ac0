//! Addresses of four bytes, for programs compiled for ILP32 (pointers of 32 bits).
//!
//! In a register an address is an object and an offset ([`crate::address`]), as in every program.
//! Storing it to memory or converting it to an integer *narrows* it to a number of 32 bits; loading
//! or converting back *widens* the number. Objects lie side by side in 4 GiB: globals, functions,
//! then the objects made while running, in the order in which they are made. The number of an
//! address is the start of its object plus the offset. Each object has some room around it, for
//! addresses slightly out of bounds.
//!
//! *Claim.* A program cannot tell this machine from one that stores numbers only. Narrowing is
//! injective where it is defined, and widening is its inverse: a number in the room of an object is
//! an address in that object; every other number names no object. So an address survives the trip
//! through memory or an integer; addresses are equal exactly if their numbers are; numbers order
//! addresses within an object by offset, and objects of one kind by age. An address far outside of
//! its object, or of an object for which there is no room, has no number: the caller must report
//! that Impasse cannot execute this.

use crate::address::{Address, ObjectId, ObjectKind};
use std::sync::Arc;

/// How many bytes before and behind an object belong to it.
const ROOM: u64 = 16;
/// Objects are aligned to this at least.
const ALIGN: u64 = 16;
/// Numbers below this one, and from [`LAST`] on, are never in an object.
const FIRST: u32 = 0x0804_8000;
const FUNCTIONS: u32 = 0x3000_0000;
const FUNCTION_BYTES: u32 = 16;
const DYNAMIC: u32 = 0x4000_0000;
const LAST: u32 = 0xffff_0000;

/// How many bytes an address takes in memory.
pub const BYTES: u32 = 4;

/// Objects of one kind, side by side.
#[derive(Clone, Debug)]
struct Row {
    /// The numbers of objects and where they start; both ascend.
    starts: Vec<(u32, u32)>,
    /// Where the slot of the next object begins.
    next: u64,
    /// Where the row must end.
    end: u64,
    /// Whether there was no room for one.
    full: bool,
}

impl Row {
    fn new(first: u32, end: u32) -> Row {
        Row {
            starts: Vec::new(),
            next: first.into(),
            end: end.into(),
            full: false,
        }
    }

    /// Gives an object a slot; one for which there is none, and all after it, have none.
    fn push(&mut self, object: u32, bytes: u32, align: u64) {
        let start = (self.next + ROOM).next_multiple_of(align.max(ALIGN));
        let next = start + u64::from(bytes) + ROOM;
        let ascends = self.starts.last().is_none_or(|last| last.0 < object);
        self.full |= !ascends || next > self.end;
        if !self.full {
            self.starts.push((object, start as u32));
            self.next = next;
        }
    }

    /// Where an object starts.
    fn start(&self, object: u32) -> Option<u32> {
        let at = self.starts.binary_search_by_key(&object, |entry| entry.0);
        at.ok().map(|at| self.starts[at].1)
    }

    /// The object in whose slot a number lies, and the offset from its start.
    fn find(&self, number: u32) -> Option<(u32, i64)> {
        let behind = u64::from(number) + ROOM;
        let after = self
            .starts
            .partition_point(|entry| u64::from(entry.1) <= behind);
        let &(object, start) = self.starts.get(after.checked_sub(1)?)?;
        let offset = i64::from(number) - i64::from(start);
        (u64::from(number) < self.next || after < self.starts.len()).then_some((object, offset))
    }
}

/// Which numbers objects have.
#[derive(Clone, Debug)]
pub struct Ilp32Addresses {
    globals: Arc<Row>,
    dynamic: Row,
}

impl Ilp32Addresses {
    /// Returns the addresses of a program, from the size and alignment, in bytes, of its globals,
    /// before any object is made.
    pub fn of_globals(globals: impl Iterator<Item = (u32, u32)>) -> Ilp32Addresses {
        let mut row = Row::new(FIRST, FUNCTIONS);
        for (number, (bytes, align)) in (0..).zip(globals) {
            row.push(number, bytes, align.into());
        }
        Ilp32Addresses {
            globals: Arc::new(row),
            dynamic: Row::new(DYNAMIC, LAST),
        }
    }

    /// Assigns an address to an object made while running, of `bytes` bytes; other objects are
    /// ignored.
    pub fn add(&mut self, object: ObjectId, bytes: u32, align_log2: u8) {
        if let ObjectKind::Dynamic(number) = object.kind() {
            self.dynamic.push(number, bytes, 1 << align_log2.min(30));
        }
    }

    /// Returns the 32 bits of an address, or `None` if it has none: an address far outside of its
    /// object.
    pub fn narrow(&self, bits: u64) -> Option<u32> {
        let Address { object, offset } = Address::from_bits(bits);
        let start = match object.kind() {
            ObjectKind::Null => Some(0),
            ObjectKind::Global(n) => self.globals.start(n),
            ObjectKind::Function(n) => n
                .checked_mul(FUNCTION_BYTES)
                .filter(|&at| at < DYNAMIC - FUNCTIONS)
                .map(|at| FUNCTIONS + at),
            ObjectKind::Table(_) => None,
            ObjectKind::Dynamic(n) => self.dynamic.start(n),
        };
        let number = u32::try_from(i64::from(start?) + offset).ok()?;
        (self.widen(number) == bits).then_some(number)
    }

    /// Returns the address that 32 bits stand for. Bits that are in no object stay the number that
    /// they are.
    pub fn widen(&self, number: u32) -> u64 {
        let found = match number {
            FIRST..FUNCTIONS => {
                let found = self.globals.find(number);
                found.map(|(n, offset)| (ObjectId::global(n), offset))
            }
            FUNCTIONS..DYNAMIC => {
                let at = number - FUNCTIONS;
                let offset = i64::from(at % FUNCTION_BYTES);
                Some((ObjectId::function(at / FUNCTION_BYTES), offset))
            }
            DYNAMIC..LAST => {
                let found = self.dynamic.find(number);
                found.map(|(n, offset)| (ObjectId::dynamic(n), offset))
            }
            _ => None,
        };
        match found {
            Some((object, offset)) => Address { object, offset }.bits(),
            None => number.into(),
        }
    }

    /// Returns whether no object has this address, whatever objects there are.
    pub fn is_never_an_object(number: u32) -> bool {
        !(FIRST..LAST).contains(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Ilp32Addresses {
        let mut ilp32 = Ilp32Addresses::of_globals([(4, 4), (0, 1), (100, 64)].into_iter());
        for (number, bytes, align) in [(16, 1, 0), (17, 4096, 12), (31, 0, 3), (48, 12, 4)] {
            ilp32.add(ObjectId::dynamic(number), bytes, align);
        }
        ilp32
    }

    fn bits(object: ObjectId, offset: i64) -> u64 {
        Address { object, offset }.bits()
    }

    #[test]
    fn narrowing_and_widening_are_inverse() {
        let ilp32 = sample();
        let sizes = [
            (ObjectId::global(0), 4),
            (ObjectId::global(1), 0),
            (ObjectId::global(2), 100),
            (ObjectId::dynamic(16), 1),
            (ObjectId::dynamic(17), 4096),
            (ObjectId::dynamic(31), 0),
            (ObjectId::dynamic(48), 12),
        ];
        let mut numbers = Vec::new();
        for (object, bytes) in sizes {
            for offset in -(ROOM as i64)..=bytes + ROOM as i64 - 1 {
                let address = bits(object, offset);
                let number = ilp32.narrow(address).expect("it lies near its object");
                assert_eq!(ilp32.widen(number), address, "{object:?} + {offset}");
                numbers.push(number);
            }
        }
        assert!(numbers.is_sorted_by(|a, b| a < b));
        for function in [0, 1, 77] {
            let address = bits(ObjectId::function(function), 0);
            assert_eq!(ilp32.widen(ilp32.narrow(address).unwrap()), address);
        }
        for number in [0, 1, 4095, FIRST - 1, LAST, u32::MAX] {
            assert_eq!(ilp32.widen(number), u64::from(number));
            assert_eq!(ilp32.narrow(number.into()), Some(number));
            assert!(Ilp32Addresses::is_never_an_object(number));
        }
    }

    #[test]
    fn numbers_and_addresses_agree_everywhere() {
        let ilp32 = sample();
        for number in (FIRST - 100..FIRST + 1000).chain(DYNAMIC - 100..DYNAMIC + 10_000) {
            assert_eq!(ilp32.narrow(ilp32.widen(number)), Some(number));
        }
    }

    #[test]
    fn alignment_is_kept() {
        let ilp32 = sample();
        let number = |object| ilp32.narrow(bits(object, 0)).unwrap();
        assert!(number(ObjectId::dynamic(17)).is_multiple_of(4096));
        assert!(number(ObjectId::global(2)).is_multiple_of(64));
    }

    #[test]
    fn what_has_no_number() {
        let mut ilp32 = sample();
        assert_eq!(ilp32.narrow(bits(ObjectId::dynamic(17), 4096 + 40)), None);
        assert_eq!(ilp32.narrow(bits(ObjectId::dynamic(17), -40)), None);
        assert_eq!(ilp32.narrow(bits(ObjectId::dynamic(5), 0)), None);
        assert_eq!(ilp32.narrow(bits(ObjectId::table(0), 0)), None);
        assert_eq!(ilp32.narrow(0u64.wrapping_sub(1)), None);
        // Three of these fill the row: the fourth has no place, and so has nothing after it.
        for number in 60..64 {
            ilp32.add(ObjectId::dynamic(number), 1 << 30, 4);
        }
        ilp32.add(ObjectId::dynamic(65), 4, 4);
        let placed = |n| ilp32.narrow(bits(ObjectId::dynamic(n), 0)).is_some();
        assert_eq!([60, 61, 62, 65].map(placed), [true, true, false, false]);
        assert!(placed(48));
    }
}
