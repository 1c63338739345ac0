//! Single instructions.

use super::endless::Rounds;
use super::frame::Frame;
use super::{Cell, Ending, Machine, Shadow, Step};
use crate::eval;
use crate::ir::{ExceptionId, Op, PrintItem, Scalar};
use crate::source::Span;
use crate::syntax::tree::BinaryOp;
use crate::tree::{ChannelId, TaskId};

/// Why a task does not run on.
pub(super) enum Stop {
    Wait(ChannelId, bool),
    Par,
    End,
    Throw(ExceptionId),
    /// It computes forever.
    Never,
}

/// Whether a function that does not communicate comes to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quiet {
    Ends,
    Never,
}

impl<S: Shadow> Machine<'_, S> {
    /// Runs a task until it waits for others or ends.
    pub(super) fn execute(&mut self, task: TaskId, frame: &mut Frame<S::Term>) -> Step<Stop> {
        let function = self.tree.task(task).function.clone();
        let mut rounds = Rounds::default();
        loop {
            let from = frame.pc;
            let Some(instr) = function.code.get(frame.pc) else {
                return Ok(Stop::End);
            };
            match &instr.op {
                Op::Send(var) => return Ok(Stop::Wait(self.tree.task(task).channel(*var), true)),
                Op::Receive(var) => {
                    return Ok(Stop::Wait(self.tree.task(task).channel(*var), false));
                }
                Op::Par(..) if self.tree.task(task).children.contains_key(&frame.pc) => {
                    return Ok(Stop::Par);
                }
                Op::Throw(exception) => return Ok(Stop::Throw(*exception)),
                Op::Return => return Ok(Stop::End),
                op => match self.step(task, frame, op, instr.span)? {
                    Quiet::Ends => {}
                    Quiet::Never => return Ok(Stop::Never),
                },
            }
            if frame.pc <= from && rounds.repeats(frame, self.inputs[task.index()]) {
                return Ok(Stop::Never);
            }
        }
    }

    /// Runs a function that does not communicate to its end, if it comes to it.
    pub(super) fn execute_quiet(
        &mut self,
        task: TaskId,
        frame: &mut Frame<S::Term>,
    ) -> Step<Quiet> {
        let function = self.tree.instances[frame.instance.index()].function.clone();
        let mut rounds = Rounds::default();
        while let Some(instr) = function.code.get(frame.pc) {
            let from = frame.pc;
            if matches!(instr.op, Op::Return) {
                break;
            }
            if self.step(task, frame, &instr.op, instr.span)? == Quiet::Never
                || frame.pc <= from && rounds.repeats(frame, self.inputs[task.index()])
            {
                return Ok(Quiet::Never);
            }
        }
        Ok(Quiet::Ends)
    }

    /// Executes an instruction that does not communicate, unless it calls what never ends.
    fn step(
        &mut self,
        task: TaskId,
        frame: &mut Frame<S::Term>,
        op: &Op,
        span: Span,
    ) -> Step<Quiet> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Ending::OutOfSteps)?;
        let instance = frame.instance;
        frame.pc += 1;
        match op {
            Op::Label(_) => {}
            Op::Move(place, operand, ty) => {
                let cell = self.read(frame, instance, operand, span)?;
                self.write(frame, place, cell, *ty, span)?;
            }
            Op::Copy(to, from, size) => {
                let from = self.locate(frame, instance, from, *size, span)?;
                let to = self.locate(frame, instance, to, *size, span)?;
                let cells = self.gather(frame, instance, &from, *size);
                self.scatter(frame, instance, &to, &cells);
            }
            Op::Table(place, values) => {
                let to = self.locate(frame, instance, place, values.len() as u32, span)?;
                let constant = |value: &i64| Cell {
                    value: *value,
                    term: S::Term::default(),
                };
                let cells: Vec<_> = values.iter().map(constant).collect();
                self.scatter(frame, instance, &to, &cells);
            }
            Op::Unary(place, op, a, ty, store) => {
                let a = self.read(frame, instance, a, span)?;
                let cell = Cell {
                    value: eval::unary(*op, *ty, a.value),
                    term: self.shadow.unary(*op, *ty, a),
                };
                self.write(frame, place, cell, *store, span)?;
            }
            Op::Binary(place, op, a, b, ty, store) => {
                let a = self.read(frame, instance, a, span)?;
                let b = self.read(frame, instance, b, span)?;
                let cell = self.binary(*op, *ty, a, b, span)?;
                self.write(frame, place, cell, *store, span)?;
            }
            Op::Goto(target) => frame.pc = *target,
            Op::If(condition, when, target) => {
                let cell = self.read(frame, instance, condition, span)?;
                self.shadow.decide(span, cell);
                if (cell.value != 0) == *when {
                    frame.pc = *target;
                }
            }
            Op::Par(calls, _) => {
                let pc = frame.pc - 1;
                let tree = self.tree;
                let instances = &tree.instances[instance.index()].calls[&pc];
                let mut callees = Vec::new();
                for (call, callee) in calls.iter().zip(instances) {
                    callees.push(self.callee(frame, instance, call, *callee)?);
                }
                let mut quiet = Quiet::Ends;
                for callee in &mut callees {
                    if self.execute_quiet(task, callee)? == Quiet::Never {
                        quiet = Quiet::Never;
                    }
                }
                if quiet == Quiet::Never {
                    frame.pc = pc;
                    return Ok(quiet);
                }
                for ((call, callee), done) in calls.iter().zip(instances).zip(&callees) {
                    self.give_back(frame, instance, call, *callee, done);
                }
            }
            Op::Print(items) => self.print(frame, items, span)?,
            Op::Input(place, ty) => {
                let count = self.inputs[task.index()];
                self.inputs[task.index()] += 1;
                let (value, term) = self.shadow.input(task, count, *ty);
                self.write(frame, place, Cell { value, term }, *ty, span)?;
            }
            Op::Send(_) | Op::Receive(_) | Op::Return | Op::Throw(_) => {
                unreachable!("handled by those that run tasks and functions")
            }
        }
        Ok(Quiet::Ends)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: Cell<S::Term>,
        b: Cell<S::Term>,
        span: Span,
    ) -> Step<Cell<S::Term>> {
        if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
            self.shadow.decide(span, b);
        }
        match eval::binary(op, ty, a.value, b.value) {
            Some(value) => Ok(Cell {
                value,
                term: self.shadow.binary(op, ty, a, b),
            }),
            None => Err(Ending::Failed(span, "division by zero".into())),
        }
    }

    fn print(&mut self, frame: &Frame<S::Term>, items: &[PrintItem], span: Span) -> Step<()> {
        let mut parts = Vec::new();
        for item in items {
            parts.push(match item {
                PrintItem::Text(text) => text.clone(),
                PrintItem::Value(operand, ty) => {
                    let value = self.read(frame, frame.instance, operand, span)?.value;
                    match ty {
                        Scalar::Bool => (value != 0).to_string(),
                        ty => ty.show(value),
                    }
                }
            });
        }
        self.shadow.print(parts.join(" "));
        Ok(())
    }
}
