//! Expressions that name places: variables, fields, elements, channels.

use super::has_effect;
use crate::diagnostic::Diagnostic;
use crate::ir::{Index, Op, Operand, Place, Type, VarId};
use crate::lower::Lowerer;
use crate::lower::builder::Builder;
use crate::syntax::tree::{Expr, ExprKind};

impl Lowerer<'_> {
    /// Where a variable or a part of one lies.
    pub(in crate::lower) fn place(
        &mut self,
        b: &mut Builder,
        expr: &Expr,
    ) -> Option<(Place, Type)> {
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

    /// The variable of a channel expression.
    pub(in crate::lower) fn channel(&mut self, b: &mut Builder, expr: &Expr) -> Option<VarId> {
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
}

fn is_plain_scalar(b: &Builder, var: VarId) -> bool {
    matches!(b.var(var).ty, Type::Scalar(_))
}
