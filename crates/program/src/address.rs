//! How an address is laid out in 64 bits.
//!
//! An address names a memory object and an offset into it: the object's number in the upper 32
//! bits, the offset plus [`BIAS`] in the lower 32. The bias keeps arithmetic that leaves an object
//! at either end (up to 2 GiB) from reaching the name of a neighbour, so that pointers may be
//! computed with like integers. The null pointer is 0; numbers below 2^32 name no object.
//!
//! There are four kinds of objects: global variables and constants (numbered at link time),
//! functions, their exception tables, and objects made while running (heap, stack, thread-local,
//! handles), whose numbers the machine chooses.
//!
//! Bits 13, 14 and 31 of the number encode the kind. An index fills the bits below
//! these first, and then those above. So the first 16,384 objects made while running and the first
//! 8,191 globals have addresses below 2^47, as on x86-64, and programs that keep a tag in the upper
//! 16 bits of a pointer, as some lock-free structures do, get back what they put in.

use std::fmt;

/// The number of a memory object: the upper half of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// What the lower half of an address holds for offset 0.
pub const BIAS: u64 = 1 << 31;

/// No object may be larger than this many bytes.
pub const MAX_OBJECT_BYTES: u64 = 1 << 30;

/// The bits of a number in which addresses below 2^47 differ.
const LOW_BITS: u32 = 15;
const DYNAMIC: u32 = 0x4000;
const FUNCTION: u32 = 0x2000;
const TABLE: u32 = FUNCTION | 0x8000_0000;

/// An index around `bits` free bits at the low end of a number.
#[inline]
const fn spread(index: u32, bits: u32) -> u32 {
    index & ((1 << bits) - 1) | index >> bits << LOW_BITS
}

/// The index of a number.
#[inline]
const fn join(number: u32, bits: u32) -> u32 {
    number & ((1 << bits) - 1) | number >> LOW_BITS << bits
}

/// What kind of object a number names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// No object: the null page.
    Null,
    /// A global variable or constant, by its index in the program.
    Global(u32),
    /// A function, by its index in the program.
    Function(u32),
    /// The exception table of a function, by the function's index.
    Table(u32),
    /// An object made while running, by the machine's index.
    Dynamic(u32),
}

impl ObjectId {
    /// The number that no object has.
    pub const NULL: ObjectId = ObjectId(0);

    /// Returns the object of the global variable with this index.
    pub fn global(index: u32) -> ObjectId {
        ObjectId(spread(index + 1, 13))
    }

    /// Returns the object that stands for the function with this index.
    pub fn function(index: u32) -> ObjectId {
        ObjectId(FUNCTION | spread(index, 13))
    }

    /// Returns the object of the exception table of the function with this index.
    pub fn table(index: u32) -> ObjectId {
        ObjectId(TABLE | spread(index, 13))
    }

    /// Returns the object with this index among those made while running.
    #[inline]
    pub fn dynamic(index: u32) -> ObjectId {
        ObjectId(DYNAMIC | spread(index, 14))
    }

    /// Returns what the object is, with its index.
    #[inline]
    pub fn kind(self) -> ObjectKind {
        if self.0 & DYNAMIC != 0 {
            return ObjectKind::Dynamic(join(self.0, 14));
        }
        match self.0 & TABLE {
            _ if self.0 == 0 => ObjectKind::Null,
            FUNCTION => ObjectKind::Function(join(self.0, 13)),
            TABLE => ObjectKind::Table(join(self.0 & !(1 << 31), 13)),
            _ => ObjectKind::Global(join(self.0, 13) - 1),
        }
    }

    /// Returns whether the object was made while running.
    #[inline]
    pub fn is_dynamic(self) -> bool {
        self.0 & DYNAMIC != 0
    }

    /// Returns whether its addresses have zeros in their upper 17 bits.
    #[inline]
    pub fn leaves_room_for_tag(self) -> bool {
        self.0 < 1 << LOW_BITS
    }

    /// Returns whether its addresses lie below those of all objects made while running.
    #[inline]
    pub fn lies_below_dynamic(self) -> bool {
        self.0 < DYNAMIC
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ObjectKind::Null => write!(f, "null"),
            ObjectKind::Global(n) => write!(f, "global{n}"),
            ObjectKind::Function(n) => write!(f, "function{n}"),
            ObjectKind::Table(n) => write!(f, "table{n}"),
            ObjectKind::Dynamic(n) => write!(f, "object{n}"),
        }
    }
}

/// An object and an offset in bytes, which may lie outside the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The object.
    pub object: ObjectId,
    /// The offset from its start.
    pub offset: i64,
}

impl Address {
    /// Returns the address of the first byte of an object.
    pub fn of(object: ObjectId) -> Address {
        Address { object, offset: 0 }
    }

    /// Returns the address as the 64 bits that a program sees.
    #[inline]
    pub fn bits(self) -> u64 {
        if self.object == ObjectId::NULL {
            return self.offset as u64;
        }
        ((self.object.0 as u64) << 32)
            .wrapping_add(BIAS)
            .wrapping_add(self.offset as u64)
    }

    /// Returns the address that these bits stand for.
    #[inline]
    pub fn from_bits(bits: u64) -> Address {
        let object = ObjectId((bits >> 32) as u32);
        if object == ObjectId::NULL {
            return Address {
                object,
                offset: bits as i64,
            };
        }
        Address {
            object,
            offset: (bits & 0xffff_ffff) as i64 - BIAS as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_back() {
        for index in [
            0,
            1,
            8190,
            8191,
            8192,
            16383,
            16384,
            16385,
            1 << 20,
            (1 << 20) + 12345,
        ] {
            assert_eq!(ObjectId::global(index).kind(), ObjectKind::Global(index));
            assert_eq!(
                ObjectId::function(index).kind(),
                ObjectKind::Function(index)
            );
            assert_eq!(ObjectId::table(index).kind(), ObjectKind::Table(index));
            assert_eq!(ObjectId::dynamic(index).kind(), ObjectKind::Dynamic(index));
            assert!(ObjectId::dynamic(index).is_dynamic());
            assert!(!ObjectId::global(index).is_dynamic());
        }
        assert_eq!(ObjectId::NULL.kind(), ObjectKind::Null);
    }

    #[test]
    fn the_first_objects_leave_room_for_tags() {
        let first = [
            ObjectId::dynamic(0),
            ObjectId::dynamic(16383),
            ObjectId::global(8190),
        ];
        for object in first {
            assert!(object.leaves_room_for_tag());
            assert!(
                Address {
                    object,
                    offset: MAX_OBJECT_BYTES as i64
                }
                .bits()
                    < 1 << 47
            );
        }
        assert!(!ObjectId::dynamic(16384).leaves_room_for_tag());
        assert!(ObjectId::global(8190).lies_below_dynamic());
        assert!(!ObjectId::global(8191).lies_below_dynamic());
    }

    #[test]
    fn bits_and_back() {
        for object in [
            ObjectId::global(0),
            ObjectId::function(7),
            ObjectId::table(7),
            ObjectId::dynamic(3),
        ] {
            for offset in [0, 1, -1, 4096, -4096, MAX_OBJECT_BYTES as i64] {
                let address = Address { object, offset };
                assert_eq!(Address::from_bits(address.bits()), address);
            }
        }
        assert_eq!(Address::from_bits(0).object, ObjectId::NULL);
        assert_eq!(Address::from_bits(16).offset, 16);
    }
}
