//! Functions of floating-point numbers that round to whole numbers or select one of two, the
//! conversion of integers of any width, and numbers of bits: all made of operations on vectors.

use crate::float::Format;
use crate::term::{Binary, Term, Terms, Test};

/// Which whole number a number is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// The greatest that is not greater.
    Down,
    /// The least that is not less.
    Up,
    /// The nearest that is no farther from zero.
    TowardZero,
    /// The nearest; of two, the even one.
    TiesToEven,
    /// The nearest; of two, the one farther from zero.
    TiesAway,
}

/// What counts as one of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// Whether the smaller one counts, or the greater one; zeros differ by their signs.
    pub is_least: bool,
    /// Whether a number counts if the other operand is not one.
    pub prefers_numbers: bool,
}

impl Terms {
    /// Returns the whole number that a number is rounded to. Panics unless it has 32 or 64 bits.
    pub fn round_float(&self, a: Term, rounding: Rounding) -> Term {
        let format = Format::of(self.width(a));
        let constant = |bits| self.constant(bits, format.width);
        let zero = constant(0);
        let size = self.absolute_float(a);
        let sign = self.and(a, constant(format.sign()));
        let negative = self.differ(sign, zero);
        let exponent = self.binary(
            Binary::LogicalShiftRight,
            size,
            constant(format.fraction.into()),
        );
        let outward = |is_inexact: Term, half: [Term; 3]| match rounding {
            Rounding::TowardZero => self.boolean(false),
            Rounding::Down => self.and(is_inexact, negative),
            Rounding::Up => self.and(is_inexact, self.not(negative)),
            Rounding::TiesAway => self.not(half[0]),
            Rounding::TiesToEven => self.or(half[1], self.and(half[2], self.not(half[0]))),
        };
        let below = |x, y| self.test(Test::UnsignedLess, x, y);

        // Less than one. The bits of numbers are in the order of their sizes.
        let half = constant((format.bias() - 1) << format.fraction);
        let ties = [below(size, half), below(half, size), self.boolean(false)];
        let one = constant(format.bias() << format.fraction);
        let small = self.choose(outward(self.differ(size, zero), ties), one, zero);

        // The bits of the fraction that stand for less than one. A carry increases the exponent.
        let by = self.subtract(exponent, constant(format.bias()));
        let fraction = constant((1 << format.fraction) - 1);
        let dropped = self.binary(Binary::LogicalShiftRight, fraction, by);
        let unit = self.add(dropped, constant(1));
        let half = self.binary(Binary::LogicalShiftRight, unit, constant(1));
        let rest = self.and(size, dropped);
        let is_odd = self.differ(self.and(size, unit), zero);
        let ties = [below(rest, half), below(half, rest), is_odd];
        let whole = self.subtract(size, rest);
        let goes_out = outward(self.differ(rest, zero), ties);
        let large = self.choose(goes_out, self.add(whole, unit), whole);

        let is_small = below(size, one);
        let rounded = self.or(sign, self.choose(is_small, small, large));
        let whole_from = format.bias() + u128::from(format.fraction);
        let is_whole = self.not(below(exponent, constant(whole_from)));
        let quiet = self.or(a, constant(format.quiet()));
        let unchanged = self.choose(self.is_nan(a), quiet, a);
        self.choose(is_whole, unchanged, rounded)
    }

    /// Returns one of two numbers. Panics unless both have 32 bits, or both 64.
    pub fn extreme_float(&self, extreme: Extreme, a: Term, b: Term) -> Term {
        let (first, last) = match extreme.is_least {
            true => (a, b),
            false => (b, a),
        };
        let negative = self.extract(a, self.width(a) - 1, 1);
        let on_tie = match extreme.is_least {
            true => negative,
            false => self.not(negative),
        };
        let wins = self.choose(
            self.floats_equal(a, b),
            on_tie,
            self.float_less(first, last),
        );
        let (beside_a, beside_b) = match extreme.prefers_numbers {
            true => (b, a),
            false => (a, b),
        };
        let among_numbers = self.choose(wins, a, b);
        let with_b = self.choose(self.is_nan(b), beside_b, among_numbers);
        self.choose(self.is_nan(a), beside_a, with_b)
    }

    /// An integer of 1 to 64 bits as the nearest number in the format of `to` bits, ties to even.
    pub(crate) fn rounded_integer(&self, a: Term, is_signed: bool, to: u8) -> Term {
        let format = Format::of(to);
        let width = self.width(a);
        let constant = |bits| self.constant(bits, 64);
        let negative = match is_signed {
            true => self.extract(a, width - 1, 1),
            false => self.boolean(false),
        };
        let size = self.choose(negative, self.negate(a), a);
        let size = self.zero_extend(size, 64);
        let zeros = self.leading_zeros(size);
        let digits = self.binary(Binary::ShiftLeft, size, zeros);
        // The highest bit is implicit: with it, the exponent is one less.
        let exponent = self.subtract(constant(format.bias() + 62), zeros);
        let exponent = self.binary(
            Binary::ShiftLeft,
            exponent,
            constant(format.fraction.into()),
        );
        let dropped = 63 - format.fraction;
        let kept = self.binary(Binary::LogicalShiftRight, digits, constant(dropped.into()));
        let rest = self.and(digits, constant((1 << dropped) - 1));
        let half = constant(1 << (dropped - 1));
        let is_odd = self.extract(kept, 0, 1);
        let up = self.choose(
            self.equal(rest, half),
            is_odd,
            self.test(Test::UnsignedLess, half, rest),
        );
        let number = self.add(self.add(exponent, kept), self.zero_extend(up, 64));
        let number = self.choose(self.equal(size, constant(0)), constant(0), number);
        let number = self.extract(number, 0, to);
        let sign = self.constant(format.sign(), to);
        self.choose(negative, self.or(number, sign), number)
    }

    /// Returns the number of ones.
    pub fn count_ones(&self, a: Term) -> Term {
        let width = self.width(a);
        let padded = width.next_power_of_two();
        let mut sums = self.zero_extend(a, padded);
        let mut by = 1;
        while by < padded {
            // Sums of `by` bits, each followed by as many zeros.
            let mut pattern = (1u128 << by) - 1;
            let mut size = 2 * by;
            while size < padded {
                pattern |= pattern << size;
                size *= 2;
            }
            let pattern = self.constant(pattern, padded);
            let by_term = self.constant(by.into(), padded);
            let upper = self.binary(Binary::LogicalShiftRight, sums, by_term);
            sums = self.add(self.and(sums, pattern), self.and(upper, pattern));
            by *= 2;
        }
        self.extract(sums, 0, width)
    }

    /// Returns the number of zeros above the highest one, which is the width if there is none.
    pub fn leading_zeros(&self, a: Term) -> Term {
        self.zeros(a, |at, by| at - by, Binary::ShiftLeft)
    }

    /// Returns the number of zeros below the lowest one, which is the width if there is none.
    pub fn trailing_zeros(&self, a: Term) -> Term {
        self.zeros(a, |_, _| 0, Binary::LogicalShiftRight)
    }

    /// The number of zeros at one end; `low` is where the bits there begin.
    fn zeros(&self, a: Term, low: impl Fn(u8, u8) -> u8, shift: Binary) -> Term {
        let width = self.width(a);
        let constant = |bits: u8| self.constant(bits.into(), width);
        let (mut rest, mut count) = (a, constant(0));
        let mut by = width.next_power_of_two() / 2;
        while by > 0 {
            let end = self.extract(rest, low(width, by), by);
            let is_clear = self.equal(end, self.constant(0, by));
            let more = self.add(count, constant(by));
            count = self.choose(is_clear, more, count);
            rest = self.choose(is_clear, self.binary(shift, rest, constant(by)), rest);
            by /= 2;
        }
        let none = self.equal(a, self.constant(0, width));
        self.choose(none, constant(width), count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers near halves and whole numbers of all sizes, special ones, and any.
    fn doubles() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-40..40i32).prop_map(|n| f64::from(n) / 4.0),
            (-40..40i32).prop_map(|n| f64::from(n) / 2.0 + f64::EPSILON),
            (0..63u32, -3..4i64).prop_map(|(n, by)| ((1i64 << n) + by) as f64 / 2.0),
            any::<u64>().prop_map(f64::from_bits),
            any::<i64>().prop_map(|n| n as f64 / 65536.0),
        ]
    }

    fn singles() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-40..40i32).prop_map(|n| n as f32 / 4.0),
            (0..31u32, -3..4i32).prop_map(|(n, by)| ((1i32 << n).wrapping_add(by)) as f32 / 2.0),
            any::<u32>().prop_map(f32::from_bits),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn functions_agree_with_the_hosts(
            (x, y) in (doubles(), doubles()),
            (u, v) in (singles(), singles()),
            number in any::<u64>(),
            shift in 0..64u32,
        ) {
            let terms = Terms::new();
            let double = |x: f64| terms.constant(x.to_bits().into(), 64);
            let single = |x: f32| terms.constant(x.to_bits().into(), 32);
            let value = |term| terms.as_constant(term).unwrap();
            // The host may leave what is not a number as it is.
            let quiet = |x: f64| x.to_bits() | u64::from(x.is_nan()) << 51;
            let quiet_single = |x: f32| x.to_bits() | u32::from(x.is_nan()) << 22;
            let wide = [
                (Rounding::Down, x.floor()),
                (Rounding::Up, x.ceil()),
                (Rounding::TowardZero, x.trunc()),
                (Rounding::TiesToEven, x.round_ties_even()),
                (Rounding::TiesAway, x.round()),
            ];
            for (rounding, expected) in wide {
                let got = value(terms.round_float(double(x), rounding));
                prop_assert_eq!(got, quiet(expected).into(), "{:?} {}", rounding, x);
            }
            let narrow = [
                (Rounding::Down, u.floor()),
                (Rounding::Up, u.ceil()),
                (Rounding::TowardZero, u.trunc()),
                (Rounding::TiesToEven, u.round_ties_even()),
                (Rounding::TiesAway, u.round()),
            ];
            for (rounding, expected) in narrow {
                let got = value(terms.round_float(single(u), rounding));
                prop_assert_eq!(got, quiet_single(expected).into(), "{:?} {}", rounding, u);
            }

            for (is_least, prefers_numbers) in [(true, true), (false, true), (true, false)] {
                let extreme = Extreme { is_least, prefers_numbers };
                let got = value(terms.extreme_float(extreme, double(x), double(y)));
                let expected = match (x.is_nan(), y.is_nan()) {
                    (true, _) => if prefers_numbers { y } else { x },
                    (_, true) => if prefers_numbers { x } else { y },
                    _ if (x < y) == is_least && x != y => x,
                    _ if x == y && x.is_sign_negative() == is_least => x,
                    _ => y,
                };
                prop_assert_eq!(got, expected.to_bits().into(), "{:?} {} {}", extreme, x, y);
            }
            let lesser = terms.extreme_float(
                Extreme { is_least: true, prefers_numbers: true },
                single(u),
                single(v),
            );
            if !u.is_nan() && !v.is_nan() && u != v {
                prop_assert_eq!(value(lesser), u.min(v).to_bits().into());
            }

            let number = number >> shift;
            let integer = |bits: u64, width| terms.constant(bits.into(), width);
            let of = |term, is_signed, to| value(terms.rounded_integer(term, is_signed, to));
            let (wide, i) = (integer(number, 64), number as u32);
            prop_assert_eq!(of(wide, true, 32), (number as i64 as f32).to_bits().into());
            prop_assert_eq!(of(wide, false, 32), (number as f32).to_bits().into());
            prop_assert_eq!(of(wide, true, 64), (number as i64 as f64).to_bits().into());
            prop_assert_eq!(of(wide, false, 64), (number as f64).to_bits().into());
            let half = integer(i.into(), 32);
            prop_assert_eq!(of(half, true, 32), (i as i32 as f32).to_bits().into());
            prop_assert_eq!(of(half, false, 64), f64::from(i).to_bits().into());
        }
    }
}
