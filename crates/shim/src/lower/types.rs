//! The types of expressions and of arithmetic.

use super::Lowerer;
use super::builder::Builder;
use crate::ir::{INT, Scalar, Type};
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Lowerer<'_> {
    /// The type of an expression, without any code.
    pub(super) fn scalar_type(&mut self, b: &mut Builder, expr: &Expr) -> Option<Scalar> {
        match &expr.kind {
            ExprKind::Int(value) => Some(literal_type(*value)),
            ExprKind::Bool(_) | ExprKind::And(..) | ExprKind::Or(..) => Some(Scalar::Bool),
            ExprKind::Unary(UnaryOp::Not, _) => Some(Scalar::Bool),
            ExprKind::Unary(_, operand) => self.scalar_type(b, operand).map(promote),
            ExprKind::Binary(op, ..) if op.compares() => Some(Scalar::Bool),
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, a, _) => {
                self.scalar_type(b, a).map(promote)
            }
            ExprKind::Binary(_, a, c) => {
                Some(common(self.scalar_type(b, a)?, self.scalar_type(b, c)?))
            }
            ExprKind::Conditional(_, a, c) => {
                let (a, c) = (self.scalar_type(b, a)?, self.scalar_type(b, c)?);
                Some(if a == c { a } else { common(a, c) })
            }
            ExprKind::Comma(_, last) => self.scalar_type(b, last),
            ExprKind::Call(name, _) if name.name == "input" => Some(INT),
            ExprKind::Call(name, _) => {
                let function = *self.names.functions.get(&name.name)?;
                as_scalar_type(&self.signatures[function].result)
            }
            ExprKind::Assign(_, place, _)
            | ExprKind::Step { target: place, .. }
            | ExprKind::Next(place)
            | ExprKind::Send(place, _) => self.scalar_type(b, place),
            ExprKind::Name(_) => {
                as_scalar_type(&b.var(*b.decls.get(&self.names.at(expr.span)?)?).ty)
            }
            ExprKind::Field(..) | ExprKind::Index(..) => as_scalar_type(&self.place_type(b, expr)?),
            ExprKind::Str(_) => None,
        }
    }

    fn place_type(&mut self, b: &Builder, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Name(_) => Some(b.var(*b.decls.get(&self.names.at(expr.span)?)?).ty.clone()),
            ExprKind::Index(base, _) => match self.place_type(b, base)? {
                Type::Array(element, _) => Some(*element),
                _ => None,
            },
            ExprKind::Field(base, field) => match self.place_type(b, base)? {
                Type::Struct(id) => {
                    let fields = &self.structs[id.index()].fields;
                    fields
                        .iter()
                        .find(|(name, ..)| *name == field.name)
                        .map(|(_, ty, _)| ty.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

pub(super) fn as_scalar_type(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}

/// The type of a number as the source writes it: the first that holds it of `int`, and 64 bits with
/// and without sign.
pub(super) fn literal_type(value: u64) -> Scalar {
    match value {
        _ if value <= i32::MAX as u64 => INT,
        _ => Scalar::Int {
            bits: 64,
            signed: value <= i64::MAX as u64,
        },
    }
}

/// The type that arithmetic on one operand is done in.
pub(super) fn promote(ty: Scalar) -> Scalar {
    const SMALL: std::ops::RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;
    match ty {
        Scalar::Bool => INT,
        Scalar::Range { low, high } if SMALL.contains(&low) && SMALL.contains(&high) => INT,
        Scalar::Range { .. } => Scalar::Int {
            bits: 64,
            signed: true,
        },
        Scalar::Int { bits, .. } if bits < 32 => INT,
        Scalar::Int { bits, signed } if bits == 32 || bits == 64 => Scalar::Int { bits, signed },
        Scalar::Int { .. } => Scalar::Int {
            bits: 64,
            signed: true,
        },
    }
}

/// The type that arithmetic on two operands is done in.
pub(super) fn common(a: Scalar, b: Scalar) -> Scalar {
    let ((a_bits, a_signed), (b_bits, b_signed)) = (promote(a).shape(), promote(b).shape());
    let bits = a_bits.max(b_bits);
    let unsigned = (!a_signed && a_bits == bits) || (!b_signed && b_bits == bits);
    Scalar::Int {
        bits,
        signed: !unsigned,
    }
}
