//! Names for the parts of a typed object: from an offset to what one writes in the source.

use crate::debug::{DebugInfo, Encoding, Member, Type, TypeId};
use crate::link::{Program, UnitId};

/// No type is nested deeper than this; it bounds the search in types that hold themselves, which no compiler makes.
const DEEPEST: u32 = 100;

impl Program {
    /// The name of the part at `offset` bytes into an object of the type, as one writes it after the variable's name: `.field[3].next`;
    /// empty if the offset is its start and the type is a scalar, `None` if the type does not say. The part is the outermost
    /// that starts there and has at most `bytes` bytes, or else a scalar.
    pub fn path_in_type(
        &self,
        unit: UnitId,
        ty: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<String> {
        Some(self.part_of_type(unit, ty, offset, bytes)?.path)
    }

    /// Whether that part is a number of a floating-point type of just so many bytes.
    pub fn is_float_in_type(&self, unit: UnitId, ty: TypeId, offset: u64, bytes: u64) -> bool {
        let part = self.part_of_type(unit, ty, offset, bytes);
        let ty = part
            .filter(|part| part.bytes == bytes)
            .and_then(|part| part.ty);
        ty.is_some_and(|ty| self.debug(unit).is_float(ty))
    }

    fn part_of_type(&self, unit: UnitId, ty: TypeId, offset: u64, bytes: u64) -> Option<Part> {
        let search = Search {
            debug: self.debug(unit),
            bytes,
        };
        search.part(ty, offset, true, DEEPEST)
    }
}

/// A part of an object.
struct Part {
    path: String,
    bytes: u64,
    /// Its type; none of a bit field.
    ty: Option<TypeId>,
}

struct Search<'a> {
    debug: &'a DebugInfo,
    bytes: u64,
}

impl Search<'_> {
    /// The part at an offset in an object of the type; `named` says whether the object as a whole has a name.
    fn part(&self, ty: TypeId, offset: u64, named: bool, depth: u32) -> Option<Part> {
        let depth = depth.checked_sub(1)?;
        let size = self.debug.size(ty, depth)?;
        let whole = (offset == 0).then(|| Part {
            path: String::new(),
            bytes: size,
            ty: Some(ty),
        });
        if named && 0 < size && size <= self.bytes && whole.is_some() {
            return whole;
        }
        match self.debug.types.get(ty.0 as usize)? {
            Type::Named { of, .. } => self.part((*of)?, offset, named, depth),
            Type::Record { members, .. } => {
                let found = members.iter().filter_map(|m| self.inside(m, offset, depth));
                found.reduce(|first, other| self.better(first, other))
            }
            Type::Array { element, count } => {
                let step = self.debug.size(*element, depth)?;
                let index = offset.checked_div(step)?;
                if *count > 0 && index >= *count {
                    return None;
                }
                let inner = self.part(*element, offset % step, true, depth)?;
                Some(Part {
                    path: format!("[{index}]{}", inner.path),
                    ..inner
                })
            }
            Type::Base { .. }
            | Type::Pointer { .. }
            | Type::Enumeration { .. }
            | Type::Other { .. } => whole,
        }
    }

    /// The part at an offset, if it lies in the member.
    fn inside(&self, member: &Member, offset: u64, depth: u32) -> Option<Part> {
        let named = !member.name.is_empty();
        let inner = match member.bit_field {
            Some(bits) => {
                let end = member.bit_offset + bits as u64;
                let (first, last) = (offset * 8, (offset + self.bytes) * 8);
                (named && member.bit_offset < last && first < end).then(|| Part {
                    path: String::new(),
                    bytes: self.bytes,
                    ty: None,
                })?
            }
            None => {
                let inside = offset.checked_sub(member.bit_offset / 8)?;
                let size = self.debug.size(member.ty, depth)?;
                if inside >= size && !self.debug.is_flexible(member.ty) {
                    return None;
                }
                self.part(member.ty, inside, named, depth)?
            }
        };
        let path = match named {
            true => format!(".{}{}", member.name, inner.path),
            false => inner.path,
        };
        Some(Part { path, ..inner })
    }

    /// Of two members of a union, the one of which the access is a part as a whole; else the first.
    fn better(&self, first: Part, other: Part) -> Part {
        if first.bytes != self.bytes && other.bytes == self.bytes {
            other
        } else {
            first
        }
    }
}

impl DebugInfo {
    /// The size of a type in bytes, if known.
    fn size(&self, ty: TypeId, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        match self.types.get(ty.0 as usize)? {
            Type::Base { bytes, .. }
            | Type::Record { bytes, .. }
            | Type::Enumeration { bytes, .. }
            | Type::Other { bytes, .. } => Some(*bytes),
            Type::Pointer { bytes, .. } => Some(*bytes),
            Type::Array { element, count } => self.size(*element, depth)?.checked_mul(*count),
            Type::Named { of, .. } => self.size((*of)?, depth),
        }
    }

    /// Whether it is a floating-point type.
    fn is_float(&self, ty: TypeId) -> bool {
        let names = std::iter::successors(Some(ty), |ty| match self.types.get(ty.0 as usize)? {
            Type::Named { of, .. } => *of,
            _ => None,
        });
        names.take(DEEPEST as usize).any(|ty| {
            let encoding = Encoding::Float;
            matches!(self.types.get(ty.0 as usize), Some(Type::Base { encoding: found, .. }) if *found == encoding)
        })
    }

    /// Whether the type is an array whose length is not in its type.
    fn is_flexible(&self, ty: TypeId) -> bool {
        matches!(
            self.types.get(ty.0 as usize),
            Some(Type::Array { count: 0, .. })
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::Encoding;

    fn member(name: &str, byte: u64, ty: u32) -> Member {
        Member {
            name: name.into(),
            bit_offset: byte * 8,
            bit_field: None,
            ty: TypeId(ty),
        }
    }

    fn bits(name: &str, bit_offset: u64, width: u32) -> Member {
        Member {
            name: name.into(),
            bit_offset,
            bit_field: Some(width),
            ty: TypeId(0),
        }
    }

    fn record(bytes: u64, members: Vec<Member>) -> Type {
        Type::Record {
            name: "r".into(),
            bytes,
            members,
        }
    }

    /// `struct node : base { int data[2][3]; union { long whole; int half; }; unsigned low : 3, high : 7; node *next; char rest[]; }`
    fn types() -> DebugInfo {
        let int = Type::Base {
            name: "int".into(),
            bytes: 4,
            encoding: Encoding::Signed,
        };
        let long = Type::Base {
            name: "long".into(),
            bytes: 8,
            encoding: Encoding::Signed,
        };
        let character = Type::Base {
            name: "char".into(),
            bytes: 1,
            encoding: Encoding::Character,
        };
        let array = |element, count| Type::Array {
            element: TypeId(element),
            count,
        };
        let types = vec![
            int,
            array(0, 3),
            array(1, 2),
            long,
            record(8, vec![member("whole", 0, 3), member("half", 0, 0)]),
            Type::Pointer {
                to: Some(TypeId(6)),
                bytes: 8,
            },
            record(
                56,
                vec![
                    member("", 0, 7),
                    member("data", 8, 2),
                    member("", 32, 4),
                    bits("low", 320, 3),
                    bits("high", 323, 7),
                    member("next", 48, 5),
                    member("rest", 56, 9),
                ],
            ),
            record(8, vec![member("tag", 0, 0)]),
            Type::Named {
                name: "node".into(),
                of: Some(TypeId(6)),
            },
            array(10, 0),
            character,
        ];
        DebugInfo {
            types,
            ..DebugInfo::default()
        }
    }

    fn path(offset: u64, bytes: u64) -> Option<String> {
        let debug = types();
        let search = Search {
            debug: &debug,
            bytes,
        };
        Some(search.part(TypeId(8), offset, true, DEEPEST)?.path)
    }

    #[test]
    fn paths_are_written_as_in_the_source() {
        let cases = [
            (0, 4, Some(".tag")),
            (0, 56, Some("")),
            (8, 4, Some(".data[0][0]")),
            (8, 12, Some(".data[0]")),
            (8, 24, Some(".data")),
            (28, 4, Some(".data[1][2]")),
            (29, 1, None),
            (32, 8, Some(".whole")),
            (32, 4, Some(".half")),
            (32, 2, Some(".whole")),
            (36, 4, None),
            (40, 1, Some(".low")),
            (41, 1, Some(".high")),
            (44, 4, None),
            (48, 8, Some(".next")),
            (59, 1, Some(".rest[3]")),
        ];
        for (offset, bytes, expected) in cases {
            assert_eq!(
                path(offset, bytes).as_deref(),
                expected,
                "{bytes} at {offset}"
            );
        }
    }

    #[test]
    fn a_type_that_holds_itself_ends() {
        let debug = DebugInfo {
            types: vec![Type::Named {
                name: "t".into(),
                of: Some(TypeId(0)),
            }],
            ..DebugInfo::default()
        };
        let search = Search {
            debug: &debug,
            bytes: 1,
        };
        assert!(search.part(TypeId(0), 0, true, DEEPEST).is_none());
    }
}
