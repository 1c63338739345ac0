//! Terms as people read them: infix, in C's operators.

use crate::term::{Binary, FloatBinary, Node, Term, Terms, Test, mask, signed};
use std::fmt::Write;

/// Beyond this many operators a term is cut short.
const LONGEST: usize = 200;

impl Terms {
    /// Returns the term in the notation of C, cut short if it is long. An operator that C has for
    /// signed and unsigned operands carries a `u` where it takes them as unsigned.
    pub fn show(&self, term: Term) -> String {
        let mut out = String::new();
        let mut left = LONGEST;
        self.show_into(term, &mut out, &mut left);
        out
    }

    fn show_into(&self, term: Term, out: &mut String, left: &mut usize) {
        if *left == 0 {
            out.push('…');
            return;
        }
        *left -= 1;
        let infix = |a: Term, operator: &str, b: Term, out: &mut String, left: &mut usize| {
            out.push('(');
            self.show_into(a, out, left);
            let _ = write!(out, " {operator} ");
            self.show_into(b, out, left);
            out.push(')');
        };
        let call = |name: &str, arguments: &[Term], out: &mut String, left: &mut usize| {
            let _ = write!(out, "{name}(");
            for (at, &argument) in arguments.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                self.show_into(argument, out, left);
            }
            out.push(')');
        };
        let width = self.width(term);
        match self.node(term) {
            Node::Constant(value) => {
                let _ = write!(
                    out,
                    "{}",
                    if width == 1 {
                        value as i128
                    } else {
                        signed(value, width)
                    }
                );
            }
            Node::Symbol(symbol) => out.push_str(&self.name(symbol)),
            Node::Not(a) => {
                if let Node::Test(Test::Equal, x, y) = self.node(a) {
                    return infix(x, "!=", y, out, left);
                }
                out.push(if width == 1 { '!' } else { '~' });
                self.show_into(a, out, left);
            }
            Node::Binary(operation, a, b) => infix(a, binary(operation, width), b, out, left),
            Node::Test(test, a, b) => match comparison(test) {
                Ok(operator) => infix(a, operator, b, out, left),
                Err(name) => call(name, &[a, b], out, left),
            },
            Node::Choose(c, a, b) => {
                out.push('(');
                self.show_into(c, out, left);
                out.push_str(" ? ");
                self.show_into(a, out, left);
                out.push_str(" : ");
                self.show_into(b, out, left);
                out.push(')');
            }
            Node::Extract { of, low: 0 } => {
                out.push('(');
                self.show_into(of, out, left);
                let _ = write!(out, " & {})", mask(width));
            }
            Node::Extract { of, low } => {
                self.show_into(of, out, left);
                let _ = write!(out, "[{}:{low}]", u32::from(low) + u32::from(width) - 1);
            }
            Node::Concatenate(a, b) => call("concat", &[a, b], out, left),
            Node::ZeroExtend(a) => call(&format!("u{width}"), &[a], out, left),
            Node::SignExtend(a) => call(&format!("s{width}"), &[a], out, left),
            Node::Float(operation, a, b) => infix(a, float(operation), b, out, left),
            Node::SquareRoot(a) => call("sqrt", &[a], out, left),
            Node::ResizeFloat(a) => call(&format!("f{width}"), &[a], out, left),
        }
    }
}

fn float(operation: FloatBinary) -> &'static str {
    match operation {
        FloatBinary::Add => "+.",
        FloatBinary::Subtract => "-.",
        FloatBinary::Multiply => "*.",
        FloatBinary::Divide => "/.",
    }
}

fn binary(operation: Binary, width: u8) -> &'static str {
    match operation {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::UnsignedDivide => "/u",
        Binary::SignedDivide => "/",
        Binary::UnsignedRemainder => "%u",
        Binary::SignedRemainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::LogicalShiftRight => ">>u",
        Binary::ArithmeticShiftRight => ">>",
        Binary::And if width == 1 => "&&",
        Binary::Or if width == 1 => "||",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
    }
}

/// The operator of a comparison, or the name of another question.
fn comparison(test: Test) -> Result<&'static str, &'static str> {
    match test {
        Test::Equal => Ok("=="),
        Test::UnsignedLess => Ok("<u"),
        Test::UnsignedLessEqual => Ok("<=u"),
        Test::SignedLess => Ok("<"),
        Test::SignedLessEqual => Ok("<="),
        Test::UnsignedAddOverflow => Err("carry"),
        Test::SignedAddOverflow => Err("add_overflows"),
        Test::SignedSubtractOverflow => Err("subtract_overflows"),
        Test::UnsignedMultiplyOverflow => Err("unsigned_multiply_overflows"),
        Test::SignedMultiplyOverflow => Err("multiply_overflows"),
    }
}
