//! What moves do to data: tasks begin with what they are passed, meet, and give back what they were
//! passed by reference.

use super::blocks::Blocks;
use super::values::{Origin, Slot, Store, Taken, Values};
use crate::automaton::StateId;
use crate::ir::{Arg, Call, Mode, Op, Pc, Place, VarId};
use crate::single::Move;
use crate::tree::TaskId;

impl Values<'_> {
    /// Executes a move, and then what the moved tasks do up to where they wait again.
    pub(super) fn perform(&mut self, blocks: &Blocks, taken: &Taken, store: &mut Store) {
        let state = |task: TaskId| StateId(taken.before[task.index()] as u32);
        match &taken.action {
            None => self.begin_main(store),
            Some(Move::Start(task)) => self.begin(store, *task),
            Some(Move::Go(_) | Move::Poison(..)) => {}
            Some(Move::Rendezvous(_, tasks)) => self.meet(blocks, taken, tasks, store),
            Some(Move::Join(task) | Move::Catch(task, _)) => {
                let pc = blocks.network.at(&taken.before, *task).pc;
                self.join(store, *task, pc);
            }
        }
        for (task, path) in &taken.paths {
            let from = state(*task);
            let block = match taken.action {
                Some(Move::Catch(_, handler)) => blocks.handler(*task, from, handler, *path),
                None => Some(blocks.path(*task, crate::automaton::ENTRY, *path)),
                _ => Some(blocks.path(*task, from, *path)),
            };
            if let Some(block) = block {
                self.execute(store, *task, block);
            }
        }
    }

    fn begin_main(&mut self, store: &mut Store) {
        let main = &self.program.functions[self.program.main.index()];
        let root = TaskId(0);
        self.defaults(store, root);
        for parameter in 0..main.params.len() {
            let var = VarId(parameter as u32);
            let Some(layout) = self.layout(root, var) else {
                continue;
            };
            for (offset, ty) in layout.iter().enumerate() {
                let term = self.symbol(Origin::Parameter(parameter, offset), *ty);
                store.values.insert(
                    Slot {
                        task: root,
                        var,
                        offset: offset as u32,
                    },
                    term,
                );
            }
        }
    }

    fn defaults(&mut self, store: &mut Store, task: TaskId) {
        let tree = self.tree;
        for index in 0..tree.task(task).function.vars.len() {
            let var = VarId(index as u32);
            let Some(layout) = self.layout(task, var) else {
                continue;
            };
            for (offset, ty) in layout.iter().enumerate() {
                let term = self.terms_mut().number(ty.default_value());
                store.values.insert(
                    Slot {
                        task,
                        var,
                        offset: offset as u32,
                    },
                    term,
                );
            }
        }
    }

    /// A task begins: its parameters are what its parent passes.
    fn begin(&mut self, store: &mut Store, task: TaskId) {
        let Some((parent, pc, position)) = self.tree.task(task).parent else {
            return;
        };
        self.defaults(store, task);
        let tree = self.tree;
        let Op::Par(calls, _) = &tree.task(parent).function.code[pc].op else {
            return;
        };
        for (index, arg) in calls[position].args.iter().enumerate() {
            let to = VarId(index as u32);
            match arg {
                Arg::Scalar(operand) => {
                    let Some(ty) = self.slot_type(Slot {
                        task,
                        var: to,
                        offset: 0,
                    }) else {
                        continue;
                    };
                    let (term, from) = self.operand(store, parent, operand, ty);
                    let term = self.convert(term, from, ty);
                    self.assign(store, task, &Place::whole(to), term);
                }
                Arg::Aggregate(place) | Arg::Reference(place) => {
                    let size = self.size(task, to);
                    self.copy(store, (parent, place), (task, &Place::whole(to)), size);
                }
                Arg::Channel(var) => {
                    let (from, size) = (Place::whole(*var), self.size(task, to));
                    self.copy(store, (parent, &from), (task, &Place::whole(to)), size);
                }
            }
        }
    }

    fn meet(&mut self, blocks: &Blocks, taken: &Taken, tasks: &[TaskId], store: &mut Store) {
        let tree = self.tree;
        let at = |task: TaskId| {
            let pc = blocks.network.at(&taken.before, task).pc;
            match tree.task(task).function.code[pc].op {
                Op::Send(var) => (var, true),
                Op::Receive(var) => (var, false),
                _ => unreachable!("who meets others is at a `next`"),
            }
        };
        let Some(sender) = tasks.iter().rev().copied().find(|task| at(*task).1) else {
            return;
        };
        let from = Place::whole(at(sender).0);
        for task in tasks.iter().copied().filter(|task| *task != sender) {
            let to = Place::whole(at(task).0);
            let size = self.size(task, to.var);
            self.copy(store, (sender, &from), (task, &to), size);
        }
    }

    /// What a task's calls give back.
    fn join(&mut self, store: &mut Store, task: TaskId, pc: Pc) {
        let tree = self.tree;
        let node = tree.task(task);
        let Op::Par(calls, _) = &node.function.code[pc].op else {
            return;
        };
        let loud = &node.children[&pc];
        for (position, call) in calls.iter().enumerate() {
            if loud.iter().all(|(other, _)| *other != position) {
                self.forget_results(store, task, call);
            }
        }
        for (position, child) in loud {
            let call = &calls[*position];
            let function = &tree.task(*child).function;
            for (index, (arg, mode)) in call.args.iter().zip(&function.params).enumerate() {
                let from = Place::whole(VarId(index as u32));
                let to = match arg {
                    Arg::Reference(place) => place.clone(),
                    Arg::Channel(var) if *mode == Mode::Writer => Place::whole(*var),
                    _ => continue,
                };
                let size = self.size(*child, from.var);
                self.copy(store, (*child, &from), (task, &to), size);
            }
            if let (Some(place), Some(result)) = (&call.result, function.result) {
                let size = self.size(*child, result);
                self.copy(store, (*child, &Place::whole(result)), (task, place), size);
            }
        }
    }

    pub(super) fn forget_results(&mut self, store: &mut Store, task: TaskId, call: &Call) {
        for arg in &call.args {
            match arg {
                Arg::Reference(place) => self.forget(store, task, place.var),
                Arg::Channel(var) => self.forget(store, task, *var),
                _ => {}
            }
        }
        if let Some(place) = &call.result {
            self.forget(store, task, place.var);
        }
    }
}
