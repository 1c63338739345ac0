//! Instructions that compute: arithmetic, comparisons, conversions, and what becomes of addresses in them.

use crate::base::fault::{Halt, Result, unsupported};
use crate::machine::Machine;
use crate::value::integer::{self, Strictness};
use crate::value::{Value, float, intrinsic};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Intrinsic, Operand, PoisonFlags, Range, Scalar, Slot,
};
use impasse_program::word::Word;
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    pub(super) fn strictness(&self) -> Strictness {
        Strictness {
            shifts: self.at.users,
            signed_overflow: self.at.users && self.options.signed_overflow,
        }
    }

    #[inline]
    pub(super) fn binary(
        &mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        poison_flags: PoisonFlags,
        destination: Slot,
        left: Operand,
        right: Operand,
    ) -> Result<()> {
        let width = scalar.bits();
        let strict = self.strictness();
        if scalar.words() == 2 {
            let (left, right) = (
                self.read_scalar(left, scalar),
                self.read_scalar(right, scalar),
            );
            let value = raise(integer::binary_wide(
                operation,
                width,
                left,
                right,
                poison_flags,
                strict,
            ))?;
            self.write_scalar(destination, scalar, value);
            return Ok(());
        }
        let (left, right) = (self.read(left), self.read(right));
        let mut word = raise(integer::binary(
            operation,
            width,
            left,
            right,
            poison_flags,
            strict,
        ))?;
        if left.pointer || right.pointer {
            word.pointer = self.arithmetic_on_addresses(operation, left, right);
        }
        self.write(destination, word);
        Ok(())
    }

    /// Whether the result of arithmetic is an address still. If it is not, but depends on the number of an object, the object is
    /// exposed.
    #[cold]
    pub(super) fn arithmetic_on_addresses(
        &mut self,
        operation: BinaryOperation,
        left: Word,
        right: Word,
    ) -> bool {
        use BinaryOperation as Op;
        let object = |word: Word| Address::from_bits(word.bits).object;
        if left.pointer && right.pointer {
            if operation == Op::Subtract && object(left) == object(right) {
                return false;
            }
            self.memory.pin_word(left);
            self.memory.pin_word(right);
            return false;
        }
        let (number, address_first) = if left.pointer {
            (right.bits, true)
        } else {
            (left.bits, false)
        };
        let high = number >> 32;
        let below_tag = || {
            let named = object(if address_first { left } else { right });
            high & 0x7fff == 0x7fff && named.leaves_room_for_tag()
        };
        let near = number as i64 >= -(1 << 31) && (number as i64) < 1 << 31;
        match operation {
            Op::Add if near => return true,
            Op::Subtract if near && address_first => return true,
            Op::And if high == 0xffff_ffff => return true,
            Op::And if high == 0 => return false,
            Op::And if below_tag() => return true,
            Op::Or | Op::Xor if high == 0 => return true,
            _ => {}
        }
        self.memory.pin_word(left);
        self.memory.pin_word(right);
        false
    }

    #[inline]
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        destination: Slot,
        left: Operand,
        right: Operand,
    ) -> Result<()> {
        let result = if scalar.words() == 2 {
            let (left, right) = (
                self.read_scalar(left, scalar),
                self.read_scalar(right, scalar),
            );
            integer::compare_wide(comparison, scalar.bits(), left, right)
        } else {
            let (left, mut right) = (self.read(left), self.read(right));
            if left.pointer || right.pointer {
                match comparison {
                    Comparison::Equal | Comparison::NotEqual => {
                        if self.share_address(left, right)? {
                            right = left;
                        }
                    }
                    _ => self.order_addresses(left, right),
                }
            }
            integer::compare(comparison, scalar.bits(), left, right)
        };
        self.write(destination, result);
        Ok(())
    }

    /// Addresses are about to be ordered: where the order depends on numbers of objects, these are exposed.
    #[cold]
    pub(super) fn order_addresses(&mut self, left: Word, right: Word) {
        let object = |word: Word| Address::from_bits(word.bits).object;
        let far = |word: Word| !word.pointer && (word.bits >> 32 == 0 || word.bits >> 48 == 0xffff);
        // Objects made while running lie behind most others, whatever their numbers.
        let before = |a: ObjectId, b: ObjectId| a.lies_below_dynamic() && b.is_dynamic();
        let fixed = left.pointer && right.pointer && {
            before(object(left), object(right)) || before(object(right), object(left))
        };
        if !fixed && object(left) != object(right) && !far(left) && !far(right) {
            self.memory.pin_word(left);
            self.memory.pin_word(right);
        }
    }

    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        source: Operand,
    ) -> Result<()> {
        let value = self.read_scalar(source, from);
        let result = match conversion {
            Conversion::PointerToInteger if from == Scalar::Pointer32 => {
                let number = self.memory.expose_pointer32(value.low)?;
                Value::with_undefined(number.bits.into(), number.undefined.into(), to.bits())
            }
            Conversion::IntegerToPointer if to == Scalar::Pointer32 => {
                Value::one(self.memory.widen(value.low))
            }
            Conversion::Truncate => {
                if value.low.pointer && to.bits() > 32 && to.bits() < 64 {
                    self.memory.pin_word(value.low);
                }
                match (to.bits(), value.low.pointer) {
                    (64, true) => Value::one(value.low),
                    (width, _) => {
                        Value::with_undefined(value.bits(), value.undefined_bits(), width)
                    }
                }
            }
            Conversion::ZeroExtend => value,
            Conversion::SignExtend => integer::sign_extend(value, from.bits(), to.bits()),
            Conversion::PointerToInteger | Conversion::IntegerToPointer => {
                let width = to.bits().min(64);
                if width == 64 {
                    value
                } else {
                    if value.low.pointer && width > 32 {
                        self.memory.pin_word(value.low);
                    }
                    Value::with_undefined(value.bits(), value.undefined_bits(), width)
                }
            }
            _ => float::convert(conversion, from, to, value),
        };
        self.write_scalar(destination, to, result);
        Ok(())
    }

    pub(super) fn repack(&mut self, from: Scalar, to: Scalar, destination: Slot, arguments: Range) {
        let operands = &self.at.function.body.operands[arguments.indices()];
        if from.bits() == 64 && to.bits() == 64 {
            for (i, &operand) in operands.iter().enumerate() {
                let word = self.read(operand);
                self.write(Slot(destination.0 + i as u32), word);
            }
            return;
        }
        let mut bits: Vec<(bool, bool)> = Vec::new();
        for &operand in operands {
            let value = self.read_scalar(operand, from);
            self.memory.pin_word(value.low);
            let (number, undefined) = (value.bits(), value.undefined_bits());
            bits.extend((0..from.bits()).map(|i| (number >> i & 1 == 1, undefined >> i & 1 == 1)));
        }
        for (i, part) in bits.chunks(to.bits() as usize).enumerate() {
            let (mut number, mut undefined) = (0, 0);
            for (at, &(bit, unknown)) in part.iter().enumerate() {
                number |= (bit as u128) << at;
                undefined |= (unknown as u128) << at;
            }
            let slot = Slot(destination.0 + i as u32 * to.words());
            let value = Value::with_undefined(number, undefined, to.bits());
            self.write_scalar(slot, to, value);
        }
    }

    pub(super) fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
    ) -> Result<()> {
        if scalar == Scalar::Pointer32 {
            return unsupported("masks on addresses of 32 bits");
        }
        let operands = &self.at.function.body.operands[arguments.indices()];
        let count = operands.len();
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        for (i, &operand) in operands.iter().enumerate() {
            let flag = match intrinsic {
                Intrinsic::CountLeadingZeros
                | Intrinsic::CountTrailingZeros
                | Intrinsic::Absolute
                | Intrinsic::IsFloatClass => i + 1 == count && i > 0,
                _ => false,
            };
            let scalar = if flag { Scalar::Integer(32) } else { scalar };
            let value = self.read_scalar(operand, scalar);
            if intrinsic != Intrinsic::PointerMask {
                self.memory.pin_word(value.low);
            }
            values.push(value);
        }
        let (mut value, flag) = raise(intrinsic::compute(intrinsic, scalar, &values))?;
        let to = match intrinsic {
            Intrinsic::IsFloatClass => Scalar::Integer(1),
            _ => scalar,
        };
        if intrinsic == Intrinsic::PointerMask {
            value.low.pointer = values[0].low.pointer;
        }
        self.write_scalar(destination, to, value);
        if let Some(flag) = flag {
            self.write(Slot(destination.0 + to.words()), flag);
        }
        Ok(())
    }
}

fn raise<T>(outcome: integer::Outcome<T>) -> Result<T> {
    outcome.map_err(|(kind, message)| Box::new(Halt::Error(kind, message)))
}
