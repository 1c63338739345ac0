//! Expressions that change variables: assignments, increments, and storing a value in a place.

use super::{Value, has_effect, read};
use crate::diagnostic::Diagnostic;
use crate::ir::{INT, Op, Operand, Place, Scalar, Type};
use crate::lower::builder::Builder;
use crate::lower::types::as_scalar_type;
use crate::lower::{Lowerer, constant_value};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind};

impl Lowerer<'_> {
    /// Evaluates a number into a place.
    pub(in crate::lower) fn store(
        &mut self,
        b: &mut Builder,
        expr: &Expr,
        (place, ty): &(Place, Scalar),
    ) {
        let value = self.expr(b, expr, Some((place.clone(), *ty)));
        let Some((operand, from)) = self.as_scalar(value, expr.span) else {
            return;
        };
        match operand {
            Operand::Place(at) if at == *place => {}
            Operand::Const(value) => {
                self.check_range(value, *ty, expr.span);
                let value = if *ty == Scalar::Bool {
                    (value != 0) as i64
                } else {
                    from.wrap(value)
                };
                b.emit(
                    Op::Move(place.clone(), Operand::Const(ty.wrap(value)), *ty),
                    expr.span,
                );
            }
            operand => b.emit(Op::Move(place.clone(), operand, *ty), expr.span),
        }
    }

    pub(in crate::lower) fn check_range(&mut self, value: i64, ty: Scalar, span: Span) {
        if let Scalar::Range { low, high } = ty
            && !(low..=high).contains(&value)
        {
            let message = format!("{value} is outside `int<{low},{high}>`");
            self.report(
                Diagnostic::error(span, message, "this value").help(format!("use {low} to {high}")),
            );
        }
    }

    pub(in crate::lower) fn assign(
        &mut self,
        b: &mut Builder,
        op: Option<BinaryOp>,
        l: &Expr,
        r: &Expr,
        span: Span,
    ) -> Value {
        if let Some(op) = op {
            let right = self
                .scalar(b, r)
                .map(|(operand, ty)| (self.pinned(b, operand, ty, std::slice::from_ref(l)), ty));
            let (Some((place, ty)), Some(right)) = (self.place(b, l), right) else {
                return Value::Wrong;
            };
            let value = read(place.clone(), ty);
            let Some((left, ty)) = self.as_scalar(value, l.span) else {
                return Value::Wrong;
            };
            if let Value::Scalar(Operand::Const(value), _) =
                self.operate(b, op, (left.clone(), ty), right, span, Some((place, ty)))
            {
                debug_assert!(false, "a variable is not the constant {value}");
            }
            return Value::Scalar(left, ty);
        }
        let by_effect = place_has_effect(l) || !matches!(l.kind, ExprKind::Name(_));
        if by_effect {
            let value = self.expr(b, r, None);
            let value = self.pinned_value(b, value, std::slice::from_ref(l));
            let Some((place, ty)) = self.place(b, l) else {
                return Value::Wrong;
            };
            return self.store_value(b, value, r.span, place, ty);
        }
        let Some((place, ty)) = self.place(b, l) else {
            self.expr(b, r, None);
            return Value::Wrong;
        };
        match as_scalar_type(&ty) {
            Some(scalar) => {
                self.store(b, r, &(place.clone(), scalar));
                read(place, ty)
            }
            None => {
                let value = self.expr(b, r, None);
                self.store_value(b, value, r.span, place, ty)
            }
        }
    }

    pub(in crate::lower) fn store_value(
        &mut self,
        b: &mut Builder,
        value: Value,
        span: Span,
        place: Place,
        ty: Type,
    ) -> Value {
        match (value, &ty) {
            (_, Type::Unknown) | (Value::Wrong, _) => return Value::Wrong,
            (Value::Scalar(operand, _), Type::Scalar(to)) => {
                if let Operand::Const(value) = operand {
                    self.check_range(value, *to, span);
                }
                b.emit(Op::Move(place.clone(), operand, *to), span);
            }
            (Value::Aggregate(from, found), _) if found == ty => {
                let size = crate::ir::size_of(&self.structs, &ty);
                b.emit(Op::Copy(place.clone(), from, size), span);
            }
            (value, _) => {
                let found = match value {
                    Value::Scalar(_, found) => self.type_name(&Type::Scalar(found)),
                    Value::Aggregate(_, found) => self.type_name(&found),
                    _ => "void".into(),
                };
                let message = format!("expected `{}`, found `{found}`", self.type_name(&ty));
                let error = Diagnostic::error(span, message, "wrong type");
                self.report(error.help("numbers are converted, other types must be the same"));
                return Value::Wrong;
            }
        }
        read(place, ty)
    }

    pub(super) fn step(
        &mut self,
        b: &mut Builder,
        target: &Expr,
        increment: bool,
        prefix: bool,
        span: Span,
    ) -> Value {
        let Some((place, ty)) = self.place(b, target) else {
            return Value::Wrong;
        };
        let value = read(place.clone(), ty);
        let Some((operand, ty)) = self.as_scalar(value, target.span) else {
            return Value::Wrong;
        };
        let old = if prefix {
            operand.clone()
        } else {
            self.before_step(b, operand.clone(), ty, span)
        };
        let op = if increment {
            BinaryOp::Add
        } else {
            BinaryOp::Subtract
        };
        self.operate(
            b,
            op,
            (operand, ty),
            (Operand::Const(1), INT),
            span,
            Some((place, ty)),
        );
        Value::Scalar(old, ty)
    }

    fn before_step(
        &mut self,
        b: &mut Builder,
        operand: Operand,
        ty: Scalar,
        span: Span,
    ) -> Operand {
        let copy = b.scalar_temporary(ty, span);
        b.emit(Op::Move(copy.clone(), operand, ty), span);
        Operand::Place(copy)
    }
}

fn place_has_effect(expr: &Expr) -> bool {
    constant_value(expr).is_none() && has_effect(expr)
}
