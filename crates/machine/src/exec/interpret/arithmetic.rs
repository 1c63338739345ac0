//! Instructions that compute: arithmetic, comparisons, conversions, and what happens to addresses
//! in them.

use crate::base::fault::{Halt, Result, unsupported};
use crate::machine::Machine;
use crate::value::integer::{self, Strictness};
use crate::value::{Value, float, intrinsic};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Intrinsic, Operand, Scalar,
};
use impasse_program::word::Word;
use impasse_semantics::arithmetic::extension;
use impasse_semantics::domain::Arithmetic;
use impasse_semantics::intrinsic::argument_scalar;
use impasse_semantics::vectors::Sign;
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    pub(super) fn strictness(&self) -> Strictness {
        Strictness {
            shifts: self.at.users,
            signed_overflow: self.at.users && self.options.signed_overflow,
        }
    }

    /// Arithmetic on scalars of one word.
    #[inline(always)]
    pub(super) fn arithmetic(&mut self, of: Arithmetic, left: Word, right: Word) -> Result<Word> {
        let (operation, width, strict) = (of.operation, of.scalar.bits(), self.strictness());
        let mut word = raise(integer::binary(
            operation, width, left, right, of.flags, strict,
        ))?;
        if left.pointer || right.pointer {
            word.pointer = self.arithmetic_on_addresses(operation, left, right);
        }
        Ok(word)
    }

    /// Arithmetic on scalars of two words.
    pub(super) fn wide_arithmetic(
        &mut self,
        of: Arithmetic,
        left: Value,
        right: Value,
    ) -> Result<Value> {
        let (operation, width, strict) = (of.operation, of.scalar.bits(), self.strictness());
        raise(integer::binary_wide(
            operation, width, left, right, of.flags, strict,
        ))
    }

    /// Whether the result of arithmetic is an address still. If it is not, but depends on the
    /// number of an object, the object is exposed.
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
            self.memory.expose_word(left);
            self.memory.expose_word(right);
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
        self.memory.expose_word(left);
        self.memory.expose_word(right);
        false
    }

    /// Compares scalars of one word, some of which may be addresses.
    #[inline(always)]
    pub(super) fn compare_words(
        &mut self,
        comparison: Comparison,
        width: u32,
        left: Word,
        mut right: Word,
    ) -> Result<Word> {
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
        Ok(integer::compare(comparison, width, left, right))
    }

    /// Addresses are about to be ordered: where the order depends on numbers of objects, these are
    /// exposed.
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
            self.memory.expose_word(left);
            self.memory.expose_word(right);
        }
    }

    /// Converts between types; an address that loses bits is exposed.
    #[inline(always)]
    pub(super) fn converted(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Value,
    ) -> Value {
        let (width, is_address) = (to.bits(), value.low.pointer);
        match extension(conversion) {
            None => float::convert(conversion, from, to, value),
            Some(Sign::Signed) => integer::resize(Sign::Signed, value, from.bits(), width),
            Some(Sign::Unsigned) if width >= from.bits() => value,
            Some(Sign::Unsigned) if width == 64 && is_address => Value::one(value.low),
            Some(Sign::Unsigned) => {
                if is_address && width > 32 && width < 64 {
                    self.memory.expose_word(value.low);
                }
                Value::with_undefined(value.bits(), value.undefined_bits(), width)
            }
        }
    }

    /// The bits of scalars, joined and taken apart as scalars of another type.
    pub(super) fn repacked(&mut self, from: Scalar, to: Scalar, parts: &[Value]) -> Vec<Value> {
        let mut bits: Vec<(bool, bool)> = Vec::new();
        for value in parts {
            self.memory.expose_word(value.low);
            let (number, undefined) = (value.bits(), value.undefined_bits());
            bits.extend((0..from.bits()).map(|i| (number >> i & 1 == 1, undefined >> i & 1 == 1)));
        }
        let join = |part: &[(bool, bool)]| {
            let (mut number, mut undefined) = (0, 0);
            for (at, &(bit, unknown)) in part.iter().enumerate() {
                number |= (bit as u128) << at;
                undefined |= (unknown as u128) << at;
            }
            Value::with_undefined(number, undefined, to.bits())
        };
        bits.chunks(to.bits() as usize).map(join).collect()
    }

    /// The results of an intrinsic; an address among the arguments is exposed.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Result<(Value, Option<Word>)> {
        if scalar == Scalar::Pointer32 {
            return unsupported("masks on addresses of 32 bits");
        }
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        for (index, &operand) in arguments.iter().enumerate() {
            let value = self.read_scalar(operand, argument_scalar(intrinsic, index, scalar));
            if intrinsic != Intrinsic::PointerMask {
                self.memory.expose_word(value.low);
            }
            values.push(value);
        }
        let (mut value, flag) = raise(intrinsic::compute(intrinsic, scalar, &values))?;
        if intrinsic == Intrinsic::PointerMask {
            value.low.pointer = values[0].low.pointer;
        }
        Ok((value, flag))
    }
}

pub(super) fn raise<T>(outcome: integer::Outcome<T>) -> Result<T> {
    outcome.map_err(|(kind, message)| Box::new(Halt::Error(kind, message)))
}
