//! Expressions that act: communication, calls, input and output.

use super::{Value, Wanted, read};
use crate::diagnostic::Diagnostic;
use crate::ir::{INT, Mode, Op, Operand, Place, PrintItem};
use crate::lower::Lowerer;
use crate::lower::builder::Builder;
use crate::source::Span;
use crate::syntax::tree::{Expr, ExprKind, Ident};

impl Lowerer<'_> {
    pub(super) fn receive(&mut self, b: &mut Builder, channel: &Expr, span: Span) -> Value {
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

    pub(super) fn send(
        &mut self,
        b: &mut Builder,
        channel: &Expr,
        value: &Expr,
        span: Span,
    ) -> Value {
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

    pub(super) fn call_expr(
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
}
