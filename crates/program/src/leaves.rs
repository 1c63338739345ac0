//! The scalars that an object of a type consists of, named in the program's own terms.

use crate::debug::{Encoding, Type, TypeId};
use crate::link::{Program, UnitId};

/// Bytes of an object that are looked at, at most.
const MOST_BYTES: u64 = 4096;

/// A scalar in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// What is written after the name of the object: empty, or as in `.field[3]`.
    pub path: String,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its type; none of a bit field.
    pub ty: Option<TypeId>,
}

impl Program {
    /// Returns the first scalars of an object of the type, at most so many, in the order of their
    /// offsets. What is in an object of a library, or of Impasse's own headers, is left out, unless
    /// it stands for that object.
    pub fn leaves(&self, unit: UnitId, ty: TypeId, most: usize) -> Vec<Leaf> {
        let record = self.record_name(unit, ty);
        if record.is_some_and(|name| name.starts_with("impasse::")) {
            return Vec::new();
        }
        let size = self.size_of_type(unit, ty).unwrap_or(0).min(MOST_BYTES);
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut offset = 0;
        while offset < size && leaves.len() < most {
            let found = self.own_subobject(unit, ty, offset, 1);
            let found = found.filter(|it| !it.inner && !it.elements && it.bytes > 0);
            let Some(found) = found else {
                offset += 1;
                continue;
            };
            // The rest of what was found from its start.
            if leaves.last().is_none_or(|last| last.path != found.path) {
                leaves.push(Leaf {
                    path: found.path,
                    offset,
                    bytes: found.bytes,
                    ty: found.ty,
                });
            }
            offset += found.bytes;
        }
        leaves
    }

    /// Returns the value of a truth value, an unsigned number, an enumerator or a null pointer as
    /// one writes it, or `None` for another type. `bits` are those of the value.
    pub fn value_in_words(&self, unit: UnitId, ty: TypeId, bits: u64) -> Option<String> {
        match self.debug(unit).named(ty)? {
            Type::Base { encoding, .. } => match encoding {
                Encoding::Boolean => Some((bits != 0).to_string()),
                Encoding::Unsigned => Some(bits.to_string()),
                _ => None,
            },
            Type::Enumeration { values, .. } => {
                let found = values.iter().find(|(value, _)| *value as u64 == bits);
                found.map(|(_, name)| name.clone())
            }
            Type::Pointer { .. } if bits == 0 => Some("null".into()),
            _ => None,
        }
    }
}
