//! The terms of a certificate, read and computed without the solver's crate.
//!
//! A second implementation of what the terms mean, on purpose: a slip in the first would otherwise
//! go through the prover and the checker alike. Values are vectors of bits, the lowest first, and
//! every operation is the one of the schoolbook, so there is no width to think of.

use super::Rejection;
use crate::certificate::Index;

/// The widest vector.
const WIDEST: usize = 128;

/// A line of the table. Operands are places of earlier lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A free variable.
    Variable,
    /// A constant.
    Constant(u128),
    /// The complement of every bit.
    Not(Index),
    /// An operation or a question with two operands of equal width, by its name.
    Two(Operation, Index, Index),
    /// The second if the first is set, otherwise the third.
    Choose(Index, Index, Index),
    /// Bits from a position on.
    Extract(usize, Index),
    /// The first above the second.
    Concatenate(Index, Index),
    /// Zeros above it.
    ZeroExtend(Index),
    /// Copies of its sign above it.
    SignExtend(Index),
}

/// Operations and questions with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of the certificate")]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
    Equal,
    UnsignedLess,
    UnsignedLessEqual,
    SignedLess,
    SignedLessEqual,
    UnsignedAddOverflow,
    SignedAddOverflow,
    SignedSubtractOverflow,
    UnsignedMultiplyOverflow,
    SignedMultiplyOverflow,
}

use Operation::*;

const OPERATIONS: [(&str, Operation); 23] = [
    ("add", Add),
    ("subtract", Subtract),
    ("multiply", Multiply),
    ("unsigned_divide", UnsignedDivide),
    ("signed_divide", SignedDivide),
    ("unsigned_remainder", UnsignedRemainder),
    ("signed_remainder", SignedRemainder),
    ("shift_left", ShiftLeft),
    ("logical_shift_right", LogicalShiftRight),
    ("arithmetic_shift_right", ArithmeticShiftRight),
    ("and", And),
    ("or", Or),
    ("xor", Xor),
    ("equal", Equal),
    ("unsigned_less", UnsignedLess),
    ("unsigned_less_equal", UnsignedLessEqual),
    ("signed_less", SignedLess),
    ("signed_less_equal", SignedLessEqual),
    ("unsigned_add_overflow", UnsignedAddOverflow),
    ("signed_add_overflow", SignedAddOverflow),
    ("signed_subtract_overflow", SignedSubtractOverflow),
    ("unsigned_multiply_overflow", UnsignedMultiplyOverflow),
    ("signed_multiply_overflow", SignedMultiplyOverflow),
];

impl Operation {
    /// Whether the result is one bit, whatever the width of the operands.
    pub fn is_question(self) -> bool {
        !matches!(
            self,
            Add | Subtract
                | Multiply
                | UnsignedDivide
                | SignedDivide
                | UnsignedRemainder
                | SignedRemainder
                | ShiftLeft
                | LogicalShiftRight
                | ArithmeticShiftRight
                | And
                | Or
                | Xor
        )
    }
}

/// The terms of a certificate, well formed.
#[derive(Clone, Debug)]
pub struct Table {
    /// Each line with its width.
    pub entries: Vec<(Entry, usize)>,
}

impl Table {
    /// Reads the lines and checks widths and places.
    pub fn read(lines: &[String]) -> Result<Table, Rejection> {
        let mut table = Table {
            entries: Vec::new(),
        };
        for (at, line) in lines.iter().enumerate() {
            let entry = table.parse(line).ok_or_else(|| {
                Rejection::new(format!("line {at} of the terms is not one: \"{line}\""))
            })?;
            table.entries.push(entry);
        }
        Ok(table)
    }

    /// The width of a term.
    pub fn width(&self, at: Index) -> usize {
        self.entries[at].1
    }

    fn parse(&self, line: &str) -> Option<(Entry, usize)> {
        let mut words = line.split(' ');
        let width: usize = words.next()?.parse().ok()?;
        let name = words.next()?;
        let numbers: Vec<u128> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        if !(1..=WIDEST).contains(&width) {
            return None;
        }
        let earlier = |at: usize| {
            Some(*numbers.get(at)?)
                .and_then(|n| usize::try_from(n).ok())
                .filter(|&n| n < self.entries.len())
        };
        let like = |at: usize| earlier(at).filter(|&operand| self.width(operand) == width);
        let count = numbers.len();
        let entry = match (name, count) {
            ("variable", 0) => Entry::Variable,
            ("constant", 1) if width == WIDEST || numbers[0] < 1 << width => {
                Entry::Constant(numbers[0])
            }
            ("not", 1) => Entry::Not(like(0)?),
            ("choose", 3) if self.width(earlier(0)?) == 1 => {
                Entry::Choose(earlier(0)?, like(1)?, like(2)?)
            }
            ("extract", 2) => {
                let low = usize::try_from(numbers[0])
                    .ok()
                    .filter(|&low| low < WIDEST)?;
                Entry::Extract(low, earlier(1).filter(|&of| low + width <= self.width(of))?)
            }
            ("concatenate", 2) if self.width(earlier(0)?) + self.width(earlier(1)?) == width => {
                Entry::Concatenate(earlier(0)?, earlier(1)?)
            }
            ("zero_extend", 1) => {
                Entry::ZeroExtend(earlier(0).filter(|&a| self.width(a) <= width)?)
            }
            ("sign_extend", 1) => {
                Entry::SignExtend(earlier(0).filter(|&a| self.width(a) <= width)?)
            }
            (_, 2) => {
                let &(_, operation) = OPERATIONS.iter().find(|(known, _)| *known == name)?;
                let (a, b) = (earlier(0)?, earlier(1)?);
                let fits = self.width(a) == self.width(b)
                    && width
                        == if operation.is_question() {
                            1
                        } else {
                            self.width(a)
                        };
                fits.then_some(Entry::Two(operation, a, b))?
            }
            _ => return None,
        };
        Some((entry, width))
    }
}
