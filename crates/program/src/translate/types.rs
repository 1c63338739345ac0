//! LLVM's types taken apart into scalars.

use super::llvm::{Module, Type, TypeKind};
use crate::instruction::Scalar;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More scalars than this in one first-class value are not worth their slots.
const MOST_SCALARS: u64 = 4096;

/// Why something cannot be executed.
#[derive(Clone, Debug)]
pub(super) struct Unsupported(pub String);

/// A scalar of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Its type.
    pub scalar: Scalar,
    /// Where it lies in memory.
    pub offset: u64,
    /// Its first word among those of the value.
    pub word: u32,
}

/// The scalars of a first-class type, in order.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub parts: Vec<Part>,
    /// How many words all of them have.
    pub words: u32,
    /// A number format whose bits can be moved but not computed with.
    pub exotic: Option<&'static str>,
    /// Whether scalars share bytes in memory, as in a vector of bits.
    pub packed: bool,
}

impl Layout {
    fn push(&mut self, scalar: Scalar, offset: u64) {
        self.parts.push(Part {
            scalar,
            offset,
            word: self.words,
        });
        self.words += scalar.words();
    }

    fn append(&mut self, inner: &Layout, offset: u64) {
        for part in &inner.parts {
            self.push(part.scalar, offset + part.offset);
        }
        self.exotic = self.exotic.or(inner.exotic);
        self.packed |= inner.packed;
    }

    /// Returns the types of the scalars, in order.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        self.parts.iter().map(|part| part.scalar)
    }
}

/// The layouts and sizes of a module's types, each found once.
pub(super) struct Types<'m> {
    module: &'m Module,
    layouts: FxHashMap<Type<'m>, Result<Rc<Layout>, Unsupported>>,
    sizes: FxHashMap<Type<'m>, Option<u64>>,
}

impl<'m> Types<'m> {
    pub fn new(module: &'m Module) -> Types<'m> {
        Types {
            module,
            layouts: FxHashMap::default(),
            sizes: FxHashMap::default(),
        }
    }

    /// Returns whether addresses take four bytes in memory.
    pub fn is_ilp32(&self) -> bool {
        self.pointer() == Scalar::Pointer32
    }

    /// Returns the type of addresses.
    pub fn pointer(&self) -> Scalar {
        match self.module.is_ilp32() {
            true => Scalar::Pointer32,
            false => Scalar::Pointer,
        }
    }

    /// Returns the scalars that a type consists of. Fails if the machine has none for it.
    pub fn layout(&mut self, ty: Type<'m>) -> Result<Rc<Layout>, Unsupported> {
        if let Some(known) = self.layouts.get(&ty) {
            return known.clone();
        }
        let layout = self.flatten(ty).map(Rc::new);
        self.layouts.insert(ty, layout.clone());
        layout
    }

    /// Returns the distance of two neighbours of the type in an array, in bytes. Fails if the type
    /// has no size.
    pub fn size(&mut self, ty: Type<'m>) -> Result<u64, Unsupported> {
        let size = *self
            .sizes
            .entry(ty)
            .or_insert_with(|| ty.is_sized().then(|| self.module.size_of(ty)));
        size.ok_or_else(|| Unsupported(format!("the size of type {ty}")))
    }

    /// Returns the offset of a member of a struct, in bytes. Fails if there is none.
    pub fn member_offset(&self, ty: Type<'m>, member: u32) -> Result<u64, Unsupported> {
        match ty.kind() {
            TypeKind::Struct(count) if member < count && ty.is_sized() => {
                Ok(self.module.offset_of(ty, member))
            }
            _ => Err(Unsupported(format!("member {member} of type {ty}"))),
        }
    }

    fn flatten(&mut self, ty: Type<'m>) -> Result<Layout, Unsupported> {
        let mut layout = Layout::default();
        match ty.kind() {
            TypeKind::Void => {}
            TypeKind::Integer(width @ 1..=64) => layout.push(Scalar::Integer(width as u8), 0),
            TypeKind::Integer(width @ 65..=128) => layout.push(Scalar::Wide(width as u8), 0),
            TypeKind::Half => {
                layout.push(Scalar::Integer(16), 0);
                layout.exotic = Some("16-bit floating point");
            }
            TypeKind::Quad => {
                layout.push(Scalar::Wide(128), 0);
                layout.exotic = Some("128-bit floating point");
            }
            TypeKind::Float => layout.push(Scalar::Float, 0),
            TypeKind::Double => layout.push(Scalar::Double, 0),
            TypeKind::Extended => layout.push(Scalar::Extended, 0),
            TypeKind::Pointer => layout.push(self.pointer(), 0),
            TypeKind::Array(element, count) => {
                let inner = self.layout(element)?;
                check_size(inner.parts.len() as u64, count, ty)?;
                if !inner.parts.is_empty() {
                    let size = self.size(element)?;
                    (0..count).for_each(|index| layout.append(&inner, index * size));
                }
            }
            TypeKind::Vector(element, count) => {
                let inner = self.layout(element)?;
                check_size(inner.parts.len() as u64, count.into(), ty)?;
                let bits = match inner.parts.first().map(|part| part.scalar) {
                    Some(scalar) if scalar.is_pointer() => 8 * scalar.bytes(),
                    first => first.map_or(0, Scalar::bits),
                };
                for index in 0..count {
                    layout.append(&inner, (index * bits / 8).into());
                }
                layout.packed |= bits % 8 != 0;
            }
            TypeKind::Struct(count) => {
                if !ty.is_sized() {
                    return Err(Unsupported(format!("a value of type {ty}")));
                }
                for index in 0..count {
                    let inner = self.layout(ty.member(index))?;
                    check_size(inner.parts.len() as u64, 1, ty)?;
                    layout.append(&inner, self.module.offset_of(ty, index));
                }
            }
            _ => return Err(Unsupported(format!("a value of type {ty}"))),
        }
        Ok(layout)
    }
}

fn check_size(scalars: u64, count: u64, ty: Type<'_>) -> Result<(), Unsupported> {
    match scalars.checked_mul(count) {
        Some(all) if all <= MOST_SCALARS => Ok(()),
        _ => Err(Unsupported(format!("a value of the large type {ty}"))),
    }
}
