//! A function under construction.

use crate::ir::{
    ExceptionId, Function, Instr, Loop, Mode, Op, Operand, Pc, Place, Type, Var, VarId,
};
use crate::names::DeclId;
use crate::source::Span;
use std::collections::HashMap;

/// A place in the code that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelId(usize);

/// Where `break` and `continue` go.
pub(super) struct Target {
    pub(super) on_break: LabelId,
    pub(super) on_continue: Option<LabelId>,
}

pub(super) struct Builder {
    pub(super) name: String,
    span: Span,
    pub(super) params: Vec<Mode>,
    vars: Vec<Var>,
    pub(super) decls: HashMap<DeclId, VarId>,
    pub(super) result: Option<VarId>,
    pub(super) result_type: Type,
    code: Vec<Instr>,
    labels: Vec<Option<Pc>>,
    used: Vec<bool>,
    pub(super) targets: Vec<Target>,
    pub(super) handlers: Vec<(ExceptionId, LabelId)>,
    pub(super) loops: Vec<Loop>,
    pub(super) loop_depth: u32,
    /// Whether this is a branch of a `par`, which cannot return or leave a loop around it.
    pub(super) branch: bool,
    pub(super) branches: u32,
    /// Whether the value of the next expression is used, and not its effect alone.
    pub(super) value_used: bool,
    temporaries: u32,
}

impl Builder {
    pub(super) fn new(name: String, span: Span) -> Builder {
        Builder {
            name,
            span,
            params: Vec::new(),
            vars: Vec::new(),
            decls: HashMap::new(),
            result: None,
            result_type: Type::Void,
            code: Vec::new(),
            labels: Vec::new(),
            used: Vec::new(),
            targets: Vec::new(),
            handlers: Vec::new(),
            loops: Vec::new(),
            loop_depth: 0,
            branch: false,
            branches: 0,
            value_used: true,
            temporaries: 0,
        }
    }

    pub(super) fn variable(&mut self, name: &str, ty: Type, channel: bool, span: Span) -> VarId {
        self.vars.push(Var {
            name: name.to_string(),
            ty,
            channel,
            temporary: false,
            span,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    pub(super) fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        let name = format!("tmp{}", self.temporaries);
        self.temporaries += 1;
        self.vars.push(Var {
            name,
            ty,
            channel: false,
            temporary: true,
            span,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    pub(super) fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub(super) fn mode(&self, id: VarId) -> Option<Mode> {
        self.params.get(id.index()).copied()
    }

    pub(super) fn here(&self) -> Pc {
        self.code.len()
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) {
        self.code.push(Instr { op, span });
    }

    pub(super) fn label(&mut self) -> LabelId {
        self.labels.push(None);
        self.used.push(false);
        LabelId(self.labels.len() - 1)
    }

    pub(super) fn place(&mut self, label: LabelId, name: &'static str, span: Span) {
        self.labels[label.0] = Some(self.code.len());
        self.emit(Op::Label(name), span);
    }

    /// Places a label only if something goes there, so that no number is spent on it.
    pub(super) fn place_if_used(&mut self, label: LabelId, name: &'static str, span: Span) {
        if self.used[label.0] {
            self.place(label, name, span);
        } else {
            self.labels[label.0] = Some(self.code.len());
        }
    }

    pub(super) fn goto(&mut self, label: LabelId, span: Span) {
        self.used[label.0] = true;
        self.emit(Op::Goto(label.0), span);
    }

    /// Goes to the label if the condition is as said; `while (true)` is no branch.
    pub(super) fn branch(&mut self, cond: Operand, when: bool, label: LabelId, span: Span) {
        if let Operand::Const(value) = cond {
            if (value != 0) == when {
                self.goto(label, span);
            }
            return;
        }
        self.used[label.0] = true;
        self.emit(Op::If(cond, when, label.0), span);
    }

    /// The handlers in force, innermost first.
    pub(super) fn handlers_in_force(&mut self) -> Vec<(ExceptionId, Pc)> {
        for (_, label) in &self.handlers {
            self.used[label.0] = true;
        }
        self.handlers
            .iter()
            .rev()
            .map(|(exception, label)| (*exception, label.0))
            .collect()
    }

    pub(super) fn scalar_temporary(&mut self, ty: crate::ir::Scalar, span: Span) -> Place {
        Place::whole(self.temporary(Type::Scalar(ty), span))
    }

    pub(super) fn finish(mut self) -> Function {
        let end = self.code.len();
        let at = |label: Pc| self.labels[label].unwrap_or(end);
        for instr in &mut self.code {
            match &mut instr.op {
                Op::Goto(label) | Op::If(_, _, label) => *label = at(*label),
                Op::Par(_, handlers) => handlers
                    .iter_mut()
                    .for_each(|(_, label)| *label = at(*label)),
                _ => {}
            }
        }
        Function {
            name: self.name,
            span: self.span,
            params: self.params,
            vars: self.vars,
            result: self.result,
            code: self.code,
            loops: self.loops,
        }
    }
}
