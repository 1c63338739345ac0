//! What goes into a call and what comes back.

use super::frame::Frame;
use super::{Machine, Shadow, Step};
use crate::instance::InstanceId;
use crate::ir::{Arg, Call, Mode, Op, Pc, Place, VarId};
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
                    let spot = self.locate(caller, from, place, size as u32, call.span)?;
                    let cells = self.gather(caller, from, &spot, size as u32);
                    frame.cells[to..to + size].copy_from_slice(&cells);
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
        let tree = self.tree;
        let function = &tree.instances[instance.index()].function;
        let mut given: Vec<(Place, VarId)> = Vec::new();
        for (index, (arg, mode)) in call.args.iter().zip(&function.params).enumerate() {
            let var = VarId(index as u32);
            match arg {
                Arg::Reference(place) => given.push((place.clone(), var)),
                Arg::Channel(own) if *mode == Mode::Writer => given.push((Place::whole(*own), var)),
                _ => {}
            }
        }
        given.extend(call.result.clone().zip(function.result));
        for (place, var) in given {
            let layout = &self.layouts[instance.index()];
            let (base, size) = (layout.bases[var.index()], layout.sizes[var.index()]);
            let spot = self.locate(caller, to, &place, size, call.span);
            let spot = spot.expect("indices were within bounds when the call began");
            let cells = &callee.cells[base as usize..(base + size) as usize];
            self.scatter(caller, to, &spot, cells);
        }
    }
}
