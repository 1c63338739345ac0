//! Global variables: their initial content, and what an alias stands for.

use super::context::{Context, is_defined, is_reserved};
use super::fold::Folded;
use super::llvm::{Opcode, TypeKind, Value};
use super::types::Unsupported;
use crate::address::MAX_OBJECT_BYTES;
use crate::instruction::SymbolId;
use crate::unit::{Definition, Global, Relocation, Unit};

impl<'m> Context<'m> {
    /// Adds the module's variables, aliases, constructors and destructors to the unit.
    pub fn add_globals(&mut self, unit: &mut Unit) {
        let module = self.module;
        for global in module.globals().filter(|global| !is_reserved(*global)) {
            if is_defined(global) {
                self.add_global(global, unit);
            }
        }
        for alias in module.aliases() {
            let (Some(symbol), Some(aliasee)) = (self.symbol(alias), alias.aliasee()) else {
                continue;
            };
            if let Some(Folded::Address(target, offset)) = self.fold(aliasee) {
                self.symbols[symbol.0 as usize].definition = Definition::Alias(target, offset);
            }
        }
        for list in module.globals() {
            match list.name().as_str() {
                "llvm.global_ctors" => unit.constructors.extend(self.start_list(list)),
                "llvm.global_dtors" => unit.destructors.extend(self.start_list(list)),
                _ => {}
            }
        }
    }

    /// Adds the functions that a variable in a section like `.init_array` points to. The compiler
    /// puts them before those of its own lists, which go to the same sections.
    fn add_start_section(&mut self, global: Value<'m>, unit: &mut Unit) {
        let Some((phase, priority)) = start_section(global.section()) else {
            return;
        };
        let variable = unit.globals.last().expect("it was added");
        let pointer = self.types.pointer().bytes() as usize;
        let called = (0..variable.bytes.len()).step_by(pointer).map(|offset| {
            let mut relocations = variable.relocations.iter();
            let found = relocations.find(|r| r.offset as usize == offset && r.addend == 0);
            // Whatever is no function is refused when the program is linked.
            (priority, found.map_or(variable.symbol, |r| r.symbol))
        });
        let list = match phase {
            Phase::Start => &mut unit.constructors,
            Phase::End => &mut unit.destructors,
        };
        match section_is_reversed(global.section()) {
            true => drop(list.splice(..0, called.rev())),
            false => list.extend(called),
        }
    }

    /// A variable whose initial content cannot be expressed is left undefined, under a name that
    /// says why: what reaches it meets a missing symbol.
    fn add_global(&mut self, global: Value<'m>, unit: &mut Unit) {
        let Some(symbol) = self.symbol(global) else {
            return;
        };
        let (display_name, ty, location) = self.source.of_global(global);
        match self.image(global) {
            Ok(image) => {
                self.symbols[symbol.0 as usize].definition =
                    Definition::Global(unit.globals.len() as u32);
                unit.globals.push(Global {
                    symbol,
                    display_name,
                    bytes: image.bytes,
                    relocations: image.relocations,
                    align: self.alignment(global),
                    constant: global.is_constant_variable(),
                    thread_local: global.is_thread_local(),
                    ty,
                    location,
                });
                self.add_start_section(global, unit);
            }
            Err(Unsupported(reason)) => {
                let entry = &mut self.symbols[symbol.0 as usize];
                entry.name = format!("{} (its initial value holds {reason})", entry.name);
                entry.linkage = crate::unit::Linkage::Strong;
                if start_section(global.section()).is_some() {
                    // It is not known which functions to call: linking fails.
                    unit.constructors.push((0, symbol));
                }
            }
        }
    }

    fn alignment(&self, global: Value<'m>) -> u32 {
        match global.global_align() {
            0 => self.module.align_of(global.global_type()),
            align => align,
        }
    }

    fn image(&mut self, global: Value<'m>) -> Result<Image, Unsupported> {
        let size = self.types.size(global.global_type())?;
        if size > MAX_OBJECT_BYTES {
            return Err(Unsupported(format!("{size} bytes, too many")));
        }
        let mut image = Image {
            bytes: vec![0; size as usize],
            relocations: Vec::new(),
        };
        if let Some(initializer) = global.initializer() {
            self.write(&mut image, initializer, 0)?;
        }
        image
            .relocations
            .sort_by_key(|relocation| relocation.offset);
        Ok(image)
    }

    /// Writes a constant into an image that is all zeros so far.
    fn write(
        &mut self,
        image: &mut Image,
        value: Value<'m>,
        offset: u64,
    ) -> Result<(), Unsupported> {
        if value.is_zero() || value.is_undefined() {
            return Ok(());
        }
        if let Some(bytes) = value.constant_bytes() {
            return image.put(offset, bytes);
        }
        if let Some(bits) = value.integer().or_else(|| value.float_bits()) {
            let layout = self.types.layout(value.ty())?;
            let length = layout.parts[0].scalar.bytes() as usize;
            return image.put(offset, &bits.to_le_bytes()[..length]);
        }
        let size = self.types.size(value.ty())?;
        let of_pointer = self.types.pointer().bytes();
        if let Some(folded) = self.fold_bytes(value, size == u64::from(of_pointer)) {
            return match folded {
                Folded::Number(bits) => {
                    image.put(offset, &bits.to_le_bytes()[..size.min(8) as usize])
                }
                Folded::Address(symbol, addend) => {
                    image.put(offset, &[0; 8][..of_pointer as usize])?;
                    image.relocations.push(Relocation {
                        offset: offset as u32,
                        symbol,
                        addend,
                    });
                    Ok(())
                }
            };
        }
        self.write_elements(image, value, offset)
    }

    /// What a constant in memory comes to. Where addresses are short, those that are converted to
    /// integers of their size and back are the same bytes.
    fn fold_bytes(&mut self, value: Value<'m>, of_pointer: bool) -> Option<Folded> {
        let is_cast = matches!(
            value.constant_opcode(),
            Some(Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr)
        );
        match of_pointer && is_cast && self.types.is_ilp32() {
            true => self.fold_bytes(value.operand(0), true),
            false => self.fold(value),
        }
    }

    fn write_elements(
        &mut self,
        image: &mut Image,
        value: Value<'m>,
        offset: u64,
    ) -> Result<(), Unsupported> {
        let ty = value.ty();
        let (count, stride) = match ty.kind() {
            _ if value.constant_opcode().is_some() => (0, 0),
            TypeKind::Struct(count) => (count, 0),
            TypeKind::Array(element, count) => (count as u32, self.types.size(element)?),
            TypeKind::Vector(element, count) => {
                let layout = self.types.layout(ty)?;
                if layout.packed {
                    return Err(Unsupported(format!("a constant of type {ty}")));
                }
                (
                    count,
                    self.types.layout(element)?.parts[0].scalar.bytes() as u64,
                )
            }
            _ => (0, 0),
        };
        if count == 0 {
            return Err(Unsupported(format!("the constant {}", value.print())));
        }
        for index in 0..count {
            let element = value
                .element(index)
                .ok_or_else(|| Unsupported(format!("the constant {}", value.print())))?;
            let start = match ty.kind() {
                TypeKind::Struct(_) => self.types.member_offset(ty, index)?,
                _ => index as u64 * stride,
            };
            self.write(image, element, offset + start)?;
        }
        Ok(())
    }

    /// The entries of a list of functions to call at start or end.
    fn start_list(&mut self, list: Value<'m>) -> Vec<(u32, SymbolId)> {
        let Some(initializer) = list.initializer() else {
            return Vec::new();
        };
        let mut functions = Vec::new();
        let mut index = 0;
        while let Some(entry) = initializer.element(index) {
            let priority = entry.element(0).and_then(Value::integer);
            let function = entry.element(1).and_then(|function| self.fold(function));
            if let (Some(priority), Some(Folded::Address(symbol, _))) = (priority, function) {
                functions.push((priority as u32, symbol));
            }
            index += 1;
        }
        functions
    }
}

/// When functions are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Start,
    End,
}

/// The greatest priority, which comes last at the start: that of what is given none.
const NO_PRIORITY: u32 = 65535;

/// The phase and priority of the functions in a section, if it is one that the system calls.
fn start_section(section: &str) -> Option<(Phase, u32)> {
    let section = section.strip_prefix('.')?;
    let (name, number) = match section.split_once('.') {
        Some((name, number)) => (name, Some(number)),
        None => (section, None),
    };
    let phase = match name {
        "preinit_array" => return Some((Phase::Start, 0)),
        "init_array" | "ctors" => Phase::Start,
        "fini_array" | "dtors" => Phase::End,
        _ => return None,
    };
    let priority = match number.map(str::parse) {
        None => NO_PRIORITY,
        Some(Ok(number)) if section_is_reversed(section) => NO_PRIORITY.saturating_sub(number),
        Some(Ok(number)) => number,
        // The linker puts any other name before none.
        Some(Err(_)) => NO_PRIORITY - 1,
    };
    Some((phase, priority))
}

/// Whether the functions of a section are called in the opposite order, as in old object files.
fn section_is_reversed(section: &str) -> bool {
    let section = section.strip_prefix('.').unwrap_or(section);
    section.starts_with("ctors") || section.starts_with("dtors")
}

/// Initial content under construction.
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn put(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Unsupported> {
        let start = offset as usize;
        let place = self.bytes.get_mut(start..start + bytes.len());
        let place = place.ok_or_else(|| Unsupported("a value larger than its type".into()))?;
        place.copy_from_slice(bytes);
        Ok(())
    }
}
