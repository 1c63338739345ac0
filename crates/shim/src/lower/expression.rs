//! Expressions to three-address code.

use super::builder::Builder;
use super::types::{as_scalar_type, common, promote};
use super::{Lowerer, constant_value};
use crate::diagnostic::Diagnostic;
use crate::eval;
use crate::ir::{INT, Index, Mode, Op, Operand, Place, PrintItem, Scalar, Type, VarId};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};

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
            ExprKind::Int(value) => self.literal(*value),
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

    /// Where a variable or a part of one lies.
    pub(super) fn place(&mut self, b: &mut Builder, expr: &Expr) -> Option<(Place, Type)> {
        match &expr.kind {
            ExprKind::Name(_) => {
                let var = *b.decls.get(&self.names.at(expr.span)?)?;
                Some((Place::whole(var), b.var(var).ty.clone()))
            }
            ExprKind::Field(base, field) => {
                let (mut place, ty) = self.place(b, base)?;
                let Type::Struct(id) = ty else {
                    if ty != Type::Unknown {
                        let message = format!("`{}` has no fields", self.type_name(&ty));
                        let error = Diagnostic::error(field.span, message, "not a field");
                        self.report(error.help("only structures have fields"));
                    }
                    return None;
                };
                let found = self.structs[id.index()]
                    .fields
                    .iter()
                    .find(|(name, ..)| *name == field.name)
                    .cloned();
                let Some((_, ty, offset)) = found else {
                    let fields = &self.structs[id.index()].fields;
                    let known: Vec<String> = fields
                        .iter()
                        .map(|(name, ..)| format!("`{name}`"))
                        .collect();
                    let message = format!(
                        "`struct {}` has no field `{}`",
                        self.structs[id.index()].name,
                        field.name
                    );
                    let error = Diagnostic::error(field.span, message, "unknown field");
                    self.report(error.help(format!("its fields are {}", known.join(", "))));
                    return None;
                };
                place.offset += offset;
                Some((place, ty))
            }
            ExprKind::Index(base, index) => self.element(b, base, index),
            _ => {
                let error =
                    Diagnostic::error(expr.span, "this is not a variable", "a value, not a place");
                self.report(
                    error.help(
                        "only variables, their elements and fields can be changed or passed on",
                    ),
                );
                None
            }
        }
    }

    fn element(&mut self, b: &mut Builder, base: &Expr, index: &Expr) -> Option<(Place, Type)> {
        let base_place = self.place(b, base).map(|(place, ty)| {
            let effect = has_effect(index);
            (
                if effect {
                    self.pin_indices(b, place, base.span)
                } else {
                    place
                },
                ty,
            )
        });
        let index_value = self.scalar(b, index);
        let (mut place, ty) = base_place?;
        let Type::Array(element, count) = ty else {
            if ty != Type::Unknown {
                let message = format!("`{}` is not an array", self.type_name(&ty));
                let error = Diagnostic::error(base.span, message, "indexed here");
                self.report(error.help("only arrays, declared as `int a[8];`, have elements"));
            }
            return None;
        };
        let stride = crate::ir::size_of(&self.structs, &element);
        let (operand, ty) = index_value?;
        match operand {
            Operand::Const(value) if value < 0 || value >= count as i64 => {
                let message = format!("index {value} is outside an array of {count} elements");
                let error = Diagnostic::error(index.span, message, "this index");
                self.report(error.help(format!("use 0 to {}", count - 1)));
                return None;
            }
            Operand::Const(value) => place.offset += value as u32 * stride,
            Operand::Place(from) => {
                let var = if from.indices.is_empty()
                    && from.offset == 0
                    && is_plain_scalar(b, from.var)
                {
                    from.var
                } else {
                    let copy = b.scalar_temporary(ty, index.span);
                    b.emit(Op::Move(copy.clone(), Operand::Place(from), ty), index.span);
                    copy.var
                };
                place.indices.push(Index { var, stride, count });
            }
        }
        Some((place, *element))
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

    /// Evaluates a number into a place.
    pub(super) fn store(&mut self, b: &mut Builder, expr: &Expr, (place, ty): &(Place, Scalar)) {
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

    pub(super) fn check_range(&mut self, value: i64, ty: Scalar, span: Span) {
        if let Scalar::Range { low, high } = ty
            && !(low..=high).contains(&value)
        {
            let message = format!("{value} is outside `int<{low},{high}>`");
            self.report(
                Diagnostic::error(span, message, "this value").help(format!("use {low} to {high}")),
            );
        }
    }

    pub(super) fn assign(
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

    pub(super) fn store_value(
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

    fn step(
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

    /// The variable of a channel expression.
    pub(super) fn channel(&mut self, b: &mut Builder, expr: &Expr) -> Option<VarId> {
        if let ExprKind::Name(_) = expr.kind {
            return b.decls.get(&self.names.at(expr.span)?).copied();
        }
        let (what, help) = match &expr.kind {
            ExprKind::Index(..) => (
                "an element of an array",
                "communicate the whole array, or declare one channel for each element",
            ),
            ExprKind::Field(..) => ("a field of a structure", "communicate the whole structure"),
            ExprKind::Call(..) => (
                "the result of a call",
                "declare a channel and pass it to the function",
            ),
            _ => (
                "a value",
                "declare a channel, for example `chan int c;`, and use its name",
            ),
        };
        let error = Diagnostic::error(
            expr.span,
            format!("`next` needs a channel, and this is {what}"),
            "not a channel",
        );
        self.report(error.help(help));
        None
    }

    fn receive(&mut self, b: &mut Builder, channel: &Expr, span: Span) -> Value {
        let Some(var) = self.channel(b, channel) else {
            return Value::Wrong;
        };
        let op = if b.mode(var) == Some(Mode::Writer) {
            Op::Send(var)
        } else {
            Op::Receive(var)
        };
        b.emit(op, span);
        read(Place::whole(var), b.var(var).ty.clone())
    }

    fn send(&mut self, b: &mut Builder, channel: &Expr, value: &Expr, span: Span) -> Value {
        let Some(var) = self.channel(b, channel) else {
            self.expr(b, value, None);
            return Value::Wrong;
        };
        if let Some(decl) = self.names.at(channel.span).map(|id| self.names.decl(id))
            && !decl.writable
        {
            let message = format!("`{}` is received here and cannot be sent on", decl.name);
            let error = Diagnostic::error(span, message, "this send")
                .and(decl.span, "passed by value here");
            self.report(error.help(format!("pass it by reference: `chan … &{}`", decl.name)));
        }
        let stored = self.assign(b, None, channel, value, span);
        b.emit(Op::Send(var), span);
        stored
    }

    fn call_expr(
        &mut self,
        b: &mut Builder,
        name: &Ident,
        args: &[Expr],
        span: Span,
        wanted: Wanted,
    ) -> Value {
        match name.name.as_str() {
            "print" => {
                self.print(b, args, span);
                Value::Void
            }
            "input" => {
                if let Some(arg) = args.first() {
                    let error =
                        Diagnostic::error(arg.span, "`input()` takes no arguments", "superfluous");
                    self.report(error.help("leave it out"));
                }
                let (place, ty) = wanted.unwrap_or_else(|| (b.scalar_temporary(INT, span), INT));
                b.emit(Op::Input(place.clone(), ty), span);
                Value::Scalar(Operand::Place(place), ty)
            }
            _ => self.call_function(b, name, args, span),
        }
    }

    fn print(&mut self, b: &mut Builder, args: &[Expr], span: Span) {
        let mut items = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            if let ExprKind::Str(text) = &arg.kind {
                items.push(PrintItem::Text(text.clone()));
            } else if let Some((operand, ty)) = self.scalar(b, arg) {
                items.push(PrintItem::Value(
                    self.pinned(b, operand, ty, &args[index + 1..]),
                    ty,
                ));
            }
        }
        b.emit(Op::Print(items), span);
    }

    /// Goes to the label if the condition has the given value, and on otherwise.
    pub(super) fn jump(
        &mut self,
        b: &mut Builder,
        cond: &Expr,
        when: bool,
        label: super::builder::LabelId,
    ) {
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

fn is_plain_scalar(b: &Builder, var: VarId) -> bool {
    matches!(b.var(var).ty, Type::Scalar(_))
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

fn place_has_effect(expr: &Expr) -> bool {
    constant_value(expr).is_none() && has_effect(expr)
}
