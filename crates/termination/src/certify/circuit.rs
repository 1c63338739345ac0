//! Terms as circuits of gates over bits.
//!
//! The same circuit serves twice: with constants for the bits of the variables it is folded to
//! constants, which is how a concrete run is computed; with variables it is turned into clauses for
//! a proof that speaks of all states. Gates with equal inputs are the same gate, which decides much
//! without any proof.

use super::table::{Entry, Operation, Table};
use crate::certificate::Index;
use rustc_hash::FxHashMap;

pub use super::gates::{Bus, Circuit, FALSE, TRUE, Wire};

/// Computes terms of a table under values of its variables.
pub struct Computation<'c> {
    circuit: &'c mut Circuit,
    values: FxHashMap<Index, Bus>,
}

impl<'c> Computation<'c> {
    /// A computation in which these terms, among them every variable that is met, have these
    /// values.
    pub fn new(circuit: &'c mut Circuit, values: FxHashMap<Index, Bus>) -> Computation<'c> {
        Computation { circuit, values }
    }

    /// The value of a term. `None` if it depends on a variable without a value.
    pub fn value(&mut self, table: &Table, root: Index) -> Option<Bus> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(
                operands(&table.entries[term].0)
                    .filter(|operand| !self.values.contains_key(operand)),
            );
            if open.len() == before {
                let value = self.compute(table, term)?;
                self.values.insert(term, value);
                open.pop();
            }
        }
        Some(self.values[&root].clone())
    }

    /// The value of a term of one bit.
    pub fn bit(&mut self, table: &Table, root: Index) -> Option<Wire> {
        self.value(table, root)
            .filter(|bus| bus.len() == 1)
            .map(|bus| bus[0])
    }

    fn compute(&mut self, table: &Table, term: Index) -> Option<Bus> {
        let (entry, width) = &table.entries[term];
        let of = |at: &Index| self.values[at].clone();
        Some(match entry {
            Entry::Variable => return None,
            Entry::Constant(value) => constant(*value, *width),
            Entry::Not(a) => of(a).into_iter().map(Wire::inverse).collect(),
            Entry::Two(operation, a, b) => {
                let (a, b) = (of(a), of(b));
                self.circuit.two(*operation, &a, &b)
            }
            Entry::Choose(c, a, b) => {
                let (c, a, b) = (of(c)[0], of(a), of(b));
                self.circuit.choose_bus(c, &a, &b)
            }
            Entry::Extract(low, a) => of(a)[*low..low + width].to_vec(),
            Entry::Concatenate(a, b) => [of(b), of(a)].concat(),
            Entry::ZeroExtend(a) => widened(&of(a), *width, FALSE),
            Entry::SignExtend(a) => {
                let a = of(a);
                widened(&a, *width, a[a.len() - 1])
            }
        })
    }
}

/// The bits of a number.
pub fn constant(value: u128, width: usize) -> Bus {
    (0..width)
        .map(|at| Wire::of(value >> at & 1 == 1))
        .collect()
}

/// The number that constant bits are.
pub fn number(bus: &[Wire]) -> Option<u128> {
    bus.iter().rev().try_fold(0, |number, wire| {
        Some(number << 1 | u128::from(wire.constant()?))
    })
}

fn widened(a: &[Wire], width: usize, fill: Wire) -> Bus {
    (0..width)
        .map(|at| a.get(at).copied().unwrap_or(fill))
        .collect()
}

fn operands(entry: &Entry) -> impl Iterator<Item = Index> {
    let (a, b, c) = match *entry {
        Entry::Variable | Entry::Constant(_) => (None, None, None),
        Entry::Not(a) | Entry::Extract(_, a) | Entry::ZeroExtend(a) | Entry::SignExtend(a) => {
            (Some(a), None, None)
        }
        Entry::Two(_, a, b) | Entry::Concatenate(a, b) => (Some(a), Some(b), None),
        Entry::Choose(a, b, c) => (Some(a), Some(b), Some(c)),
    };
    [a, b, c].into_iter().flatten()
}

/// Arithmetic as in the schoolbook.
impl Circuit {
    fn two(&mut self, operation: Operation, a: &[Wire], b: &[Wire]) -> Bus {
        use Operation::*;
        let width = a.len();
        match operation {
            Add => self.add(a, b, FALSE).0,
            Subtract => self.subtract(a, b),
            Multiply => self.multiply(a, b, width),
            UnsignedDivide => self.divide(a, b).0,
            UnsignedRemainder => self.divide(a, b).1,
            SignedDivide => self.divide_signed(a, b).0,
            SignedRemainder => self.divide_signed(a, b).1,
            ShiftLeft => {
                let turned: Bus = a.iter().rev().copied().collect();
                let mut shifted = self.shift_right(&turned, b, FALSE);
                shifted.reverse();
                shifted
            }
            LogicalShiftRight => self.shift_right(a, b, FALSE),
            ArithmeticShiftRight => self.shift_right(a, b, a[width - 1]),
            And => a.iter().zip(b).map(|(&x, &y)| self.and(x, y)).collect(),
            Or => a.iter().zip(b).map(|(&x, &y)| self.or(x, y)).collect(),
            Xor => a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect(),
            _ => vec![self.question(operation, a, b)],
        }
    }

    fn question(&mut self, operation: Operation, a: &[Wire], b: &[Wire]) -> Wire {
        use Operation::*;
        let width = a.len();
        let more = |bus: &[Wire], by: usize| widened(bus, width + by, bus[width - 1]);
        match operation {
            Equal => self.equal(a, b),
            UnsignedLess => self.less(a, b),
            UnsignedLessEqual => self.less(b, a).inverse(),
            SignedLess => self.less(&iteration_sign(a), &iteration_sign(b)),
            SignedLessEqual => self.less(&iteration_sign(b), &iteration_sign(a)).inverse(),
            UnsignedAddOverflow => self.add(a, b, FALSE).1,
            SignedAddOverflow => {
                let sum = self.add(&more(a, 1), &more(b, 1), FALSE).0;
                self.xor(sum[width], sum[width - 1])
            }
            SignedSubtractOverflow => {
                let difference = self.subtract(&more(a, 1), &more(b, 1));
                self.xor(difference[width], difference[width - 1])
            }
            UnsignedMultiplyOverflow => {
                let product = self.multiply(
                    &widened(a, 2 * width, FALSE),
                    &widened(b, 2 * width, FALSE),
                    2 * width,
                );
                let fits = self.all(product[width..].iter().map(|wire| wire.inverse()));
                fits.inverse()
            }
            _ => {
                debug_assert_eq!(operation, SignedMultiplyOverflow);
                let product = self.multiply(&more(a, width), &more(b, width), 2 * width);
                let sign = product[width - 1];
                let differing: Bus = product[width..]
                    .iter()
                    .map(|&wire| self.xor(wire, sign))
                    .collect();
                let fits = self.all(differing.into_iter().map(Wire::inverse));
                fits.inverse()
            }
        }
    }

    /// The sum, and the carry out of it.
    fn add(&mut self, a: &[Wire], b: &[Wire], mut carry: Wire) -> (Bus, Wire) {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    fn subtract(&mut self, a: &[Wire], b: &[Wire]) -> Bus {
        self.add(a, &inverted(b), TRUE).0
    }

    fn negate(&mut self, a: &[Wire]) -> Bus {
        self.subtract(&vec![FALSE; a.len()], a)
    }

    /// Without sign, whether there is no carry out of a + ¬b + 1.
    fn less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        self.add(a, &inverted(b), TRUE).1.inverse()
    }

    fn equal(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let differing: Bus = a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect();
        self.all(differing.into_iter().map(Wire::inverse))
    }

    fn choose_bus(&mut self, c: Wire, a: &[Wire], b: &[Wire]) -> Bus {
        a.iter()
            .zip(b)
            .map(|(&x, &y)| self.choose(c, x, y))
            .collect()
    }

    fn multiply(&mut self, a: &[Wire], b: &[Wire], width: usize) -> Bus {
        let mut product = vec![FALSE; width];
        for (at, &bit) in b.iter().enumerate() {
            let shifted: Bus = (0..width)
                .map(|to| {
                    if to < at {
                        FALSE
                    } else {
                        self.and(a[to - at], bit)
                    }
                })
                .collect();
            product = self.add(&product, &shifted, FALSE).0;
        }
        product
    }

    /// Quotient and remainder without sign, by long division. A divisor of zero fits at every step,
    /// which gives a quotient of all ones and the dividend as remainder, as the operations say.
    fn divide(&mut self, a: &[Wire], b: &[Wire]) -> (Bus, Bus) {
        let width = a.len();
        let divisor = widened(b, width + 1, FALSE);
        let mut rest = vec![FALSE; width + 1];
        let mut quotient = vec![FALSE; width];
        for at in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[at];
            let fits = self.less(&rest, &divisor).inverse();
            let reduced = self.subtract(&rest, &divisor);
            rest = self.choose_bus(fits, &reduced, &rest);
            quotient[at] = fits;
        }
        rest.truncate(width);
        self.note_division((a, b), (&quotient, &rest));
        (quotient, rest)
    }

    /// Notes what divisions guarantee, which a refutation would have to find out step by step:
    /// neither result is greater than the dividend, and the remainder is less than the divisor,
    /// unless that is zero; a divisor that fits has been taken from the dividend at least once.
    fn note_division(&mut self, (a, b): (&[Wire], &[Wire]), (quotient, rest): (&[Wire], &[Wire])) {
        let nothing = vec![FALSE; b.len()];
        let by_zero = self.equal(b, &nothing);
        let less_once = self.subtract(a, b);
        let (too_large, above) = (self.less(a, b), self.less(&less_once, rest));
        let facts = [
            self.or(too_large, above.inverse()),
            self.less(a, rest).inverse(),
            self.less(a, quotient).inverse(),
            self.less(rest, b),
        ];
        for fact in facts {
            let fact = self.or(by_zero, fact);
            self.note(fact);
        }
    }

    /// Quotient, truncated towards zero, and remainder, with the sign of the dividend.
    fn divide_signed(&mut self, a: &[Wire], b: &[Wire]) -> (Bus, Bus) {
        let width = a.len();
        let (a_negative, b_negative) = (a[width - 1], b[width - 1]);
        let size = |circuit: &mut Circuit, bus: &[Wire]| {
            let negative = circuit.negate(bus);
            circuit.choose_bus(bus[width - 1], &negative, bus)
        };
        let (a_size, b_size) = (size(self, a), size(self, b));
        let (quotient, rest) = self.divide(&a_size, &b_size);
        let differ = self.xor(a_negative, b_negative);
        let negative = self.negate(&quotient);
        let signed_quotient = self.choose_bus(differ, &negative, &quotient);
        let negative = self.negate(&rest);
        (
            signed_quotient,
            self.choose_bus(a_negative, &negative, &rest),
        )
    }

    /// Shifted right by each power of two whose bit in the amount is set.
    fn shift_right(&mut self, a: &[Wire], amount: &[Wire], fill: Wire) -> Bus {
        let width = a.len();
        let mut shifted = a.to_vec();
        for (at, &bit) in amount.iter().enumerate() {
            let by = 1usize
                .checked_shl(at as u32)
                .filter(|&by| by < width)
                .unwrap_or(width);
            let further: Bus = (0..width)
                .map(|to| shifted.get(to + by).copied().unwrap_or(fill))
                .collect();
            shifted = self.choose_bus(bit, &further, &shifted);
        }
        shifted
    }
}

fn inverted(a: &[Wire]) -> Bus {
    a.iter().map(|wire| wire.inverse()).collect()
}

/// Turning the sign bit makes the order with sign that without.
fn iteration_sign(a: &[Wire]) -> Bus {
    let mut turned = a.to_vec();
    let last = turned.len() - 1;
    turned[last] = turned[last].inverse();
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For all operands of four bits: what is noted of a division is true of it.
    #[test]
    fn facts_hold_of_all_divisions() {
        let mut noted = Circuit::new();
        let [a, b] = [0, 0].map(|_| noted.variables(4));
        noted.divide(&a, &b);
        assert_eq!(noted.facts().len(), 4);
        for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
            let mut circuit = Circuit::new();
            let (quotient, rest) = circuit.divide(&constant(x, 4), &constant(y, 4));
            assert_eq!(circuit.facts(), []);
            let expected = x.checked_div(y).map(|quotient| (quotient, x % y));
            let found = (number(&quotient), number(&rest));
            let (quotient, rest) = expected.unwrap_or((15, x));
            assert_eq!(found, (Some(quotient), Some(rest)));
        }
    }
}
