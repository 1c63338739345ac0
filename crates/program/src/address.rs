//! How an address is laid out in 64 bits.
//!
//! An address names a memory object and an offset into it: the object's number in the upper 32
//! bits, the offset plus [`BIAS`] in the lower 32. The bias keeps arithmetic that leaves an object at either
//! end (up to 2 GiB) from reaching the name of a neighbour, so that pointers may be computed with
//! like integers. The null pointer is 0; numbers below 2^32 name no object.
//!
//! Object numbers come in four ranges: global variables and constants (numbered at link time),
//! functions, their exception tables, and objects made while running (heap, stack, thread-local, handles), whose numbers the
//! machine chooses.

use std::fmt;

/// The number of a memory object: the upper half of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// What the lower half of an address holds for offset 0.
pub const BIAS: u64 = 1 << 31;

/// No object may be larger than this many bytes.
pub const MAX_OBJECT_BYTES: u64 = 1 << 30;

const FUNCTIONS: u32 = 0x4000_0000;
const TABLES: u32 = 0x6000_0000;
const DYNAMIC: u32 = 0x8000_0000;

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

    /// The object of the global variable with this index.
    pub fn global(index: u32) -> ObjectId {
        ObjectId(index + 1)
    }

    /// The object that stands for the function with this index.
    pub fn function(index: u32) -> ObjectId {
        ObjectId(FUNCTIONS + index)
    }

    /// The exception table of the function with this index.
    pub fn table(index: u32) -> ObjectId {
        ObjectId(TABLES + index)
    }

    /// The object made while running that has this index.
    pub fn dynamic(index: u32) -> ObjectId {
        ObjectId(DYNAMIC + index)
    }

    /// Which range the number belongs to.
    #[inline]
    pub fn kind(self) -> ObjectKind {
        match self.0 {
            0 => ObjectKind::Null,
            n if n < FUNCTIONS => ObjectKind::Global(n - 1),
            n if n < TABLES => ObjectKind::Function(n - FUNCTIONS),
            n if n < DYNAMIC => ObjectKind::Table(n - TABLES),
            n => ObjectKind::Dynamic(n - DYNAMIC),
        }
    }

    /// Whether the object was made while running.
    #[inline]
    pub fn is_dynamic(self) -> bool {
        self.0 >= DYNAMIC
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
    /// The start of an object.
    pub fn of(object: ObjectId) -> Address {
        Address { object, offset: 0 }
    }

    /// The address as 64 bits.
    #[inline]
    pub fn bits(self) -> u64 {
        if self.object == ObjectId::NULL {
            return self.offset as u64;
        }
        ((self.object.0 as u64) << 32)
            .wrapping_add(BIAS)
            .wrapping_add(self.offset as u64)
    }

    /// The address that these bits stand for.
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
