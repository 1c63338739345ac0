//! Instructions that test a bit, and change it, and instructions of which a flag is stored.

use super::plain::binary;
use super::{Assembly, Line, immediate, locked_operation};
use crate::instruction::{
    BinaryOperation, Comparison, Instruction, Operand, Ordering, ReadModifyWrite, Scalar,
};
use crate::translate::function::Translator;

/// A flag of the processor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    Carry,
    Zero,
    Sign,
}

/// The flag that a condition asks for, and whether it must be set.
fn condition(name: &str) -> Option<(Flag, bool)> {
    Some(match name {
        "c" | "b" | "nae" => (Flag::Carry, true),
        "nc" | "nb" | "ae" => (Flag::Carry, false),
        "z" | "e" => (Flag::Zero, true),
        "nz" | "ne" => (Flag::Zero, false),
        "s" => (Flag::Sign, true),
        "ns" => (Flag::Sign, false),
        _ => return None,
    })
}

/// Where a flag goes.
enum To<'t> {
    /// To the operand, as a byte.
    Operand(&'t str),
    /// To a register, all of whose bits are the flag.
    Everywhere(&'t str, Scalar),
    /// To the result that is a flag.
    Result(usize),
}

impl<'m> Assembly<'m> {
    /// The flag that is a result, if one is. None if it is not known.
    fn resulting<'t>(&self) -> Option<Option<Wanted<'t>>> {
        let is_flag = |number: &usize| self.places[*number].constraint.starts_with("{@cc");
        let mut flags = (0..self.places.len()).filter(is_flag);
        let Some(number) = flags.next() else {
            return Some(None);
        };
        let text = &self.places[number].constraint;
        let name = text.strip_prefix("{@cc")?.strip_suffix('}')?;
        let (flag, set) = condition(name)?;
        let to = To::Result(number);
        let alone = flags.next().is_none();
        alone.then_some(Some(Wanted { flag, set, to }))
    }

    /// Checks that an instruction has no results but so many, and the flag.
    fn has_only(&self, own: usize, wanted: Option<&Wanted<'_>>) -> Option<()> {
        let of_flag = match wanted.map(|wanted| &wanted.to) {
            None => 0,
            Some(To::Operand(to)) => usize::from(self.address(to).is_none()),
            Some(To::Everywhere(..) | To::Result(_)) => 1,
        };
        (self.parts.len() == own + of_flag).then_some(())
    }
}

impl<'m> Translator<'_, 'm> {
    /// An instruction of which another one stores a flag.
    pub(super) fn followed_by_flag(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        (stem, scalar): (&str, Scalar),
        flag: &Line<'_>,
    ) -> Option<()> {
        (!flag.locked).then_some(())?;
        let wanted = match (flag.name.strip_prefix("set"), &flag.operands[..]) {
            (Some(name), &[to]) => (condition(name)?, To::Operand(to)),
            (None, &[from, to]) if from == to => match self.sized(assembly, flag)? {
                ("sbb", held) => ((Flag::Carry, true), To::Everywhere(to, held)),
                _ => return None,
            },
            _ => return None,
        };
        match stem {
            "bt" | "bts" | "btr" | "btc" => {
                self.test_bit(assembly, line, (stem, scalar), Some(wanted_of(wanted)))
            }
            _ if line.locked => {
                self.locked_with_flag(assembly, line, (stem, scalar), Some(wanted_of(wanted)))
            }
            _ => None,
        }
    }

    /// Tests a bit, and sets, resets or complements it; the carry is what it was.
    pub(super) fn test_bit(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        (stem, scalar): (&str, Scalar),
        wanted: Option<Wanted<'_>>,
    ) -> Option<()> {
        let wanted = match wanted {
            Some(wanted) => Some(wanted),
            None => assembly.resulting()?,
        };
        let [index, place] = line.operands[..] else {
            return None;
        };
        matches!(scalar, Scalar::Integer(16 | 32 | 64)).then_some(())?;
        let in_memory = assembly.address(place).is_some();
        let writes_register = !in_memory && stem != "bt";
        assembly.has_only(usize::from(writes_register), wanted.as_ref())?;
        let (index, address) = self.bit_at(assembly, (index, place), scalar)?;
        let one = self.build.number(1);
        let mask = self.two(BinaryOperation::ShiftLeft, scalar, one, index);
        let (operation, update, mask) = match stem {
            "bts" => (BinaryOperation::Or, ReadModifyWrite::Or, mask),
            "btc" => (BinaryOperation::Xor, ReadModifyWrite::Xor, mask),
            _ => {
                let ones = self.build.number(crate::word::mask(scalar.bits()));
                let rest = self.two(BinaryOperation::Xor, scalar, mask, ones);
                (BinaryOperation::And, ReadModifyWrite::And, rest)
            }
        };
        let old = match address {
            Some(address) if line.locked && stem != "bt" => {
                let destination = self.build.slots(1);
                let update = Instruction::Update {
                    operation: update,
                    scalar,
                    ordering: Ordering::SequentiallyConsistent,
                    destination,
                    address,
                    source: mask,
                };
                self.push_locked(assembly, update);
                Operand::slot(destination)
            }
            _ if line.locked => return None,
            Some(address) => {
                let destination = self.build.slots(1);
                self.build.push(Instruction::Load {
                    scalar,
                    ordering: Ordering::Relaxed,
                    volatile: false,
                    destination,
                    address,
                });
                if stem != "bt" {
                    let source = self.two(operation, scalar, Operand::slot(destination), mask);
                    self.build.push(Instruction::Store {
                        scalar,
                        ordering: Ordering::Relaxed,
                        volatile: false,
                        source,
                        address,
                    });
                }
                Operand::slot(destination)
            }
            None => {
                let old = self.value_of(assembly, place, scalar)?;
                if stem != "bt" {
                    let new = self.two(operation, scalar, old, mask);
                    self.put(assembly, place, scalar, new)?;
                }
                old
            }
        };
        let Some(wanted) = wanted else {
            return Some(());
        };
        (wanted.flag == Flag::Carry).then_some(())?;
        let moved = self.two(BinaryOperation::LogicalShiftRight, scalar, old, index);
        let bit = self.two(BinaryOperation::And, scalar, moved, one);
        self.flag(assembly, wanted, (scalar, bit))
    }

    /// Which bit of a word, and of memory the address of the word: beyond the operand where the
    /// number is in a register.
    fn bit_at(
        &mut self,
        assembly: &Assembly<'m>,
        (index, place): (&str, &str),
        scalar: Scalar,
    ) -> Option<(Operand, Option<Operand>)> {
        let bits = u64::from(scalar.bits());
        let address = match assembly.address(place) {
            Some(address) => Some(self.operand(address).ok()?),
            None => None,
        };
        if let Some(number) = immediate(index) {
            return Some((self.build.number(number as u64 & (bits - 1)), address));
        }
        let index = self.value_of(assembly, index, scalar)?;
        let mask = self.build.number(bits - 1);
        let within = self.two(BinaryOperation::And, scalar, index, mask);
        let Some(base) = address else {
            return Some((within, None));
        };
        let by = self.build.number(u64::from(bits.trailing_zeros()));
        let words = self.two(BinaryOperation::ArithmeticShiftRight, scalar, index, by);
        let destination = self.build.slots(1);
        self.build.push(Instruction::AddressIndex {
            destination,
            base,
            index: words,
            width: scalar.bits() as u8,
            scale: bits / 8,
        });
        Some((within, Some(Operand::slot(destination))))
    }

    /// A locked instruction of which a flag is a result, or stored by the instruction after it.
    pub(super) fn locked_with_flag(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        (stem, scalar): (&str, Scalar),
        wanted: Option<Wanted<'_>>,
    ) -> Option<()> {
        let wanted = match wanted {
            Some(wanted) => wanted,
            None => assembly.resulting()??,
        };
        (wanted.flag != Flag::Carry && line.locked).then_some(())?;
        let (operation, binary) = (locked_operation(stem)?, binary(stem)?);
        let (source, memory) = match line.operands[..] {
            [memory] if matches!(stem, "inc" | "dec") => (self.build.number(1), memory),
            [register, memory] if !matches!(stem, "inc" | "dec") => {
                (self.value_of(assembly, register, scalar)?, memory)
            }
            _ => return None,
        };
        let address = self.operand(assembly.address(memory)?).ok()?;
        assembly.has_only(0, Some(&wanted))?;
        let destination = self.build.slots(1);
        let update = Instruction::Update {
            operation,
            scalar,
            ordering: Ordering::SequentiallyConsistent,
            destination,
            address,
            source,
        };
        self.push_locked(assembly, update);
        let (new, zero) = (
            self.two(binary, scalar, Operand::slot(destination), source),
            self.build.number(0),
        );
        let comparison = match wanted.flag {
            Flag::Sign => Comparison::SignedLess,
            _ => Comparison::Equal,
        };
        let holds = self.compared(comparison, scalar, new, zero);
        self.flag(assembly, wanted, (Scalar::Integer(1), holds))
    }

    /// Stores a flag that is the lowest bit of a number of this type.
    fn flag(
        &mut self,
        assembly: &Assembly<'m>,
        wanted: Wanted<'_>,
        (scalar, bit): (Scalar, Operand),
    ) -> Option<()> {
        let one = self.build.number(1);
        let bit = match wanted.set {
            true => bit,
            false => self.two(BinaryOperation::Xor, scalar, bit, one),
        };
        match wanted.to {
            To::Operand(to) => {
                let result = assembly.place(to).and_then(|place| assembly.result(place));
                result
                    .is_none_or(|(_, held)| held.bits() == 8)
                    .then_some(())?;
                let byte = self.resized(bit, scalar, Scalar::Integer(8))?;
                self.put(assembly, to, Scalar::Integer(8), byte)
            }
            To::Result(number) => {
                let (slot, result) = assembly.result(&assembly.places[number])?;
                let value = self.resized(bit, scalar, result)?;
                self.build.copy_scalar(result, slot, value);
                Some(())
            }
            To::Everywhere(to, held) => {
                let (value, zero) = (self.resized(bit, scalar, held)?, self.build.number(0));
                let all = self.two(BinaryOperation::Subtract, held, zero, value);
                self.put(assembly, to, held, all)
            }
        }
    }
}

/// A flag that is wanted.
pub(super) struct Wanted<'t> {
    flag: Flag,
    /// Whether it must be set, and not clear.
    set: bool,
    to: To<'t>,
}

fn wanted_of<'t>(((flag, set), to): ((Flag, bool), To<'t>)) -> Wanted<'t> {
    Wanted { flag, set, to }
}
