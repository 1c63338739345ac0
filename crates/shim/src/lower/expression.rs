//! Expressions to three-address code: values, operators and conditions.

mod action;
mod assignment;
mod place;

use super::Lowerer;
use super::builder::{Builder, LabelId};
use super::types::{common, literal_type, promote};
use crate::diagnostic::Diagnostic;
use crate::eval;
use crate::ir::{Op, Operand, Place, Scalar, Type};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

/// The value of an expression.
#[derive(Clone)]
pub(super) enum Value {
    /// A number.
    Scalar(Operand, Scalar),
    /// A structure or an array, where it lies.
    Aggregate(Place, Type),
    /// Nothing.
    Void,
    /// Unknown; the mistake has been reported.
    Wrong,
}

/// Where the value of an expression is wanted.
pub(super) type Wanted = Option<(Place, Scalar)>;

impl Lowerer<'_> {
    /// A value that must be a number.
    pub(super) fn scalar(&mut self, b: &mut Builder, expr: &Expr) -> Option<(Operand, Scalar)> {
        let value = self.expr(b, expr, None);
        self.as_scalar(value, expr.span)
    }

    pub(super) fn as_scalar(&mut self, value: Value, span: Span) -> Option<(Operand, Scalar)> {
        let found = match value {
            Value::Scalar(operand, ty) => return Some((operand, ty)),
            Value::Wrong => return None,
            Value::Void => "nothing".to_string(),
            Value::Aggregate(_, ty) => format!("`{}`", self.type_name(&ty)),
        };
        let error = Diagnostic::error(
            span,
            format!("expected a number, found {found}"),
            "not a number",
        );
        self.report(error.help("use one of its fields or elements, or another value"));
        None
    }

    /// Evaluates; a number that is computed goes to the wanted place at once, if there is one.
    pub(super) fn expr(&mut self, b: &mut Builder, expr: &Expr, wanted: Wanted) -> Value {
        let span = expr.span;
        let used = std::mem::replace(&mut b.value_used, true);
        match &expr.kind {
            ExprKind::Int(value) => {
                Value::Scalar(Operand::Const(*value as i64), literal_type(*value))
            }
            ExprKind::Bool(value) => Value::Scalar(Operand::Const(*value as i64), Scalar::Bool),
            ExprKind::Str(_) => {
                self.report(
                    Diagnostic::error(span, "a text can only be printed", "this text")
                        .help("use `print(…)`"),
                );
                Value::Wrong
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                match self.place(b, expr) {
                    Some((place, ty)) => read(place, ty),
                    None => Value::Wrong,
                }
            }
            ExprKind::Unary(op, operand) => self.unary(b, *op, operand, span, wanted),
            ExprKind::Binary(op, left, right) => self.binary(b, *op, left, right, span, wanted),
            ExprKind::And(..) | ExprKind::Or(..) => self.logical(b, expr, wanted),
            ExprKind::Conditional(cond, yes, no) => self.conditional(b, cond, yes, no, wanted),
            ExprKind::Comma(first, last) => {
                b.value_used = false;
                self.expr(b, first, None);
                b.value_used = used;
                self.expr(b, last, wanted)
            }
            ExprKind::Assign(op, target, value) => self.assign(b, *op, target, value, span),
            ExprKind::Step {
                target,
                increment,
                prefix,
            } => self.step(b, target, *increment, *prefix || !used, span),
            ExprKind::Call(name, args) => self.call_expr(b, name, args, span, wanted),
            ExprKind::Next(channel) => self.receive(b, channel, span),
            ExprKind::Send(channel, value) => self.send(b, channel, value, span),
        }
    }

    fn unary(
        &mut self,
        b: &mut Builder,
        op: UnaryOp,
        operand: &Expr,
        span: Span,
        wanted: Wanted,
    ) -> Value {
        let Some((value, ty)) = self.scalar(b, operand) else {
            return Value::Wrong;
        };
        let (ty, result) = if op == UnaryOp::Not {
            (ty, Scalar::Bool)
        } else {
            (promote(ty), promote(ty))
        };
        if let Operand::Const(value) = value {
            return Value::Scalar(Operand::Const(eval::unary(op, ty, value)), result);
        }
        let (place, store) = wanted.unwrap_or_else(|| (b.scalar_temporary(result, span), result));
        b.emit(Op::Unary(place.clone(), op, value, ty, store), span);
        Value::Scalar(Operand::Place(place), store)
    }

    fn binary(
        &mut self,
        b: &mut Builder,
        op: BinaryOp,
        l: &Expr,
        r: &Expr,
        span: Span,
        wanted: Wanted,
    ) -> Value {
        let left = self
            .scalar(b, l)
            .map(|(operand, ty)| (self.pinned(b, operand, ty, std::slice::from_ref(r)), ty));
        let right = self.scalar(b, r);
        let (Some((left, lt)), Some((right, rt))) = (left, right) else {
            return Value::Wrong;
        };
        self.operate(b, op, (left, lt), (right, rt), span, wanted)
    }

    /// Copies an operand if evaluating `later` could change it.
    pub(super) fn pinned(
        &mut self,
        b: &mut Builder,
        operand: Operand,
        ty: Scalar,
        later: &[Expr],
    ) -> Operand {
        match (operand, later.iter().find(|expr| has_effect(expr))) {
            (Operand::Place(place), Some(later)) if !b.var(place.var).temporary => {
                let copy = b.scalar_temporary(ty, later.span);
                b.emit(
                    Op::Move(copy.clone(), Operand::Place(place), ty),
                    later.span,
                );
                Operand::Place(copy)
            }
            (other, _) => other,
        }
    }

    /// Copies a value if evaluating `later` could change it.
    pub(super) fn pinned_value(&mut self, b: &mut Builder, value: Value, later: &[Expr]) -> Value {
        match value {
            Value::Scalar(operand, ty) => Value::Scalar(self.pinned(b, operand, ty, later), ty),
            Value::Aggregate(place, ty) if !b.var(place.var).temporary => {
                let Some(later) = later.iter().find(|expr| has_effect(expr)) else {
                    return Value::Aggregate(place, ty);
                };
                let copy = Place::whole(b.temporary(ty.clone(), later.span));
                let size = crate::ir::size_of(&self.structs, &ty);
                b.emit(Op::Copy(copy.clone(), place, size), later.span);
                Value::Aggregate(copy, ty)
            }
            other => other,
        }
    }

    fn operate(
        &mut self,
        b: &mut Builder,
        op: BinaryOp,
        (left, lt): (Operand, Scalar),
        (right, rt): (Operand, Scalar),
        span: Span,
        wanted: Wanted,
    ) -> Value {
        let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let ty = if shift { promote(lt) } else { common(lt, rt) };
        let result = if op.compares() { Scalar::Bool } else { ty };
        if let (Operand::Const(a), Operand::Const(c)) = (&left, &right) {
            if let Some(value) = eval::binary(op, ty, *a, *c) {
                return Value::Scalar(Operand::Const(value), result);
            }
            let error = Diagnostic::error(span, "division by zero", "always fails");
            self.report(error.help("a division needs a divisor other than 0"));
            return Value::Wrong;
        }
        let (place, store) = wanted.unwrap_or_else(|| (b.scalar_temporary(result, span), result));
        b.emit(Op::Binary(place.clone(), op, left, right, ty, store), span);
        Value::Scalar(Operand::Place(place), store)
    }

    /// `&&` and `||`: the right side only where it matters.
    fn logical(&mut self, b: &mut Builder, expr: &Expr, wanted: Wanted) -> Value {
        let (place, store) =
            wanted.unwrap_or_else(|| (b.scalar_temporary(Scalar::Bool, expr.span), Scalar::Bool));
        let (no, end) = (b.label(), b.label());
        self.jump(b, expr, false, no);
        b.emit(Op::Move(place.clone(), Operand::Const(1), store), expr.span);
        b.goto(end, expr.span);
        b.place(no, "false", expr.span);
        b.emit(Op::Move(place.clone(), Operand::Const(0), store), expr.span);
        b.place(end, "end", expr.span);
        Value::Scalar(Operand::Place(place), store)
    }

    fn conditional(
        &mut self,
        b: &mut Builder,
        cond: &Expr,
        yes: &Expr,
        no: &Expr,
        wanted: Wanted,
    ) -> Value {
        let (other, end) = (b.label(), b.label());
        self.jump(b, cond, false, other);
        let types = self.scalar_type(b, yes).zip(self.scalar_type(b, no));
        let wanted = match (wanted, types) {
            (Some(wanted), types) if !types.is_some_and(loses_sign) => wanted,
            (_, Some((a, c))) => {
                let ty = if a == c { a } else { common(a, c) };
                (b.scalar_temporary(ty, cond.span), ty)
            }
            _ => {
                let error = Diagnostic::error(
                    yes.span.to(no.span),
                    "`?:` chooses between numbers",
                    "not numbers",
                );
                self.report(error.help("use `if` to choose between other values"));
                return Value::Wrong;
            }
        };
        self.store(b, yes, &wanted);
        b.goto(end, cond.span);
        b.place(other, "else", cond.span);
        self.store(b, no, &wanted);
        b.place(end, "endif", cond.span);
        Value::Scalar(Operand::Place(wanted.0), wanted.1)
    }

    /// Goes to the label if the condition has the given value, and on otherwise.
    pub(super) fn jump(&mut self, b: &mut Builder, cond: &Expr, when: bool, label: LabelId) {
        match (&cond.kind, when) {
            (ExprKind::Unary(UnaryOp::Not, inner), _) => self.jump(b, inner, !when, label),
            (ExprKind::And(left, right), false) | (ExprKind::Or(left, right), true) => {
                self.jump(b, left, when, label);
                self.jump(b, right, when, label);
            }
            (ExprKind::And(left, right), true) | (ExprKind::Or(left, right), false) => {
                let skip = b.label();
                self.jump(b, left, !when, skip);
                self.jump(b, right, when, label);
                b.place(skip, "skip", cond.span);
            }
            _ => {
                if let Some((operand, _)) = self.scalar(b, cond) {
                    b.branch(operand, when, label, cond.span);
                }
            }
        }
    }
}

pub(super) fn read(place: Place, ty: Type) -> Value {
    match ty {
        Type::Scalar(scalar) => Value::Scalar(Operand::Place(place), scalar),
        Type::Unknown => Value::Wrong,
        Type::Void => Value::Void,
        other => Value::Aggregate(place, other),
    }
}

/// Whether one of two numbers is brought to a type that does not hold its negative values, so that
/// it must not go to where the result is wanted without that.
fn loses_sign((a, c): (Scalar, Scalar)) -> bool {
    let signed = |ty: Scalar| ty.shape().1;
    a != c && !signed(common(a, c)) && (signed(a) || signed(c))
}

/// Whether evaluating can change a variable.
fn has_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Str(_) | ExprKind::Name(_) => false,
        ExprKind::Field(base, _) | ExprKind::Unary(_, base) => has_effect(base),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b) => has_effect(a) || has_effect(b),
        ExprKind::Conditional(a, b, c) => has_effect(a) || has_effect(b) || has_effect(c),
        _ => true,
    }
}
