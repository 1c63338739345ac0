//! Single instructions.

use super::frame::Frame;
use super::{Cell, Ending, Machine, Shadow, Step};
use crate::eval;
use crate::ir::{ExceptionId, Op, Operand, Place, PrintItem, Scalar};
use crate::source::Span;
use crate::specialise::InstanceId;
use crate::syntax::tree::BinaryOp;
use crate::tree::{ChannelId, TaskId};

/// Why a task does not run on.
pub(super) enum Stop {
    Wait(ChannelId, bool),
    Par,
    End,
    Throw(ExceptionId),
}

impl<S: Shadow> Machine<'_, S> {
    /// Runs a task until it waits for others or ends.
    pub(super) fn execute(&mut self, task: TaskId, frame: &mut Frame<S::Term>) -> Step<Stop> {
        let function = self.tree.task(task).function.clone();
        loop {
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
                op => self.step(task, frame, op, instr.span)?,
            }
        }
    }

    /// Runs a function that does not communicate to its end.
    pub(super) fn execute_quiet(&mut self, task: TaskId, frame: &mut Frame<S::Term>) -> Step<()> {
        let function = self.tree.instances[frame.instance.index()].function.clone();
        while let Some(instr) = function.code.get(frame.pc) {
            match &instr.op {
                Op::Return => return Ok(()),
                op => self.step(task, frame, op, instr.span)?,
            }
        }
        Ok(())
    }

    fn step(&mut self, task: TaskId, frame: &mut Frame<S::Term>, op: &Op, span: Span) -> Step<()> {
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
                let from = self.address(frame, instance, from, span)?;
                let to = self.address(frame, instance, to, span)?;
                frame.cells.copy_within(from..from + *size as usize, to);
            }
            Op::Table(place, values) => {
                let at = self.address(frame, instance, place, span)?;
                for (cell, value) in frame.cells[at..].iter_mut().zip(values) {
                    *cell = Cell {
                        value: *value,
                        term: S::Term::default(),
                    };
                }
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
                callees
                    .iter_mut()
                    .try_for_each(|callee| self.execute_quiet(task, callee))?;
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
        Ok(())
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

    pub(super) fn read(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        operand: &Operand,
        span: Span,
    ) -> Step<Cell<S::Term>> {
        match operand {
            Operand::Const(value) => Ok(Cell {
                value: *value,
                term: S::Term::default(),
            }),
            Operand::Place(place) => Ok(frame.cells[self.address(frame, instance, place, span)?]),
        }
    }

    fn write(
        &mut self,
        frame: &mut Frame<S::Term>,
        place: &Place,
        cell: Cell<S::Term>,
        ty: Scalar,
        span: Span,
    ) -> Step<()> {
        if let Scalar::Range { low, high } = ty {
            self.shadow.require(span, ty, cell);
            if !(low..=high).contains(&cell.value) {
                let message = format!("{} is outside `int<{low},{high}>`", cell.value);
                return Err(Ending::Failed(span, message));
            }
        }
        let at = self.address(frame, frame.instance, place, span)?;
        frame.cells[at] = Cell {
            value: ty.wrap(cell.value),
            term: self.shadow.convert(ty, cell),
        };
        Ok(())
    }

    pub(super) fn address(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        place: &Place,
        span: Span,
    ) -> Step<usize> {
        let layout = &self.layouts[instance.index()];
        let mut at = (layout.bases[place.var.index()] + place.offset) as usize;
        for index in &place.indices {
            let cell = frame.cells[layout.bases[index.var.index()] as usize];
            self.shadow.pin(span, cell);
            if cell.value < 0 || cell.value >= index.count as i64 {
                let message = format!(
                    "index {} is outside an array of {} elements",
                    cell.value, index.count
                );
                return Err(Ending::Failed(span, message));
            }
            at += cell.value as usize * index.stride as usize;
        }
        Ok(at)
    }
}
