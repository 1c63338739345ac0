//! What goes into a call and what comes back.

use super::frame::Frame;
use super::{Machine, Shadow, Step};
use crate::ir::{Arg, Call, Mode, Op, Pc};
use crate::specialise::InstanceId;
use crate::tree::TaskId;

impl<S: Shadow> Machine<'_, S> {
    pub(super) fn copy_back(&mut self, parent: TaskId, pc: Pc) {
        let node = self.tree.task(parent);
        let Op::Par(calls, _) = &node.function.code[pc].op else {
            return;
        };
        let instances = &self.tree.instances[node.instance.index()].calls[&pc];
        let mut frame = self.frames[parent.index()]
            .take()
            .expect("a parent has a frame");
        let quiet = std::mem::take(&mut self.quiet[parent.index()]);
        let loud = node.children[&pc].iter().filter_map(|(position, child)| {
            self.frames[child.index()]
                .take()
                .map(|frame| (*position, frame))
        });
        let all: Vec<_> = quiet.into_iter().chain(loud).collect();
        for (position, child) in all {
            self.give_back(
                &mut frame,
                node.instance,
                &calls[position],
                instances[position],
                &child,
            );
        }
        self.frames[parent.index()] = Some(frame);
    }

    pub(super) fn callee(
        &mut self,
        caller: &Frame<S::Term>,
        from: InstanceId,
        call: &Call,
        instance: InstanceId,
    ) -> Step<Frame<S::Term>> {
        let mut frame = self.layouts[instance.index()].frame(instance);
        for (index, arg) in call.args.iter().enumerate() {
            let to = self.layouts[instance.index()].bases[index] as usize;
            let size = self.layouts[instance.index()].sizes[index] as usize;
            match arg {
                Arg::Scalar(operand) => {
                    frame.cells[to] = self.read(caller, from, operand, call.span)?
                }
                Arg::Aggregate(place) | Arg::Reference(place) => {
                    let at = self.address(caller, from, place, call.span)?;
                    frame.cells[to..to + size].copy_from_slice(&caller.cells[at..at + size]);
                }
                Arg::Channel(var) => {
                    let at = self.layouts[from.index()].bases[var.index()] as usize;
                    frame.cells[to..to + size].copy_from_slice(&caller.cells[at..at + size]);
                }
            }
        }
        Ok(frame)
    }

    /// Copies what a call was given by reference, and its result, back.
    pub(super) fn give_back(
        &mut self,
        caller: &mut Frame<S::Term>,
        to: InstanceId,
        call: &Call,
        instance: InstanceId,
        callee: &Frame<S::Term>,
    ) {
        let function = &self.tree.instances[instance.index()].function;
        for (index, (arg, mode)) in call.args.iter().zip(&function.params).enumerate() {
            let from = self.layouts[instance.index()].bases[index] as usize;
            let size = self.layouts[instance.index()].sizes[index] as usize;
            let at = match arg {
                Arg::Reference(place) => self.address(caller, to, place, call.span).ok(),
                Arg::Channel(var) if *mode == Mode::Writer => {
                    Some(self.layouts[to.index()].bases[var.index()] as usize)
                }
                _ => None,
            };
            if let Some(at) = at {
                caller.cells[at..at + size].copy_from_slice(&callee.cells[from..from + size]);
            }
        }
        if let (Some(place), Some(result)) = (&call.result, function.result)
            && let Ok(at) = self.address(caller, to, place, call.span)
        {
            let from = self.layouts[instance.index()].bases[result.index()] as usize;
            let size = self.layouts[instance.index()].sizes[result.index()] as usize;
            caller.cells[at..at + size].copy_from_slice(&callee.cells[from..from + size]);
        }
    }
}
