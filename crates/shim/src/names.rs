//! Which name means which variable, how each occurrence uses it, and which variables are channels.
//!
//! A variable is a channel if it is declared one, if `next` is applied to it, or if it is passed
//! to a parameter that is a channel: the last makes it a least fixed point over the calls.

use crate::diagnostic::Diagnostic;
use crate::ir::id;
use crate::source::Span;
use crate::syntax::tree::*;
use std::collections::HashMap;

id!(
    /// A declaration of a variable.
    DeclId
);

/// A declared variable.
pub struct Decl {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Whether it is a channel, declared or found.
    pub channel: bool,
    /// Whether it may be changed for others: a local variable, or a parameter passed by reference.
    pub writable: bool,
}

/// How an occurrence uses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Its value.
    Read,
    /// It is assigned to.
    Write,
    /// `next v`
    Receive,
    /// `next v = …`
    Send,
    /// It is an argument: the function's position and the argument's.
    Passed(usize, usize),
}

/// One use of a variable.
pub struct Occurrence {
    /// The variable.
    pub decl: DeclId,
    /// Where.
    pub span: Span,
    /// How.
    pub access: Access,
}

/// What the names of a program mean.
pub struct Names {
    /// All variables.
    pub decls: Vec<Decl>,
    /// The parameters of each function.
    pub params: Vec<Vec<DeclId>>,
    /// Functions by name.
    pub functions: HashMap<String, usize>,
    by_ref: Vec<Vec<bool>>,
    by_place: HashMap<u32, DeclId>,
    occurrences: Vec<Occurrence>,
}

impl Names {
    /// Returns the variable that the name at this place denotes, or `None`.
    pub fn at(&self, span: Span) -> Option<DeclId> {
        self.by_place.get(&span.start).copied()
    }

    /// Returns the declaration of a variable.
    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.index()]
    }

    /// Returns the uses, inside a range, of variables declared outside of it.
    pub fn captured(&self, span: Span) -> impl Iterator<Item = &Occurrence> {
        let from = self
            .occurrences
            .partition_point(|o| o.span.start < span.start);
        self.occurrences[from..]
            .iter()
            .take_while(move |o| o.span.start < span.end)
            .filter(move |o| !span.contains(self.decl(o.decl).span))
    }

    /// Returns whether a use changes the variable for others.
    pub fn writes(&self, occurrence: &Occurrence) -> bool {
        match occurrence.access {
            Access::Write | Access::Send => true,
            Access::Passed(function, argument) => {
                self.by_ref[function].get(argument) == Some(&true)
            }
            Access::Read | Access::Receive => false,
        }
    }

    /// Returns whether a use communicates, or passes a channel on.
    pub fn communicates(&self, occurrence: &Occurrence) -> bool {
        match occurrence.access {
            Access::Receive | Access::Send => true,
            Access::Passed(function, argument) => self.params[function]
                .get(argument)
                .is_some_and(|p| self.decl(*p).channel),
            Access::Read | Access::Write => false,
        }
    }
}

/// Resolves the names of a program. Adds a diagnostic for each mistake.
pub fn resolve(program: &Program, diagnostics: &mut Vec<Diagnostic>) -> Names {
    let mut names = Names {
        decls: Vec::new(),
        params: Vec::new(),
        functions: HashMap::new(),
        by_ref: Vec::new(),
        by_place: HashMap::new(),
        occurrences: Vec::new(),
    };
    for (index, function) in program.functions.iter().enumerate() {
        let name = &function.name;
        if ["print", "input"].contains(&name.name.as_str()) {
            let message = format!("`{}` is built in", name.name);
            diagnostics.push(
                Diagnostic::error(name.span, message, "defined again here")
                    .help("choose another name"),
            );
        } else if let Some(first) = names.functions.insert(name.name.clone(), index) {
            let message = format!("function `{}` is defined twice", name.name);
            let error = Diagnostic::error(name.span, message, "defined again here");
            let error = error.and(program.functions[first].name.span, "first defined here");
            diagnostics.push(error.help("give one of them another name"));
            names.functions.insert(name.name.clone(), first);
        }
        names
            .by_ref
            .push(function.params.iter().map(|p| p.by_ref).collect());
    }
    let mut resolver = Resolver {
        names,
        diagnostics,
        scopes: Vec::new(),
    };
    for function in &program.functions {
        resolver.function(function);
    }
    let mut names = resolver.names;
    names.occurrences.sort_by_key(|o| o.span.start);
    spread_channels(&mut names);
    names
}

fn spread_channels(names: &mut Names) {
    loop {
        let found: Vec<DeclId> = names
            .occurrences
            .iter()
            .filter(|o| names.communicates(o) && !names.decl(o.decl).channel)
            .map(|o| o.decl)
            .collect();
        if found.is_empty() {
            return;
        }
        found
            .into_iter()
            .for_each(|decl| names.decls[decl.index()].channel = true);
    }
}

struct Resolver<'a> {
    names: Names,
    diagnostics: &'a mut Vec<Diagnostic>,
    scopes: Vec<HashMap<String, DeclId>>,
}

impl Resolver<'_> {
    fn function(&mut self, function: &FunctionDef) {
        self.scopes = vec![HashMap::new()];
        let params = function
            .params
            .iter()
            .map(|p| {
                p.declarator
                    .dims
                    .iter()
                    .for_each(|d| self.expr(d, Access::Read));
                self.declare(&p.declarator.name, p.chan, p.by_ref)
            })
            .collect();
        self.names.params.push(params);
        self.stmt(&function.body);
    }

    fn declare(&mut self, name: &Ident, channel: bool, writable: bool) -> DeclId {
        let id = DeclId(self.names.decls.len() as u32);
        self.names.decls.push(Decl {
            name: name.name.clone(),
            span: name.span,
            channel,
            writable,
        });
        let scope = self.scopes.last_mut().expect("inside a function");
        if let Some(first) = scope.insert(name.name.clone(), id) {
            let message = format!("`{}` is declared twice in one block", name.name);
            let error = Diagnostic::error(name.span, message, "declared again here");
            let error = error.and(self.names.decl(first).span, "first declared here");
            self.diagnostics
                .push(error.help("give one of them another name, or put it in a block of its own"));
        }
        id
    }

    fn scoped(&mut self, part: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        part(self);
        self.scopes.pop();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(body) => self.scoped(|r| body.iter().for_each(|s| r.stmt(s))),
            StmtKind::Declare {
                chan,
                declarators,
                ty,
            } => {
                if let TypeKind::Range(low, high) = &ty.kind {
                    self.expr(low, Access::Read);
                    self.expr(high, Access::Read);
                }
                for declarator in declarators {
                    declarator
                        .dims
                        .iter()
                        .for_each(|d| self.expr(d, Access::Read));
                    declarator.init.iter().for_each(|i| self.initialiser(i));
                    self.declare(&declarator.name, *chan, true);
                }
            }
            StmtKind::Expr(expr) => self.expr(expr, Access::Read),
            StmtKind::If(cond, yes, no) => {
                self.expr(cond, Access::Read);
                self.scoped(|r| r.stmt(yes));
                no.iter().for_each(|s| self.scoped(|r| r.stmt(s)));
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.expr(cond, Access::Read);
                self.scoped(|r| r.stmt(body));
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => self.scoped(|r| {
                init.iter().for_each(|s| r.stmt(s));
                cond.iter()
                    .chain(step)
                    .for_each(|e| r.expr(e, Access::Read));
                r.scoped(|r| r.stmt(body));
            }),
            StmtKind::Switch(value, cases) => {
                self.expr(value, Access::Read);
                self.scoped(|r| {
                    for case in cases {
                        case.value.iter().for_each(|e| r.expr(e, Access::Read));
                        case.body.iter().for_each(|s| r.stmt(s));
                    }
                });
            }
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e, Access::Read)),
            StmtKind::Par(branches) => branches.iter().for_each(|s| self.scoped(|r| r.stmt(s))),
            StmtKind::Try(body, _, handler) => {
                self.scoped(|r| r.stmt(body));
                self.scoped(|r| r.stmt(handler));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Throw(_) | StmtKind::Empty => {}
        }
    }

    fn initialiser(&mut self, init: &Initialiser) {
        match init {
            Initialiser::Expr(expr) => self.expr(expr, Access::Read),
            Initialiser::List(items, _) => items.iter().for_each(|i| self.initialiser(i)),
        }
    }

    fn expr(&mut self, expr: &Expr, access: Access) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Str(_) => {}
            ExprKind::Name(name) => self.name(name, expr.span, access),
            ExprKind::Index(base, index) => {
                self.expr(base, part_of(access));
                self.expr(index, Access::Read);
            }
            ExprKind::Field(base, _) => self.expr(base, part_of(access)),
            ExprKind::Unary(_, operand) => self.expr(operand, Access::Read),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a, Access::Read);
                self.expr(b, Access::Read);
            }
            ExprKind::Conditional(cond, yes, no) => {
                [cond, yes, no]
                    .into_iter()
                    .for_each(|e| self.expr(e, Access::Read));
            }
            ExprKind::Assign(_, target, value) => {
                self.expr(target, Access::Write);
                self.expr(value, Access::Read);
            }
            ExprKind::Step { target, .. } => self.expr(target, Access::Write),
            ExprKind::Next(channel) => self.expr(channel, Access::Receive),
            ExprKind::Send(channel, value) => {
                self.expr(channel, Access::Send);
                self.expr(value, Access::Read);
            }
            ExprKind::Call(name, args) => {
                let function = self.names.functions.get(&name.name).copied();
                for (index, arg) in args.iter().enumerate() {
                    self.expr(
                        arg,
                        function.map_or(Access::Read, |f| Access::Passed(f, index)),
                    );
                }
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, access: Access) {
        match self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .copied()
        {
            Some(decl) => {
                self.names.by_place.insert(span.start, decl);
                self.names
                    .occurrences
                    .push(Occurrence { decl, span, access });
            }
            None => {
                let near = self.similar(name);
                let error =
                    Diagnostic::error(span, format!("`{name}` is not declared"), "unknown name");
                self.diagnostics.push(match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("declare it, for example with `int {name};`")),
                });
            }
        }
    }

    fn similar(&self, name: &str) -> Option<&str> {
        let visible = self.scopes.iter().flat_map(|scope| scope.keys());
        visible
            .filter(|other| distance(name, other) <= 1 + name.len() / 5)
            .min()
            .map(String::as_str)
    }
}

/// How a use of a part uses the whole.
fn part_of(access: Access) -> Access {
    match access {
        Access::Receive | Access::Send => Access::Read,
        other => other,
    }
}

/// The number of letters to insert, take out or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
