//! Calls and `par`: a branch that is more than a call becomes a function of its own, whose
//! parameters are the variables around it that it uses.

use super::Lowerer;
use super::builder::Builder;
use super::expression::{Value, read};
use crate::diagnostic::Diagnostic;
use crate::ir::{Arg, Call, FunctionId, Mode, Op, Operand, Place, Type};
use crate::names::{DeclId, Occurrence};
use crate::source::Span;
use crate::syntax::tree::{Expr, ExprKind, Ident, Stmt, StmtKind};
use crate::words::counted;
use std::collections::BTreeMap;

impl Lowerer<'_> {
    pub(super) fn par(&mut self, b: &mut Builder, branches: &[Stmt], span: Span) {
        self.check_writers(branches);
        let calls: Vec<Call> = branches
            .iter()
            .filter_map(|branch| self.branch(b, branch))
            .collect();
        let handlers = b.handlers_in_force();
        b.emit(Op::Par(calls, handlers), span);
    }

    fn check_writers(&mut self, branches: &[Stmt]) {
        let mut writers: BTreeMap<DeclId, (usize, Span)> = BTreeMap::new();
        let mut reported = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            for use_ in self.names.captured(branch.span) {
                if !self.names.writes(use_) || !self.names.decl(use_.decl).writable {
                    continue;
                }
                let (first, place) = *writers.entry(use_.decl).or_insert((index, use_.span));
                if first != index && !reported.contains(&(use_.decl, index)) {
                    reported.push((use_.decl, index));
                    let decl = self.names.decl(use_.decl);
                    let what = if decl.channel {
                        "send on channel"
                    } else {
                        "change variable"
                    };
                    let message = format!("two branches of a `par` {what} `{}`", decl.name);
                    let error = Diagnostic::error(use_.span, message, "the second writer");
                    let help = if decl.channel {
                        "let one branch send and the others receive with `next`, or use two channels"
                    } else {
                        "give each branch a variable of its own"
                    };
                    self.diagnostics
                        .push(error.and(place, "the first writer").help(help));
                }
            }
        }
    }

    fn branch(&mut self, b: &mut Builder, branch: &Stmt) -> Option<Call> {
        if let StmtKind::Expr(Expr {
            kind: ExprKind::Call(name, args),
            span,
        }) = &branch.kind
            && !["print", "input"].contains(&name.name.as_str())
            && !args.iter().any(communicates)
        {
            let mut call = self.call(b, name, args, *span)?;
            call.result = None;
            return Some(call);
        }
        Some(self.outline(b, branch))
    }

    /// Makes a branch a function and calls it.
    fn outline(&mut self, b: &mut Builder, branch: &Stmt) -> Call {
        b.branches += 1;
        let mut inner = Builder::new(format!("{}_{}", b.name, b.branches), branch.span);
        inner.branch = true;
        let mut uses: BTreeMap<DeclId, Vec<&Occurrence>> = BTreeMap::new();
        for use_ in self.names.captured(branch.span) {
            uses.entry(use_.decl).or_default().push(use_);
        }
        let mut args = Vec::new();
        for (decl, uses) in uses {
            let Some(outer) = b.decls.get(&decl).copied() else {
                continue;
            };
            let ty = b.var(outer).ty.clone();
            let written =
                self.names.decl(decl).writable && uses.iter().any(|u| self.names.writes(u));
            let channel = uses.iter().any(|u| self.names.communicates(u));
            let name = &self.names.decl(decl).name;
            let var = inner.variable(name, ty.clone(), channel, self.names.decl(decl).span);
            inner.decls.insert(decl, var);
            inner.params.push(match (channel, written) {
                (true, true) => Mode::Writer,
                (true, false) => Mode::Reader,
                (false, true) => Mode::Reference,
                (false, false) => Mode::Value,
            });
            args.push(match (channel, written, ty) {
                (true, ..) => Arg::Channel(outer),
                (false, true, _) => Arg::Reference(Place::whole(outer)),
                (false, false, Type::Scalar(_)) => Arg::Scalar(Operand::Place(Place::whole(outer))),
                (false, false, _) => Arg::Aggregate(Place::whole(outer)),
            });
        }
        self.stmt(&mut inner, branch);
        let function = FunctionId(self.functions.len() as u32);
        self.functions.push(Some(inner.finish()));
        Call {
            function,
            args,
            result: None,
            span: branch.span,
        }
    }

    /// A call in an expression or as a statement.
    pub(super) fn call_function(
        &mut self,
        b: &mut Builder,
        name: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Value {
        let Some(call) = self.call(b, name, args, span) else {
            return Value::Wrong;
        };
        let handlers = b.handlers_in_force();
        let result = call.result.clone();
        b.emit(Op::Par(vec![call], handlers), span);
        match result {
            Some(place) => {
                let ty = b.var(place.var).ty.clone();
                read(place, ty)
            }
            None => Value::Void,
        }
    }

    fn call(&mut self, b: &mut Builder, name: &Ident, args: &[Expr], span: Span) -> Option<Call> {
        let Some(index) = self.names.functions.get(&name.name).copied() else {
            let error = Diagnostic::error(
                name.span,
                format!("there is no function `{}`", name.name),
                "unknown function",
            );
            if !self.tree.broken.contains(&name.name) {
                self.report(error.help("define it, before or after this one"));
            }
            args.iter().for_each(|arg| drop(self.expr(b, arg, None)));
            return None;
        };
        let signature = self.signatures[index].clone();
        if args.len() != signature.params.len() {
            let (want, have) = (signature.params.len(), args.len());
            let message = format!(
                "`{}` takes {}, not {have}",
                name.name,
                counted(want, "argument")
            );
            let wanted: Vec<String> = signature
                .params
                .iter()
                .map(|(ty, _, name)| format!("`{} {name}`", self.type_name(ty)))
                .collect();
            let error =
                Diagnostic::error(span, message, "this call").and(signature.span, "defined here");
            self.report(if wanted.is_empty() {
                error.help("call it without arguments")
            } else {
                error.help(format!("pass {}", wanted.join(", ")))
            });
            return None;
        }
        self.check_aliases(args, &signature);
        let lowered: Vec<Option<Arg>> = args
            .iter()
            .zip(&signature.params)
            .enumerate()
            .map(|(index, (arg, (ty, mode, param)))| {
                let later = &args[index + 1..];
                let lowered = self.argument(b, arg, ty, *mode, param, &signature)?;
                Some(match (lowered, ty) {
                    (Arg::Scalar(operand), Type::Scalar(ty)) => {
                        Arg::Scalar(self.pinned(b, operand, *ty, later))
                    }
                    (Arg::Aggregate(place), ty) => {
                        match self.pinned_value(b, Value::Aggregate(place, ty.clone()), later) {
                            Value::Aggregate(place, _) => Arg::Aggregate(place),
                            _ => unreachable!("a copy of an aggregate is one"),
                        }
                    }
                    (other, _) => other,
                })
            })
            .collect();
        let args: Option<Vec<Arg>> = lowered.into_iter().collect();
        let result = match &signature.result {
            Type::Void | Type::Unknown => None,
            other => Some(Place::whole(b.temporary(other.clone(), span))),
        };
        Some(Call {
            function: FunctionId(index as u32),
            args: args?,
            result,
            span,
        })
    }

    /// What is passed by reference comes back, and a channel has one name in a function: neither
    /// may be passed twice.
    fn check_aliases(&mut self, args: &[Expr], signature: &super::Signature) {
        let mut seen: Vec<(DeclId, Mode, Span)> = Vec::new();
        for (arg, (_, mode, _)) in args.iter().zip(&signature.params) {
            if *mode == Mode::Value {
                continue;
            }
            let Some(decl) = root(arg).and_then(|span| self.names.at(span)) else {
                continue;
            };
            if let Some((_, first_mode, first)) = seen.iter().find(|(other, ..)| *other == decl) {
                let by_reference = (*mode, *first_mode) == (Mode::Reference, Mode::Reference);
                let (how, help) = if by_reference {
                    (" by reference", "pass two different variables")
                } else {
                    (
                        " as a channel",
                        "give the function one parameter for the channel",
                    )
                };
                let message = format!("`{}` is passed{how} twice", self.names.decl(decl).name);
                let error =
                    Diagnostic::error(arg.span, message, "again here").and(*first, "first here");
                self.report(error.help(help));
            }
            seen.push((decl, *mode, arg.span));
        }
    }

    fn argument(
        &mut self,
        b: &mut Builder,
        arg: &Expr,
        ty: &Type,
        mode: Mode,
        param: &str,
        signature: &super::Signature,
    ) -> Option<Arg> {
        match mode {
            Mode::Value => self.value_argument(b, arg, ty),
            Mode::Reference => {
                let (place, found) = self.place(b, arg)?;
                self.same_type(ty, &found, arg.span)?;
                self.check_writable(arg);
                Some(Arg::Reference(self.pin_indices(b, place, arg.span)))
            }
            Mode::Reader | Mode::Writer => {
                if !matches!(arg.kind, ExprKind::Name(_)) {
                    let message = format!(
                        "parameter `{param}` of `{}` is a channel, and this is none",
                        signature.name
                    );
                    let error = Diagnostic::error(arg.span, message, "not a channel")
                        .and(signature.span, "defined here");
                    self.report(error.help("declare a channel and pass its name"));
                    return None;
                }
                let var = *b.decls.get(&self.names.at(arg.span)?)?;
                let found = b.var(var).ty.clone();
                self.same_type(ty, &found, arg.span)?;
                if mode == Mode::Writer {
                    self.check_writable(arg);
                }
                Some(Arg::Channel(var))
            }
        }
    }

    fn value_argument(&mut self, b: &mut Builder, arg: &Expr, ty: &Type) -> Option<Arg> {
        let value = self.expr(b, arg, None);
        match (value, ty) {
            (Value::Scalar(operand, from), Type::Scalar(to)) => {
                if let Operand::Const(value) = operand {
                    self.check_range(value, *to, arg.span);
                }
                if from == *to
                    || matches!(operand, Operand::Const(value) if to.wrap(value) == value)
                {
                    return Some(Arg::Scalar(operand));
                }
                let place = b.scalar_temporary(*to, arg.span);
                b.emit(Op::Move(place.clone(), operand, *to), arg.span);
                Some(Arg::Scalar(Operand::Place(place)))
            }
            (Value::Aggregate(place, found), _) => {
                self.same_type(ty, &found, arg.span)?;
                Some(Arg::Aggregate(self.pin_indices(b, place, arg.span)))
            }
            (Value::Scalar(_, found), _) => {
                self.same_type(ty, &Type::Scalar(found), arg.span)?;
                None
            }
            (Value::Void, _) => {
                let error =
                    Diagnostic::error(arg.span, "this call returns nothing", "used as an argument");
                self.report(error.help("give the function a result type and `return` a value"));
                None
            }
            (Value::Wrong, _) => None,
        }
    }

    fn check_writable(&mut self, arg: &Expr) {
        let Some(decl) = root(arg)
            .and_then(|span| self.names.at(span))
            .map(|id| self.names.decl(id))
        else {
            return;
        };
        if decl.channel && !decl.writable {
            let message = format!(
                "`{}` is received here and cannot be passed to a sender",
                decl.name
            );
            let error = Diagnostic::error(arg.span, message, "passed by reference")
                .and(decl.span, "passed by value here");
            self.report(error.help(format!("pass it by reference: `chan … &{}`", decl.name)));
        }
    }

    fn same_type(&mut self, wanted: &Type, found: &Type, span: Span) -> Option<()> {
        if *wanted == Type::Unknown || *found == Type::Unknown {
            return None;
        }
        if wanted != found {
            let message = format!(
                "expected `{}`, found `{}`",
                self.type_name(wanted),
                self.type_name(found)
            );
            let error = Diagnostic::error(span, message, "wrong type");
            self.report(error.help("structures, arrays, channels and what is passed by reference must have this very type"));
            return None;
        }
        Some(())
    }

    /// Copies indices, so that the place stays the same whatever the call does.
    pub(super) fn pin_indices(&mut self, b: &mut Builder, mut place: Place, span: Span) -> Place {
        for index in &mut place.indices {
            if let Type::Scalar(ty) = b.var(index.var).ty
                && !b.var(index.var).temporary
            {
                let copy = b.scalar_temporary(ty, span);
                b.emit(
                    Op::Move(copy.clone(), Operand::Place(Place::whole(index.var)), ty),
                    span,
                );
                index.var = copy.var;
            }
        }
        place
    }
}

/// The place of the variable that an expression is a part of.
fn root(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Name(_) => Some(expr.span),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root(base),
        _ => None,
    }
}

/// Whether `next` occurs.
fn communicates(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Next(_) | ExprKind::Send(..) | ExprKind::Call(..) => true,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Str(_) | ExprKind::Name(_) => false,
        ExprKind::Field(base, _)
        | ExprKind::Unary(_, base)
        | ExprKind::Step { target: base, .. } => communicates(base),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(_, a, b) => communicates(a) || communicates(b),
        ExprKind::Conditional(a, b, c) => communicates(a) || communicates(b) || communicates(c),
    }
}
