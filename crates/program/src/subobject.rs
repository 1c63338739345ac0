//! Names for the subobjects of a typed object: from an offset to what one writes in the source.
//!
//! A name is either *whole*, with every member on the path, or in the *program's own* terms. Then
//! it ends where it would go into an object of a library (`queue.items`, not
//! `queue.items.__begin_`), except where that stands for one thing only: the number of a
//! `std::atomic`, what a smart pointer or a vector points to, the elements of a `std::array`, the
//! value of a `std::optional`. Those have the name of the object itself.

use crate::debug::{DebugInfo, Encoding, Member, Type, TypeId};
use crate::link::{Program, UnitId};

/// No type is nested deeper than this; it bounds the search in types that hold themselves, which no
/// compiler makes.
const DEEPEST: u32 = 100;

impl Program {
    /// Returns the name of the subobject at `offset` bytes into an object of the type, as one
    /// writes it after the variable's name: `.field[3].next`. It is empty if the offset is the
    /// start and the type is a scalar, and `None` if the type does not say. The subobject is the
    /// outermost that starts there and has at most `bytes` bytes, or else a scalar.
    pub fn path_in_type(
        &self,
        unit: UnitId,
        ty: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<String> {
        Some(self.subobject_of_type(unit, ty, offset, bytes)?.path)
    }

    /// Returns whether that subobject is a floating-point number of exactly `bytes` bytes.
    pub fn is_float_in_type(&self, unit: UnitId, ty: TypeId, offset: u64, bytes: u64) -> bool {
        let subobject = self.subobject_of_type(unit, ty, offset, bytes);
        let ty = subobject
            .filter(|subobject| subobject.bytes == bytes)
            .and_then(|subobject| subobject.ty);
        ty.is_some_and(|ty| self.debug(unit).is_float(ty))
    }

    pub(crate) fn subobject_of_type(
        &self,
        unit: UnitId,
        ty: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<Subobject> {
        let search = Search {
            debug: self.debug(unit),
            bytes,
            own: false,
        };
        search.subobject(ty, offset, true, DEEPEST)
    }

    /// Returns the subobject at `offset` bytes into an object of the type, named in the program's
    /// own terms; the innermost one, if it has `bytes` bytes or fewer.
    pub fn own_subobject(
        &self,
        unit: UnitId,
        ty: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<Subobject> {
        let search = Search {
            debug: self.debug(unit),
            bytes,
            own: true,
        };
        search.subobject(ty, offset, true, DEEPEST)
    }

    /// Returns the type that a pointer or reference type points to, or `None` for another type.
    pub fn pointee(&self, unit: UnitId, ty: TypeId) -> Option<TypeId> {
        match self.debug(unit).named(ty)? {
            Type::Pointer { to, .. } => *to,
            _ => None,
        }
    }

    /// Returns the size of a type in bytes, or `None` if it is unknown or 0.
    pub fn size_of_type(&self, unit: UnitId, ty: TypeId) -> Option<u64> {
        let size = self.debug(unit).size(ty, DEEPEST);
        size.filter(|&size| size > 0)
    }

    /// Returns the name of a type, or `None` if it has none or is a library's.
    pub fn own_type_name(&self, unit: UnitId, ty: TypeId) -> Option<&str> {
        let debug = self.debug(unit);
        let named = |ty: &TypeId| match debug.types.get(ty.0 as usize)? {
            Type::Named { name, .. } | Type::Base { name, .. } | Type::Record { name, .. } => {
                Some(name.as_str()).filter(|name| !name.is_empty())
            }
            _ => None,
        };
        let name = debug.names(ty).find_map(|ty| named(&ty))?;
        (!is_library(name)).then_some(name)
    }

    /// Returns whether objects of the type may be subobjects of others, as classes with virtual
    /// functions are.
    pub fn is_polymorphic(&self, unit: UnitId, ty: TypeId) -> bool {
        self.debug(unit).is_polymorphic(ty, DEEPEST)
    }

    /// Returns the name of a record type, or `None` for another type.
    pub fn record_name(&self, unit: UnitId, ty: TypeId) -> Option<&str> {
        match self.debug(unit).named(ty)? {
            Type::Record { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// Whether a type with a name belongs to a library.
fn is_library(record: &str) -> bool {
    record.starts_with("std::") || record == "_IO_FILE" || record.starts_with("__")
}

/// Members of the libraries' types that stand for the object that they are in: how the record's
/// name starts, and the member's name.
const STANDING_FOR_ALL: [(&str, &str); 15] = [
    ("std::shared_ptr<", "__ptr_"),
    ("std::unique_ptr<", "__ptr_"),
    ("std::__compressed_pair_elem<", "__value_"),
    ("std::reference_wrapper<", "__f_"),
    ("std::vector<", "__begin_"),
    ("std::array<", "__elems_"),
    ("std::__optional_destruct_base<", "__val_"),
    ("std::__atomic_base<", "__a_"),
    ("std::atomic<", "__a_"),
    ("std::__cxx_atomic_base_impl<", "__a_value"),
    ("std::atomic_flag", "__a_"),
    ("std::__1::atomic", "__a_"),
    ("std::latch", "__a_"),
    ("std::counting_semaphore<", "__semaphore_"),
    ("std::__atomic_semaphore_base", "__a_"),
];

/// How a member is named in the program's own terms.
enum Step {
    /// As in the source.
    Named,
    /// It stands for the record that it is in.
    All,
    /// It is the library's business.
    Inner,
}

fn step(record: &str, member: &str) -> Step {
    let stands = |(start, name): &(&str, &str)| record.starts_with(start) && *name == member;
    match () {
        _ if STANDING_FOR_ALL.iter().any(stands) => Step::All,
        _ if member.is_empty() => Step::Named,
        _ if is_library(record) && !matches!(member, "first" | "second") => Step::Inner,
        _ if member.starts_with("__") || member.starts_with("_vptr") => Step::Inner,
        _ => Step::Named,
    }
}

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subobject {
    /// What is written after the name of the object.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its type; none of a bit field.
    pub ty: Option<TypeId>,
    /// Whether it is a part that the name does not lead to: one of an object of a library.
    pub inner: bool,
    /// Whether it is a pointer to the elements of the object that its name says.
    pub elements: bool,
}

struct Search<'a> {
    debug: &'a DebugInfo,
    bytes: u64,
    /// Whether it is named in the program's own terms.
    own: bool,
}

impl Search<'_> {
    /// The part at an offset in an object of the type; `named` says whether the object as a whole
    /// has a name.
    fn subobject(&self, ty: TypeId, offset: u64, named: bool, depth: u32) -> Option<Subobject> {
        let depth = depth.checked_sub(1)?;
        let size = self.debug.size(ty, depth)?;
        let whole = (offset == 0).then(|| Subobject {
            path: String::new(),
            bytes: size,
            ty: Some(ty),
            inner: false,
            elements: false,
        });
        let continues = || self.own && self.debug.is_of_one_member(ty);
        if named && 0 < size && size <= self.bytes && whole.is_some() && !continues() {
            return whole;
        }
        match self.debug.types.get(ty.0 as usize)? {
            Type::Named { of, .. } => self.subobject((*of)?, offset, named, depth),
            Type::Record {
                members,
                name,
                bytes,
            } => {
                let found = members.iter().filter_map(|member| {
                    let later = members.iter().map(|other| other.bit_offset);
                    let later = later.filter(|&other| other > member.bit_offset).min();
                    let end = later.map_or(*bytes, |bits| bits / 8);
                    self.inside(name, member, end, offset, depth)
                });
                found.reduce(|first, other| self.better(first, other))
            }
            Type::Array { element, count } => {
                let step = self.debug.size(*element, depth)?;
                let index = offset.checked_div(step)?;
                if *count > 0 && index >= *count {
                    return None;
                }
                let inner = self.subobject(*element, offset % step, true, depth)?;
                Some(Subobject {
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

    /// The part at an offset, if it lies in the member, which ends before `end`.
    fn inside(
        &self,
        record: &str,
        member: &Member,
        end: u64,
        offset: u64,
        depth: u32,
    ) -> Option<Subobject> {
        let named = !member.name.is_empty();
        let inner = match member.bit_field {
            Some(bits) => {
                let end = member.bit_offset + bits as u64;
                let (first, last) = (offset * 8, (offset + self.bytes) * 8);
                (named && member.bit_offset < last && first < end).then(|| Subobject {
                    path: String::new(),
                    bytes: self.bytes,
                    ty: None,
                    inner: false,
                    elements: false,
                })?
            }
            None => {
                let inside = offset.checked_sub(member.bit_offset / 8)?;
                let size = self.debug.size(member.ty, depth)?;
                // Of a class whose constructors are elsewhere, the compiler says nothing.
                let unknown = self.own && size == 0 && offset < end;
                if inside >= size && !unknown && !self.debug.is_flexible(member.ty) {
                    return None;
                }
                let hidden = || Subobject {
                    path: String::new(),
                    bytes: end - offset,
                    ty: None,
                    inner: true,
                    elements: false,
                };
                let subobject = self.subobject(member.ty, inside, named, depth);
                subobject.or_else(|| unknown.then(hidden))?
            }
        };
        Some(match step(record, &member.name) {
            Step::Inner if self.own => Subobject {
                path: String::new(),
                inner: true,
                ..inner
            },
            Step::All if self.own => Subobject {
                elements: inner.elements || member.name == "__begin_",
                ..inner
            },
            _ if named => Subobject {
                path: format!(".{}{}", member.name, inner.path),
                ..inner
            },
            _ => inner,
        })
    }

    /// Of two members of a union, the one of which the access is a part as a whole; else the first.
    fn better(&self, first: Subobject, other: Subobject) -> Subobject {
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

    /// A type, and what it is another name of, in turn.
    fn names(&self, ty: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        let names = std::iter::successors(Some(ty), |ty| match self.types.get(ty.0 as usize)? {
            Type::Named { of, .. } => *of,
            _ => None,
        });
        names.take(DEEPEST as usize)
    }

    /// What a type is, without its other names.
    pub(crate) fn named(&self, ty: TypeId) -> Option<&Type> {
        self.types.get(self.names(ty).last()?.0 as usize)
    }

    /// Whether it is a record of nothing but one member that is as large as it, or of a library.
    fn is_of_one_member(&self, ty: TypeId) -> bool {
        let Some(Type::Record {
            members,
            bytes,
            name,
        }) = self.named(ty)
        else {
            return false;
        };
        let fills =
            |only: &Member| only.bit_field.is_none() && self.size(only.ty, DEEPEST) == Some(*bytes);
        match members.as_slice() {
            [] => false,
            [only] => fills(only),
            _ => is_library(name),
        }
    }

    /// Whether it is a record with virtual functions.
    fn is_polymorphic(&self, ty: TypeId, depth: u32) -> bool {
        let virtual_functions = |member: &Member| {
            let is_base = member.name.is_empty() && member.bit_offset == 0;
            let depth = depth.checked_sub(1).filter(|_| is_base);
            member.name.starts_with("_vptr")
                || depth.is_some_and(|depth| self.is_polymorphic(member.ty, depth))
        };
        match self.named(ty) {
            Some(Type::Record { members, .. }) => members.iter().any(virtual_functions),
            _ => false,
        }
    }

    /// Whether it is a floating-point type.
    fn is_float(&self, ty: TypeId) -> bool {
        self.names(ty).any(|ty| {
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

    /// `struct node : base { int data[2][3]; union { long whole; int half; }; unsigned low : 3,
    /// high : 7; node *next; char rest[]; }`
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
            own: false,
        };
        Some(search.subobject(TypeId(8), offset, true, DEEPEST)?.path)
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
            own: false,
        };
        assert!(search.subobject(TypeId(0), 0, true, DEEPEST).is_none());
    }

    /// `struct queue { std::atomic<int> size; std::vector<queue> items; std::deque<int> rest; }`
    fn library_types() -> DebugInfo {
        let named = |name: &str, bytes, members| Type::Record {
            name: name.into(),
            bytes,
            members,
        };
        let int = Type::Base {
            name: "int".into(),
            bytes: 4,
            encoding: Encoding::Signed,
        };
        let to_queue = Type::Pointer {
            to: Some(TypeId(5)),
            bytes: 8,
        };
        let types = vec![
            int,
            named(
                "std::__cxx_atomic_base_impl<int>",
                4,
                vec![member("__a_value", 0, 0)],
            ),
            named("std::__atomic_base<int>", 4, vec![member("__a_", 0, 1)]),
            named("std::atomic<int>", 4, vec![member("", 0, 2)]),
            to_queue,
            named(
                "queue",
                48,
                vec![
                    member("size", 0, 3),
                    member("items", 8, 6),
                    member("rest", 24, 7),
                ],
            ),
            named(
                "std::vector<queue>",
                16,
                vec![member("__begin_", 0, 4), member("__end_", 8, 4)],
            ),
            // Of which the compiler does not say more.
            named("std::deque<int>", 0, vec![]),
        ];
        DebugInfo {
            types,
            ..DebugInfo::default()
        }
    }

    #[test]
    fn names_in_the_programs_own_terms_end_at_what_is_a_librarys() {
        let debug = library_types();
        let own = |offset, bytes| {
            let search = Search {
                debug: &debug,
                bytes,
                own: true,
            };
            let subobject = search.subobject(TypeId(5), offset, true, DEEPEST)?;
            Some((subobject.path, subobject.inner, subobject.elements))
        };
        let is = |path: &str, inner, elements| Some((path.to_owned(), inner, elements));
        assert_eq!(own(0, 4), is(".size", false, false));
        assert_eq!(own(0, 0), is(".size", false, false));
        assert_eq!(own(8, 8), is(".items", false, true));
        assert_eq!(own(16, 8), is(".items", true, false));
        assert_eq!(own(32, 8), is(".rest", true, false));
        assert_eq!(own(48, 4), None);
    }
}
