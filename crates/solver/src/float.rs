//! Floating-point numbers of IEEE 754 with 32 and 64 bits, as vectors of their bits.
//!
//! Arithmetic and the change of the format are nodes of their own, which Z3's theory of
//! floating-point numbers decides; comparisons, and conversions from and to integers, are made of
//! operations on vectors. Results are rounded to the nearest number, ties to even.
//!
//! What is not a number has a payload, which programs can see. It is the one that x86 gives: that
//! of the first operand which is not a number, made quiet, else that of an invalid operation.

use crate::term::{Binary, FloatBinary, Node, Term, Terms, Test, mask};
use std::hint::black_box;
use z3::Sort;
use z3::ast::{BV, Bool, Float, RoundingMode};

/// A format.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    pub(crate) width: u8,
    /// The bits of the fraction.
    pub(crate) fraction: u8,
}

const SINGLE: Format = Format {
    width: 32,
    fraction: 23,
};
const DOUBLE: Format = Format {
    width: 64,
    fraction: 52,
};

impl Format {
    /// The format of so many bits. Panics unless they are 32 or 64.
    pub(crate) fn of(width: u8) -> Format {
        match width {
            32 => SINGLE,
            64 => DOUBLE,
            _ => panic!("a floating-point number has 32 or 64 bits, not {width}"),
        }
    }

    pub(crate) fn sign(self) -> u128 {
        1 << (self.width - 1)
    }

    fn exponent(self) -> u8 {
        self.width - 1 - self.fraction
    }

    pub(crate) fn bias(self) -> u128 {
        mask(self.exponent() - 1)
    }

    fn infinity(self) -> u128 {
        mask(self.exponent()) << self.fraction
    }

    /// The bit that is set in what is quietly not a number.
    pub(crate) fn quiet(self) -> u128 {
        1 << (self.fraction - 1)
    }

    fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign() > self.infinity()
    }

    /// What an invalid operation gives on this machine.
    fn invalid(self) -> u128 {
        match self.width {
            32 => (black_box(0f32) / black_box(0f32)).to_bits().into(),
            _ => (black_box(0f64) / black_box(0f64)).to_bits().into(),
        }
    }

    /// What is not a number in this format, in another one.
    fn moved(self, nan: u128, to: Format) -> u128 {
        let sign = u128::from(nan & self.sign() != 0) * to.sign();
        let fraction = nan & mask(self.fraction);
        let fraction = match to.fraction >= self.fraction {
            true => fraction << (to.fraction - self.fraction),
            false => fraction >> (self.fraction - to.fraction),
        };
        sign | to.infinity() | fraction | to.quiet()
    }
}

/// The value of arithmetic on numbers of `width` bits.
pub(crate) fn float_value(operation: FloatBinary, a: u128, b: u128, width: u8) -> u128 {
    let format = Format::of(width);
    if let Some(nan) = [a, b].into_iter().find(|&bits| format.is_nan(bits)) {
        return nan | format.quiet();
    }
    macro_rules! computed {
        ($float:ty, $bits:ty) => {{
            let (a, b) = (
                <$float>::from_bits(a as $bits),
                <$float>::from_bits(b as $bits),
            );
            let value = match operation {
                FloatBinary::Add => a + b,
                FloatBinary::Subtract => a - b,
                FloatBinary::Multiply => a * b,
                FloatBinary::Divide => a / b,
            };
            match value.is_nan() {
                true => format.invalid(),
                false => value.to_bits().into(),
            }
        }};
    }
    match width {
        32 => computed!(f32, u32),
        _ => computed!(f64, u64),
    }
}

/// The value of the square root of a number of `width` bits.
pub(crate) fn root_value(a: u128, width: u8) -> u128 {
    let format = Format::of(width);
    if format.is_nan(a) {
        return a | format.quiet();
    }
    let (root, is_nan) = match width {
        32 => {
            let root = f32::from_bits(a as u32).sqrt();
            (root.to_bits().into(), root.is_nan())
        }
        _ => {
            let root = f64::from_bits(a as u64).sqrt();
            (root.to_bits().into(), root.is_nan())
        }
    };
    match is_nan {
        true => format.invalid(),
        false => root,
    }
}

/// The value of a number of one format in the other one.
pub(crate) fn resized_value(a: u128, from: u8, to: u8) -> u128 {
    let format = Format::of(from);
    match (format.is_nan(a), from, to) {
        (true, _, _) => format.moved(a, Format::of(to)),
        (false, 32, 64) => f64::from(f32::from_bits(a as u32)).to_bits().into(),
        (false, 64, 32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        _ => a,
    }
}

impl Terms {
    /// Returns the result of arithmetic. Panics unless both operands have 32 bits, or both 64.
    pub fn float(&self, operation: FloatBinary, a: Term, b: Term) -> Term {
        let width = Format::of(self.width(a)).width;
        assert_eq!(width, self.width(b), "operands have one format");
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.constant(float_value(operation, x, y, width), width),
            _ => self.intern(Node::Float(operation, a, b), width),
        }
    }

    /// Returns the square root. Panics unless the operand has 32 or 64 bits.
    pub fn square_root(&self, a: Term) -> Term {
        let width = Format::of(self.width(a)).width;
        match self.as_constant(a) {
            Some(x) => self.constant(root_value(x, width), width),
            None => self.intern(Node::SquareRoot(a), width),
        }
    }

    /// Returns the number in the format of so many bits. Panics unless both are 32 or 64.
    pub fn resize_float(&self, a: Term, width: u8) -> Term {
        let (from, to) = (Format::of(self.width(a)), Format::of(width));
        if from.width == to.width {
            return a;
        }
        match (self.as_constant(a), self.node(a)) {
            (Some(x), _) => self.constant(resized_value(x, from.width, width), width),
            _ => self.intern(Node::ResizeFloat(a), width),
        }
    }

    /// Returns the number with the other sign.
    pub fn negate_float(&self, a: Term) -> Term {
        let format = Format::of(self.width(a));
        self.binary(Binary::Xor, a, self.constant(format.sign(), format.width))
    }

    /// Returns the number without its sign.
    pub fn absolute_float(&self, a: Term) -> Term {
        let format = Format::of(self.width(a));
        self.and(a, self.constant(!format.sign(), format.width))
    }

    /// Returns the condition that it is not a number.
    pub fn is_nan(&self, a: Term) -> Term {
        let format = Format::of(self.width(a));
        let infinity = self.constant(format.infinity(), format.width);
        self.test(Test::UnsignedLess, infinity, self.absolute_float(a))
    }

    fn are_numbers(&self, a: Term, b: Term) -> Term {
        self.not(self.or(self.is_nan(a), self.is_nan(b)))
    }

    fn are_zeros(&self, a: Term, b: Term) -> Term {
        let both = self.absolute_float(self.or(a, b));
        self.equal(both, self.constant(0, self.width(a)))
    }

    /// Returns the condition that both are numbers, and equal. Panics unless both have 32 bits, or
    /// both 64.
    pub fn floats_equal(&self, a: Term, b: Term) -> Term {
        let same = self.or(self.equal(a, b), self.are_zeros(a, b));
        self.and(self.are_numbers(a, b), same)
    }

    /// Returns the condition that both are numbers, and the first is less. Panics as
    /// [`Terms::floats_equal`] does.
    pub fn float_less(&self, a: Term, b: Term) -> Term {
        let sign = |term| self.extract(term, self.width(term) - 1, 1);
        let below = |x, y| self.test(Test::UnsignedLess, x, y);
        let negative = self.or(self.not(sign(b)), below(b, a));
        let positive = self.and(self.not(sign(b)), below(a, b));
        let ordered = self.choose(sign(a), negative, positive);
        let ordered = self.and(ordered, self.not(self.are_zeros(a, b)));
        self.and(self.are_numbers(a, b), ordered)
    }

    /// Returns the condition that a number belongs to one of the classes of LLVM's mask, from the
    /// lowest bit on: signalling, quiet, -infinity, negative normal, negative subnormal, -0, and
    /// the positive ones of these in reverse.
    pub fn has_float_class(&self, a: Term, classes: u64) -> Term {
        let format = Format::of(self.width(a));
        let constant = |bits| self.constant(bits, format.width);
        let size = self.absolute_float(a);
        let least_normal = constant(1 << format.fraction);
        let quiet = self.differ(self.and(a, constant(format.quiet())), constant(0));
        let infinite = self.equal(size, constant(format.infinity()));
        let zero = self.equal(size, constant(0));
        let small = self.test(Test::UnsignedLess, size, least_normal);
        let finite = self.test(Test::UnsignedLess, size, constant(format.infinity()));
        let magnitudes = [
            zero,
            self.and(small, self.not(zero)),
            self.and(finite, self.not(small)),
            infinite,
        ];
        let negative = self.extract(a, format.width - 1, 1);
        let nan = self.is_nan(a);
        let mut all = vec![self.and(nan, self.not(quiet)), self.and(nan, quiet)];
        let signed = |sign| move |&size: &Term| self.and(size, sign);
        all.extend(magnitudes.iter().rev().map(signed(negative)));
        all.extend(magnitudes.iter().map(signed(self.not(negative))));
        let chosen = all.iter().enumerate();
        let chosen = chosen.filter(|(class, _)| classes >> class & 1 == 1);
        let chosen: Vec<Term> = chosen.map(|(_, &condition)| condition).collect();
        self.any(&chosen)
    }

    /// Returns the number nearest to an integer in the format of `to` bits, or `None` if there is
    /// no term for that.
    pub fn float_of_integer(&self, a: Term, is_signed: bool, to: u8) -> Option<Term> {
        match self.width(a) {
            width if width <= DOUBLE.fraction => {
                Some(self.resize_float(self.double_of(a, is_signed), to))
            }
            width if width <= 64 => Some(self.rounded_integer(a, is_signed, to)),
            _ => None,
        }
    }

    /// An integer of at most 52 bits as a number of 64 bits, which is exact.
    fn double_of(&self, a: Term, is_signed: bool) -> Term {
        let width = self.width(a);
        let constant = |bits| self.constant(bits, 64);
        let negative = match is_signed {
            true => self.extract(a, width - 1, 1),
            false => self.boolean(false),
        };
        let size = self.choose(negative, self.negate(a), a);
        let mut size = self.zero_extend(size, 64);
        let mut exponent = constant(DOUBLE.bias() + 63);
        for by in [32, 16, 8, 4, 2, 1] {
            let top = self.extract(size, 64 - by, by);
            let is_clear = self.equal(top, self.constant(0, by));
            let moved = self.binary(Binary::ShiftLeft, size, constant(by.into()));
            let less = self.subtract(exponent, constant(by.into()));
            size = self.choose(is_clear, moved, size);
            exponent = self.choose(is_clear, less, exponent);
        }
        let fraction = self.extract(size, 11, DOUBLE.fraction);
        let sign = self.concatenate(negative, self.extract(exponent, 0, DOUBLE.exponent()));
        let is_zero = self.equal(a, self.constant(0, width));
        self.choose(is_zero, constant(0), self.concatenate(sign, fraction))
    }

    /// Returns the integer of `width` bits that is nearest towards zero, after the condition that
    /// it fits. Panics unless the operand has 32 or 64 bits, and `width` is at most 64.
    pub fn integer_of_float(&self, a: Term, width: u8, is_signed: bool) -> (Term, Term) {
        assert!(width <= 64, "an integer of at most 64 bits");
        let format = Format::of(self.width(a));
        let constant = |bits| self.constant(bits, 128);
        let exponent = self.extract(a, format.fraction, format.exponent());
        let exponent = self.zero_extend(exponent, 128);
        let fraction = self.zero_extend(self.extract(a, 0, format.fraction), 128);
        let digits = self.or(fraction, constant(1 << format.fraction));
        let by = self.subtract(exponent, constant(format.bias()));
        let moved = self.binary(Binary::ShiftLeft, digits, by);
        let point = constant(format.fraction.into());
        let moved = self.binary(Binary::LogicalShiftRight, moved, point);
        let bias = constant(format.bias());
        let below_one = self.test(Test::UnsignedLess, exponent, bias);
        let size = self.choose(below_one, constant(0), moved);
        let negative = self.extract(a, format.width - 1, 1);
        let (least, most) = match is_signed {
            true => (1 << (width - 1), mask(width) >> 1),
            false => (0, mask(width)),
        };
        let limit = self.choose(negative, constant(least), constant(most));
        let bounded = constant(format.bias() + 64);
        let fits = self.and(
            self.test(Test::UnsignedLess, exponent, bounded),
            self.test(Test::UnsignedLessEqual, size, limit),
        );
        let size = self.extract(size, 0, width);
        (fits, self.choose(negative, self.negate(size), size))
    }
}

/// A vector as a floating-point number of Z3, and what must hold of that: the number is a new
/// constant.
pub(crate) fn view(name: String, bits: &BV) -> (Float, Bool) {
    let format = Format::of(bits.get_size() as u8);
    let float = match format.width {
        32 => Float::new_const_float32(name),
        _ => Float::new_const_double(name),
    };
    let is_nan = nan_bits(format, bits);
    let same = float.to_ieee_bv().eq(bits);
    let fact = is_nan.ite(&float.is_nan(), &same);
    (float, fact)
}

/// A constant of so many bits as a floating-point number of Z3.
pub(crate) fn constant_view(bits: u128, width: u8) -> Float {
    match (Format::of(width).is_nan(bits), width) {
        (true, 32) => Float::nan32(),
        (true, _) => Float::nan64(),
        (false, 32) => Float::from_f32(f32::from_bits(bits as u32)),
        (false, _) => Float::from_f64(f64::from_bits(bits as u64)),
    }
}

/// The result of arithmetic, as a number and as a vector. The operands are given as both.
pub(crate) fn computed(
    operation: FloatBinary,
    (a, b): (&Float, &Float),
    (x, y): (&BV, &BV),
) -> (Float, BV) {
    let format = Format::of(x.get_size() as u8);
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let result = match operation {
        FloatBinary::Add => a.add_with_rounding_mode(b.clone(), &nearest),
        FloatBinary::Subtract => a.sub_with_rounding_mode(b.clone(), &nearest),
        FloatBinary::Multiply => a.mul_with_rounding_mode(b.clone(), &nearest),
        FloatBinary::Divide => a.div_with_rounding_mode(b.clone(), &nearest),
    };
    let constant = |bits: u128| BV::from_u64(bits as u64, format.width.into());
    let quiet = constant(format.quiet());
    let invalid = constant(format.invalid());
    let bits = result.is_nan().ite(&invalid, &result.to_ieee_bv());
    let bits = nan_bits(format, y).ite(&y.bvor(&quiet), &bits);
    let bits = nan_bits(format, x).ite(&x.bvor(&quiet), &bits);
    (result, bits)
}

/// The square root of a number, as a number and as a vector; the operand is given as both.
pub(crate) fn root(a: &Float, x: &BV) -> (Float, BV) {
    let format = Format::of(x.get_size() as u8);
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let result = a.sqrt_with_rounding_mode(&nearest);
    let constant = |bits: u128| BV::from_u64(bits as u64, format.width.into());
    let invalid = constant(format.invalid());
    let bits = result.is_nan().ite(&invalid, &result.to_ieee_bv());
    let quiet = x.bvor(constant(format.quiet()));
    (result, nan_bits(format, x).ite(&quiet, &bits))
}

/// A number in the format of `width` bits, as a number and as a vector; the operand is given as
/// both.
pub(crate) fn resized(a: &Float, x: &BV, width: u8) -> (Float, BV) {
    let (from, to) = (Format::of(x.get_size() as u8), Format::of(width));
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let sort = match width {
        32 => Sort::float32(),
        _ => Sort::double(),
    };
    let result = a.to_fp_with_rounding_mode(&nearest, &sort);
    let fraction = x.extract(u32::from(from.fraction) - 1, 0);
    let by = u32::from(to.fraction.abs_diff(from.fraction));
    let fraction = match to.fraction > from.fraction {
        true => fraction.concat(BV::from_u64(0, by)),
        false => fraction.extract(u32::from(from.fraction) - 1, by),
    };
    let sign = x.extract(u32::from(from.width) - 1, u32::from(from.width) - 1);
    let exponent = BV::from_u64(mask(to.exponent()) as u64, to.exponent().into());
    let nan = sign.concat(exponent).concat(fraction);
    let nan = nan.bvor(BV::from_u64(to.quiet() as u64, width.into()));
    let bits = nan_bits(from, x).ite(&nan, &result.to_ieee_bv());
    (result, bits)
}

fn nan_bits(format: Format, bits: &BV) -> Bool {
    let constant = |bits: u128| BV::from_u64(bits as u64, format.width.into());
    let size = bits.bvand(constant(mask(format.width) & !format.sign()));
    size.bvugt(constant(format.infinity()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Solver};
    use proptest::prelude::*;
    use std::time::Duration;

    /// Numbers of all classes, and any.
    fn bits(width: u8) -> impl Strategy<Value = u128> {
        let format = Format::of(width);
        let special = prop_oneof![
            Just(0),
            Just(1),
            Just(format.infinity()),
            Just(format.infinity() | 1),
            Just(format.infinity() | format.quiet() | 5),
            Just(1 << format.fraction),
            (0..80u64).prop_map(move |n| match width {
                32 => (n as f32 / 4.0).to_bits().into(),
                _ => (n as f64 / 4.0).to_bits().into(),
            }),
            (0..64u32).prop_map(move |n| match width {
                32 => 2f32.powi(n as i32).to_bits().into(),
                _ => 2f64.powi(n as i32).to_bits().into(),
            }),
        ];
        let either = prop_oneof![special, any::<u128>()];
        (either, any::<bool>()).prop_map(move |(bits, negative)| {
            (bits & mask(width)) ^ (u128::from(negative) * format.sign())
        })
    }

    /// Whether Z3 agrees that a term has a value where inputs have certain bits.
    fn decides(terms: &Terms, inputs: &[(Term, u128)], term: Term, value: u128) {
        let fixed = inputs.iter().map(|&(input, bits)| {
            let constant = terms.constant(bits, terms.width(input));
            terms.equal(input, constant)
        });
        let fixed: Vec<Term> = fixed.collect();
        let constant = terms.constant(value, terms.width(term));
        let mut all = fixed.clone();
        all.push(terms.differ(term, constant));
        let answer = Solver::new(terms).check(&all, Duration::from_secs(20));
        assert_eq!(answer, Answer::Unsatisfiable, "{:?}", terms.node(term));
        let mut all = fixed;
        all.push(terms.equal(term, constant));
        let answer = Solver::new(terms).check(&all, Duration::from_secs(20));
        assert!(matches!(answer, Answer::Satisfiable(_)), "{answer:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn z3_computes_what_the_host_does(
            (width, a, b) in prop_oneof![Just(32u8), Just(64u8)]
                .prop_flat_map(|width| (Just(width), bits(width), bits(width))),
            operation in 0..4usize,
        ) {
            let terms = Terms::new();
            let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
            let operation = FloatBinary::ALL[operation];
            let value = float_value(operation, a, b, width);
            decides(&terms, &[(x, a), (y, b)], terms.float(operation, x, y), value);
            let root = root_value(a, width);
            decides(&terms, &[(x, a)], terms.square_root(x), root);
            let to = 96 - width;
            let value = resized_value(a, width, to);
            decides(&terms, &[(x, a)], terms.resize_float(x, to), value);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn vectors_compare_and_convert_as_the_host_does(
            (a, b) in (bits(64), bits(64)),
            (c, d) in (bits(32), bits(32)),
            number in any::<u64>(),
            shift in 0..64u32,
        ) {
            let terms = Terms::new();
            let constant = |bits, width| terms.constant(bits, width);
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            let (s, t) = (constant(a, 64), constant(b, 64));
            prop_assert_eq!(terms.is_true(terms.float_less(s, t)), x < y);
            prop_assert_eq!(terms.is_true(terms.floats_equal(s, t)), x == y);
            prop_assert_eq!(terms.is_true(terms.is_nan(s)), x.is_nan());
            prop_assert_eq!(terms.as_constant(terms.negate_float(s)), Some((-x).to_bits().into()));
            let (u, v) = (f32::from_bits(c as u32), f32::from_bits(d as u32));
            let (p, q) = (constant(c, 32), constant(d, 32));
            prop_assert_eq!(terms.is_true(terms.float_less(p, q)), u < v);
            prop_assert_eq!(terms.is_true(terms.floats_equal(p, q)), u == v);

            // Towards zero, where it fits.
            let whole = x.trunc();
            for width in [8u8, 16, 32, 64] {
                let (fits, value) = terms.integer_of_float(s, width, true);
                let limit = 2f64.powi(i32::from(width) - 1);
                let does = whole >= -limit && whole < limit;
                prop_assert_eq!(terms.is_true(fits), does, "{} {}", x, width);
                if does {
                    let expected = (whole as i64) as u128 & mask(width);
                    prop_assert_eq!(terms.as_constant(value), Some(expected));
                }
                let (fits, value) = terms.integer_of_float(s, width, false);
                let does = whole >= 0.0 && whole < 2.0 * limit;
                prop_assert_eq!(terms.is_true(fits), does, "{} {}", x, width);
                if does {
                    prop_assert_eq!(terms.as_constant(value), Some((whole as u64).into()));
                }
            }
            let (fits, value) = terms.integer_of_float(p, 32, true);
            let whole = u.trunc();
            let does = whole >= -2f32.powi(31) && whole < 2f32.powi(31);
            prop_assert_eq!(terms.is_true(fits), does);
            if does {
                let expected = (whole as i32) as u32;
                prop_assert_eq!(terms.as_constant(value), Some(expected.into()));
            }

            // From integers of several widths.
            let number = number >> shift;
            let of = |bits: u128, width, is_signed, to| {
                let term = terms.float_of_integer(constant(bits, width), is_signed, to);
                terms.as_constant(term.unwrap()).unwrap()
            };
            let (n, i, h) = (u128::from(number), number as u32, number as i16);
            prop_assert_eq!(of(n, 64, true, 64), (number as i64 as f64).to_bits().into());
            prop_assert_eq!(of(n, 64, false, 64), (number as f64).to_bits().into());
            prop_assert_eq!(of(i.into(), 32, true, 64), f64::from(i as i32).to_bits().into());
            prop_assert_eq!(of(i.into(), 32, true, 32), (i as i32 as f32).to_bits().into());
            prop_assert_eq!(of(i.into(), 32, false, 32), (i as f32).to_bits().into());
            prop_assert_eq!(of((h as u16).into(), 16, true, 32), f32::from(h).to_bits().into());
        }
    }
}
