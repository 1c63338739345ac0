//! Declarations with their initial values.

use super::Lowerer;
use super::builder::Builder;
use crate::diagnostic::Diagnostic;
use crate::ir::{Op, Operand, Place, Scalar, Type, size_of};
use crate::source::Span;
use crate::syntax::tree::{Declarator, Expr, Initialiser, TypeSyntax};

impl Lowerer<'_> {
    pub(super) fn declare(
        &mut self,
        b: &mut Builder,
        chan: bool,
        ty: &TypeSyntax,
        declarator: &Declarator,
    ) {
        let name = &declarator.name;
        let full = self.declared_type(
            ty,
            &declarator.dims,
            if chan { "a channel" } else { "a variable" },
        );
        let Some(id) = self.names.decls.iter().position(|d| d.span == name.span) else {
            return;
        };
        let id = crate::names::DeclId(id as u32);
        let channel = self.names.decl(id).channel;
        let var = b.variable(&name.name, full.clone(), channel, name.span);
        b.decls.insert(id, var);
        match &declarator.init {
            Some(init) => self.initialise(b, Place::whole(var), &full, init),
            None if b.loop_depth > 0 => self.set_default(b, var, &full, name.span),
            None => {}
        }
    }

    /// A variable declared in a loop is initialised in each round.
    fn set_default(&mut self, b: &mut Builder, var: crate::ir::VarId, ty: &Type, span: Span) {
        let place = Place::whole(var);
        match ty {
            Type::Scalar(scalar) => b.emit(
                Op::Move(place, Operand::Const(scalar.default_value()), *scalar),
                span,
            ),
            other => {
                let values = self.defaults(other);
                b.emit(Op::Table(place, values), span);
            }
        }
    }

    fn defaults(&self, ty: &Type) -> Vec<i64> {
        match ty {
            Type::Scalar(scalar) => vec![scalar.default_value()],
            Type::Struct(id) => self.structs[id.index()]
                .fields
                .iter()
                .flat_map(|(_, field, _)| self.defaults(field))
                .collect(),
            Type::Array(element, count) => self.defaults(element).repeat(*count as usize),
            Type::Void | Type::Unknown => Vec::new(),
        }
    }

    fn initialise(&mut self, b: &mut Builder, place: Place, ty: &Type, init: &Initialiser) {
        match init {
            Initialiser::Expr(expr) => self.initialise_from(b, place, ty, expr),
            Initialiser::List(items, span) => {
                if let Some(values) = self.constants(ty, init) {
                    let values = values.into_iter().collect();
                    return b.emit(Op::Table(place, values), *span);
                }
                self.initialise_parts(b, place, ty, items, *span);
            }
        }
    }

    fn initialise_from(&mut self, b: &mut Builder, place: Place, ty: &Type, expr: &Expr) {
        if let Type::Scalar(scalar) = ty {
            return self.store(b, expr, &(place, *scalar));
        }
        let value = self.expr(b, expr, None);
        self.store_value(b, value, expr.span, place, ty.clone());
    }

    fn initialise_parts(
        &mut self,
        b: &mut Builder,
        place: Place,
        ty: &Type,
        items: &[Initialiser],
        span: Span,
    ) {
        let parts = self.parts(ty);
        if items.len() > parts.len() {
            if *ty != Type::Unknown {
                let message = format!("{} values for `{}`", items.len(), self.type_name(ty));
                let error = Diagnostic::error(span, message, "too many values");
                self.report(error.help(format!("give at most {}", parts.len())));
            }
            return;
        }
        if items.len() < parts.len() {
            b.emit(Op::Table(place.clone(), self.defaults(ty)), span);
        }
        for (item, (part, offset)) in items.iter().zip(parts) {
            let mut at = place.clone();
            at.offset += offset;
            self.initialise(b, at, &part, item);
        }
    }

    /// The parts of a type with their first slots.
    fn parts(&self, ty: &Type) -> Vec<(Type, u32)> {
        match ty {
            Type::Array(element, count) => {
                let size = size_of(&self.structs, element);
                (0..*count)
                    .map(|i| ((**element).clone(), i * size))
                    .collect()
            }
            Type::Struct(id) => self.structs[id.index()]
                .fields
                .iter()
                .map(|(_, ty, offset)| (ty.clone(), *offset))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// All numbers of an initial value, if they are known and fit.
    fn constants(&self, ty: &Type, init: &Initialiser) -> Option<Vec<i64>> {
        match (ty, init) {
            (Type::Scalar(scalar), Initialiser::Expr(expr)) => {
                let value = super::constant_value(expr)?;
                let fits = match scalar {
                    Scalar::Range { low, high } => (*low..=*high).contains(&value),
                    _ => true,
                };
                fits.then(|| vec![scalar.wrap(value)])
            }
            (Type::Array(..) | Type::Struct(_), Initialiser::List(items, _)) => {
                let parts = self.parts(ty);
                if items.len() > parts.len() {
                    return None;
                }
                let mut values = Vec::new();
                for (index, (part, _)) in parts.iter().enumerate() {
                    match items.get(index) {
                        Some(item) => values.extend(self.constants(part, item)?),
                        None => values.extend(self.defaults(part)),
                    }
                }
                Some(values)
            }
            _ => None,
        }
    }
}
