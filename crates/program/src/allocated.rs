//! The type that memory is allocated for, by what the code does with its address: which variable
//! gets it, where it is stored, and which parameter it is passed for.
//!
//! For names in reports. It follows moves in any order and takes the first type that fits, so that
//! code which uses memory as several types gives one of them.

use crate::address::{Address, ObjectKind};
use crate::debug::{Type, TypeId};
use crate::instruction::{Instruction, Operand, Place, Position, Slot, Variable, VariablePlace};
use crate::link::{Function, FunctionId, Program, Target, UnitId};
use std::collections::BTreeMap;

/// How many calls deep a parameter is followed.
const DEEPEST: u32 = 4;

/// How many instructions an address is computed by, at most.
const LONGEST: u32 = 8;

/// A new array of C++ may start after the number of its elements.
const LONGEST_COUNT: u64 = 16;

/// A type that memory is used as from an offset on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsedAs {
    /// Who knows the type.
    pub unit: UnitId,
    /// The type.
    pub ty: TypeId,
    /// Where an object of the type, or several in a row, start in the memory.
    pub start: u64,
}

/// What becomes of the result of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// What the code takes what it points to for, in order.
    pub types: Vec<UsedAs>,
    /// Whether the function returns it.
    pub is_returned: bool,
}

impl Program {
    /// Returns what becomes of the pointer that the call at a position of a function returns;
    /// nothing if there is no call.
    pub fn uses_of_result(&self, function: FunctionId, at: Position) -> Uses {
        let code = self.function(function);
        match code.body.code.get(at.0 as usize) {
            Some(Instruction::Call { site }) => {
                let destination = code.body.sites[site.0 as usize].destination;
                self.uses_of(function, destination, DEEPEST)
            }
            _ => Uses::default(),
        }
    }

    /// Returns which of the types that a pointer is used as names an allocation of so many bytes: a
    /// record of this size, else records that it may be several of, else what fits.
    pub fn use_that_fits(&self, uses: &[UsedAs], bytes: u64) -> Option<UsedAs> {
        let rank = |it: &&UsedAs| {
            let size = self.size_of_type(it.unit, it.ty).unwrap_or(u64::MAX);
            let room = bytes.checked_sub(it.start).filter(|&room| size <= room)?;
            let is_record = self.record_name(it.unit, it.ty).is_some();
            match (it.start, is_record, room.is_multiple_of(size)) {
                (0, true, _) if room == size => Some(0),
                (0, true, true) => Some(1),
                (0, true, false) => Some(2),
                (0, false, true) => Some(3),
                (0, false, false) => Some(4),
                (1..=LONGEST_COUNT, true, true) => Some(5),
                _ => None,
            }
        };
        let ranked = uses.iter().filter_map(|it| Some((rank(&it)?, it)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, it)| *it)
    }

    fn uses_of(&self, function: FunctionId, slot: Slot, depth: u32) -> Uses {
        let code = self.function(function);
        let copies = copies_of(code, slot);
        let start_of = |operand: Operand| match operand.place() {
            Place::Slot(slot) => copies.get(&slot).copied(),
            Place::Constant(_) => None,
        };
        let unit = self.info(function).unit;
        let mut uses = Uses::default();
        for variable in &code.body.variables {
            if let VariablePlace::Value { slot, .. } = variable.place
                && let Some(&start) = copies.get(&slot)
                && let Some(ty) = self.pointee_of(unit, variable)
            {
                uses.types.push(UsedAs { unit, ty, start });
            }
        }
        for assigned in &code.body.assigned {
            if let Some(start) = start_of(assigned.value)
                && let Some(ty) = self.pointee_of(unit, &assigned.variable)
            {
                uses.types.push(UsedAs { unit, ty, start });
            }
        }
        for instruction in &code.body.code {
            match *instruction {
                Instruction::Store {
                    source, address, ..
                }
                | Instruction::Update {
                    source, address, ..
                }
                | Instruction::CompareExchange {
                    replacement: source,
                    address,
                    ..
                } => {
                    if let Some(start) = start_of(source)
                        && let Some(stored) = self.type_at(function, address, LONGEST)
                        && let Some((unit, ty)) = self.pointee_at(stored)
                    {
                        uses.types.push(UsedAs { unit, ty, start });
                    }
                }
                Instruction::Call { site } if depth > 0 => {
                    let site = site.0 as usize;
                    let passed = code.body.sites[site].arguments.iter();
                    let mut parameter = 0;
                    for argument in passed {
                        if let Some(start) = start_of(argument.value)
                            && let Target::Function(callee) = code.targets[site]
                        {
                            let inner = self.uses_of(callee, Slot(parameter), depth - 1);
                            uses.types.extend(inner.types.into_iter().map(|it| UsedAs {
                                start: it.start + start,
                                ..it
                            }));
                        }
                        parameter += argument.scalar.words();
                    }
                }
                Instruction::Return { values } => {
                    let values = &code.body.operands[values.indices()];
                    uses.is_returned |= values.iter().any(|&value| start_of(value) == Some(0));
                }
                _ => {}
            }
        }
        uses
    }

    /// What a variable that is in a slot points to.
    fn pointee_of(&self, unit: UnitId, variable: &Variable) -> Option<TypeId> {
        let VariablePlace::Value { offset, .. } = variable.place else {
            return None;
        };
        let whole = (unit, variable.ty?);
        let ty = self.part_at(whole, u64::from(offset))?;
        Some(self.pointee_at(ty)?.1)
    }

    /// What a pointer of a type, or at the start of one, points to.
    fn pointee_at(&self, (unit, ty): (UnitId, TypeId)) -> Option<(UnitId, TypeId)> {
        let (_, scalar) = self.part_at((unit, ty), 0)?;
        let to = self.pointee(unit, scalar)?;
        self.size_of_type(unit, to).map(|_| (unit, to))
    }

    /// The type of the pointer, or of the array or record, at an offset in a type.
    fn part_at(&self, (unit, ty): (UnitId, TypeId), offset: u64) -> Option<(UnitId, TypeId)> {
        let ty = match offset {
            0 if self.pointee(unit, ty).is_some() => ty,
            _ => self.subobject_of_type(unit, ty, offset, 8)?.ty?,
        };
        Some((unit, ty))
    }

    /// The type of the memory at an address that code computes in so many instructions.
    fn type_at(
        &self,
        function: FunctionId,
        address: Operand,
        longest: u32,
    ) -> Option<(UnitId, TypeId)> {
        let code = self.function(function);
        let unit = self.info(function).unit;
        let slot = match address.place() {
            Place::Constant(index) => {
                let address = Address::from_bits(code.constants.get(index as usize)?.bits);
                let ObjectKind::Global(number) = address.object.kind() else {
                    return None;
                };
                let global = self.globals().get(number as usize)?;
                let offset = u64::try_from(address.offset).ok()?;
                return match offset {
                    0 => Some((global.unit, global.ty?)),
                    _ => self.part_at((global.unit, global.ty?), offset),
                };
            }
            Place::Slot(slot) => slot,
        };
        for variable in &code.body.variables {
            match variable.place {
                VariablePlace::Object(object) if object == slot => {
                    return Some((unit, variable.ty?));
                }
                VariablePlace::Value { slot: value, .. } if value == slot => {
                    return Some((unit, self.pointee_of(unit, variable)?));
                }
                _ => {}
            }
        }
        let mut assigning = code.body.code.iter().filter(|it| {
            let definitions = it.definitions(&code.body);
            definitions.is_some_and(|(first, words)| (first.0..first.0 + words).contains(&slot.0))
        });
        let only = assigning.next().filter(|_| assigning.next().is_none())?;
        let longest = longest.checked_sub(1)?;
        match *only {
            Instruction::Move { source, .. } => self.type_at(function, source, longest),
            Instruction::AddressOffset { base, offset, .. } => {
                let whole = self.type_at(function, base, longest)?;
                self.part_at(whole, u64::try_from(offset).ok()?)
            }
            Instruction::AddressIndex { base, .. } => {
                let (unit, ty) = self.type_at(function, base, longest)?;
                match self.debug(unit).types.get(ty.0 as usize)? {
                    Type::Array { element, .. } => Some((unit, *element)),
                    _ => Some((unit, ty)),
                }
            }
            Instruction::Load { address, .. } => {
                self.pointee_at(self.type_at(function, address, longest)?)
            }
            _ => None,
        }
    }
}

/// The slots to which the value of a slot is moved, and that slot: where they point to, from where
/// it does.
fn copies_of(code: &Function, slot: Slot) -> BTreeMap<Slot, u64> {
    let mut copies = BTreeMap::from([(slot, 0u64)]);
    loop {
        let before = copies.len();
        for instruction in &code.body.code {
            let (destination, source, offset) = match *instruction {
                Instruction::Move {
                    destination,
                    source,
                } => (destination, source, 0),
                Instruction::AddressOffset {
                    destination,
                    base,
                    offset,
                } => (destination, base, offset),
                _ => continue,
            };
            if let Place::Slot(source) = source.place()
                && let Some(start) = copies.get(&source)
                && let Some(start) = start.checked_add_signed(offset)
            {
                copies.entry(destination).or_insert(start);
            }
        }
        if copies.len() == before {
            return copies;
        }
    }
}
