//! Statements to jumps.

use super::Lowerer;
use super::builder::{Builder, LabelId, Target};
use crate::diagnostic::Diagnostic;
use crate::ir::{INT, Loop, Op, Operand, Place, Scalar, Type};
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, Case, Expr, ExprKind, Ident, Stmt, StmtKind};

impl Lowerer<'_> {
    pub(super) fn stmt(&mut self, b: &mut Builder, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Block(body) => body.iter().for_each(|s| self.stmt(b, s)),
            StmtKind::Declare {
                chan,
                ty,
                declarators,
            } => {
                declarators
                    .iter()
                    .for_each(|d| self.declare(b, *chan, ty, d));
            }
            StmtKind::Expr(expr) => self.effect(b, expr),
            StmtKind::If(cond, yes, no) => self.if_else(b, cond, yes, no.as_deref()),
            StmtKind::While(cond, body) => self.for_loop(b, Some(cond), None, body, span),
            StmtKind::DoWhile(body, cond) => self.do_while(b, body, cond, span),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                init.iter().for_each(|s| self.stmt(b, s));
                self.for_loop(b, cond.as_ref(), step.as_ref(), body, span);
            }
            StmtKind::Switch(value, cases) => self.switch(b, value, cases, span),
            StmtKind::Break => self.leave(b, "break", span),
            StmtKind::Continue => self.leave(b, "continue", span),
            StmtKind::Return(value) => self.return_(b, value.as_ref(), span),
            StmtKind::Par(branches) => self.par(b, branches, span),
            StmtKind::Try(body, name, handler) => self.try_catch(b, body, name, handler, span),
            StmtKind::Throw(name) => {
                let exception = self.exception(&name.name);
                match b
                    .handlers
                    .iter()
                    .rev()
                    .find(|(caught, _)| *caught == exception)
                {
                    Some((_, label)) => {
                        let label = *label;
                        b.goto(label, span);
                    }
                    None => b.emit(Op::Throw(exception), span),
                }
            }
            StmtKind::Empty => {}
        }
    }

    fn effect(&mut self, b: &mut Builder, expr: &Expr) {
        b.value_used = false;
        self.expr(b, expr, None);
        b.value_used = true;
    }

    fn if_else(&mut self, b: &mut Builder, cond: &Expr, yes: &Stmt, no: Option<&Stmt>) {
        let (other, end) = (b.label(), b.label());
        self.jump(b, cond, false, if no.is_some() { other } else { end });
        self.stmt(b, yes);
        if let Some(no) = no {
            b.goto(end, cond.span);
            b.place(other, "else", cond.span);
            self.stmt(b, no);
        }
        b.place(end, "endif", cond.span);
    }

    fn for_loop(
        &mut self,
        b: &mut Builder,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        span: Span,
    ) {
        let (head, on_continue, test, end) = (b.label(), b.label(), b.label(), b.label());
        let start = b.here();
        if cond.is_some() {
            b.goto(test, span);
        }
        b.place(head, "while", span);
        self.loop_body(
            b,
            body,
            Target {
                on_break: end,
                on_continue: Some(on_continue),
            },
        );
        b.place_if_used(on_continue, "next round", span);
        step.iter().for_each(|e| self.effect(b, e));
        match cond {
            Some(cond) => {
                b.place(test, "continue", span);
                self.jump(b, cond, true, head);
            }
            None => b.goto(head, span),
        }
        let counted = cond
            .zip(step)
            .is_some_and(|(cond, step)| self.is_counted(b, cond, step, body));
        let shown = cond.map_or(span, |cond| Span {
            start: span.start,
            end: cond.span.end,
        });
        b.loops.push(Loop {
            head: start,
            end: b.here(),
            span: shown,
            counted,
        });
        b.place_if_used(end, "end", span);
    }

    fn loop_body(&mut self, b: &mut Builder, body: &Stmt, target: Target) {
        b.targets.push(target);
        b.loop_depth += 1;
        self.stmt(b, body);
        b.loop_depth -= 1;
        b.targets.pop();
    }

    fn do_while(&mut self, b: &mut Builder, body: &Stmt, cond: &Expr, span: Span) {
        let (head, test, end) = (b.label(), b.label(), b.label());
        let start = b.here();
        b.place(head, "do", span);
        self.loop_body(
            b,
            body,
            Target {
                on_break: end,
                on_continue: Some(test),
            },
        );
        b.place_if_used(test, "continue", span);
        self.jump(b, cond, true, head);
        b.loops.push(Loop {
            head: start,
            end: b.here(),
            span,
            counted: false,
        });
        b.place_if_used(end, "end", span);
    }

    /// Whether a step moves a counter towards a bound, and the body changes neither.
    fn is_counted(&self, b: &Builder, cond: &Expr, step: &Expr, body: &Stmt) -> bool {
        let ExprKind::Binary(compare, left, right) = &cond.kind else {
            return false;
        };
        let upwards = match compare {
            BinaryOp::Less | BinaryOp::LessEqual => true,
            BinaryOp::Greater | BinaryOp::GreaterEqual => false,
            _ => return false,
        };
        let (target, up, by) = match &step.kind {
            ExprKind::Step {
                target, increment, ..
            } => (target, *increment, 1),
            ExprKind::Assign(Some(op @ (BinaryOp::Add | BinaryOp::Subtract)), target, by) => {
                let Some(by) = super::constant_value(by).filter(|by| *by > 0) else {
                    return false;
                };
                (target, *op == BinaryOp::Add, by)
            }
            _ => return false,
        };
        let (Some(counter), Some(tested)) = (self.names.at(target.span), self.names.at(left.span))
        else {
            return false;
        };
        let Some(ty) = self.variable_type(b, target) else {
            return false;
        };
        // A bound of `<=` or a step beyond 1 may wrap past a bound that is not known.
        let exact = by == 1 && matches!(compare, BinaryOp::Less | BinaryOp::Greater);
        let bound = match (&right.kind, super::constant_value(right)) {
            (_, Some(bound)) if passes(ty, *compare, bound, by) => None,
            (ExprKind::Name(_), None) if exact && self.variable_type(b, right) == Some(ty) => {
                self.names.at(right.span)
            }
            _ => return false,
        };
        let towards = up == upwards;
        let touched = self.names.captured(body.span).any(|use_| {
            let changed = self.names.writes(use_) || self.names.communicates(use_);
            changed && (use_.decl == counter || bound == Some(use_.decl))
        });
        towards && counter == tested && !touched && bound != Some(counter)
    }

    fn variable_type(&self, b: &Builder, expr: &Expr) -> Option<Scalar> {
        match b.var(*b.decls.get(&self.names.at(expr.span)?)?).ty {
            Type::Scalar(ty) => Some(ty),
            _ => None,
        }
    }

    fn switch(&mut self, b: &mut Builder, value: &Expr, cases: &[Case], span: Span) {
        let Some((operand, ty)) = self.scalar(b, value) else {
            return;
        };
        let operand = match operand {
            Operand::Place(place) if b.var(place.var).temporary => Operand::Place(place),
            other => {
                let copy = b.scalar_temporary(ty, value.span);
                b.emit(Op::Move(copy.clone(), other, ty), value.span);
                Operand::Place(copy)
            }
        };
        // As in C, the cases are not brought to the type of the value.
        let ty = super::types::common(ty, INT);
        let end = b.label();
        let mut default = end;
        let mut seen: Vec<(i64, Span)> = Vec::new();
        let labels: Vec<LabelId> = cases.iter().map(|_| b.label()).collect();
        for (case, label) in cases.iter().zip(&labels) {
            let Some(expr) = &case.value else {
                if default != end {
                    let error =
                        Diagnostic::error(span, "two `default` in one `switch`", "this `switch`");
                    self.report(error.help("leave one"));
                }
                default = *label;
                continue;
            };
            let Some(constant) = self.constant(expr) else {
                continue;
            };
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == constant) {
                let error =
                    Diagnostic::error(expr.span, format!("two cases for {constant}"), "the second");
                self.diagnostics
                    .push(error.and(*first, "the first").help("leave one"));
            }
            seen.push((constant, expr.span));
            let test = b.scalar_temporary(Scalar::Bool, expr.span);
            let op = Op::Binary(
                test.clone(),
                BinaryOp::Equal,
                operand.clone(),
                Operand::Const(constant),
                ty,
                Scalar::Bool,
            );
            b.emit(op, expr.span);
            b.branch(Operand::Place(test), true, *label, expr.span);
        }
        b.goto(default, span);
        b.targets.push(Target {
            on_break: end,
            on_continue: None,
        });
        for (case, label) in cases.iter().zip(labels) {
            b.place(label, "case", span);
            case.body.iter().for_each(|s| self.stmt(b, s));
        }
        b.targets.pop();
        b.place(end, "end", span);
    }

    fn leave(&mut self, b: &mut Builder, word: &str, span: Span) {
        let target = if word == "break" {
            b.targets.last().map(|t| t.on_break)
        } else {
            b.targets.iter().rev().find_map(|t| t.on_continue)
        };
        match target {
            Some(label) => b.goto(label, span),
            None => {
                let place = if word == "break" {
                    "a loop or `switch`"
                } else {
                    "a loop"
                };
                let error = Diagnostic::error(
                    span,
                    format!("`{word}` outside {place}"),
                    "nothing to leave here",
                );
                let help = "a branch of a `par` cannot leave a loop around the `par`; throw an exception instead";
                self.report(error.help(if b.branch {
                    help
                } else {
                    "take it out, or put a loop around it"
                }));
            }
        }
    }

    fn return_(&mut self, b: &mut Builder, value: Option<&Expr>, span: Span) {
        if b.branch {
            let error = Diagnostic::error(
                span,
                "`return` inside a branch of a `par`",
                "cannot leave the function from here",
            );
            self.report(error.help("let the branch reach its end, or throw an exception"));
            return;
        }
        match (value, b.result) {
            (Some(expr), Some(result)) => {
                let place = Place::whole(result);
                let ty = b.result_type.clone();
                if let Type::Scalar(scalar) = ty {
                    self.store(b, expr, &(place, scalar));
                } else {
                    let value = self.expr(b, expr, None);
                    self.store_value(b, value, expr.span, place, ty);
                }
            }
            (None, None) => {}
            (Some(expr), None) => {
                self.expr(b, expr, None);
                let error = Diagnostic::error(
                    expr.span,
                    "this function returns nothing",
                    "a value is returned here",
                );
                self.report(error.help("take the value out, or give the function a result type"));
            }
            (None, Some(_)) => {
                let message = format!(
                    "`return` needs a value of type `{}`",
                    self.type_name(&b.result_type.clone())
                );
                let error = Diagnostic::error(span, message, "nothing is returned here");
                self.report(error.help("write the value after `return`"));
            }
        }
        b.emit(Op::Return, span);
    }

    fn try_catch(
        &mut self,
        b: &mut Builder,
        body: &Stmt,
        name: &Ident,
        handler: &Stmt,
        span: Span,
    ) {
        let exception = self.exception(&name.name);
        let (caught, end) = (b.label(), b.label());
        b.handlers.push((exception, caught));
        self.stmt(b, body);
        b.handlers.pop();
        b.goto(end, span);
        b.place(caught, "catch", name.span);
        self.stmt(b, handler);
        b.place(end, "endtry", span);
    }
}

/// Whether a counter of this type passes a constant bound, in steps of `by`, before it wraps.
fn passes(ty: Scalar, compare: BinaryOp, bound: i64, by: i64) -> bool {
    let (bits, signed) = ty.shape();
    let high = (1i128 << (bits - u8::from(signed))) - 1;
    let low = if signed { -high - 1 } else { 0 };
    let (bound, by) = (bound as i128, by as i128);
    let beyond = match compare {
        BinaryOp::Less => bound - 1 + by,
        BinaryOp::LessEqual => bound + by,
        BinaryOp::Greater => bound + 1 - by,
        _ => bound - by,
    };
    (low..=high).contains(&bound) && (low..=high).contains(&beyond)
}
