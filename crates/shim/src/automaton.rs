//! Task automata: what is left of a task when computation is abstracted away.
//!
//! A state is an entry, an exit, a `par` that waits for its children, or a `next` that waits for a
//! channel; what is computed between them vanishes, and a branch is a choice. What is known of the
//! data is a parameter ([`Values`]): knowing nothing gives the paper's automata, knowing more gives
//! larger ones with fewer choices. Both hold every behaviour of the task, because a branch is
//! dropped only if the known data exclude it.

use crate::ir::{ExceptionId, Instr, Op, Operand, Pc, id};
use crate::source::Span;
use crate::specialise::clobbered;
use crate::tree::{ChannelId, HandlerId, Task, TaskId, Tree};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

id!(
    /// A state of a task's automaton.
    StateId
);

/// Not started.
pub const ENTRY: StateId = StateId(0);
/// At its end.
pub const EXIT: StateId = StateId(1);

/// What is known of a task's data at a point of its code.
///
/// ```
/// use impasse_shim::automaton::{Automaton, Unknown};
/// use impasse_shim::{elaborate, tree::TaskId};
///
/// // Nothing is known of the data: each condition may be true or false.
/// let (_, tree) = elaborate("empty.shim", "void main() {}").unwrap();
/// assert!(Automaton::build(&tree, TaskId(0), &Unknown, true, 100).is_some());
/// ```
pub trait Values {
    /// The knowledge.
    type Env: Clone + Eq + Hash;

    /// Returns what is known at the start of a task.
    fn start(&self) -> Self::Env;

    /// Updates what is known by an instruction that does not branch.
    fn execute(&self, env: &mut Self::Env, pc: Pc, instr: &Instr);

    /// Adds that a condition is true or false. Returns false if that cannot be.
    fn decide(&self, env: &mut Self::Env, pc: Pc, condition: &Operand, truth: bool) -> bool;

    /// Drops what cannot matter at an instruction.
    fn forget(&self, env: &mut Self::Env, pc: Pc);
}

/// Nothing is known: the paper's abstraction.
pub struct Unknown;

impl Values for Unknown {
    type Env = ();

    fn start(&self) {}

    fn execute(&self, (): &mut (), _: Pc, _: &Instr) {}

    fn decide(&self, (): &mut (), _: Pc, _: &Operand, _: bool) -> bool {
        true
    }

    fn forget(&self, (): &mut (), _: Pc) {}
}

/// The automaton of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    /// Its states; the first two are entry and exit.
    pub states: Vec<State>,
}

/// A state of a task's automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What the task waits for.
    pub kind: Kind,
    /// The instruction, where there is one.
    pub pc: Pc,
    /// Its place in the program.
    pub span: Span,
    /// Where the task may go when the wait is over.
    pub next: Vec<Edge>,
    /// Where it may go when an exception comes from below.
    pub caught: Vec<(HandlerId, Vec<Edge>)>,
}

/// What a task waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// To be started.
    Entry,
    /// For its siblings to end.
    Exit,
    /// For these children to end.
    Par(Vec<TaskId>),
    /// For a rendezvous on a channel, to send or to receive.
    Wait(ChannelId, bool),
    /// For nothing: it computes forever.
    Spin,
    /// For nothing: it is amid a computation, and continues.
    Compute,
    /// For what never comes: it stands for a group of tasks that is stuck.
    Stuck,
    /// For its siblings to end, having been left by an exception.
    Thrown(HandlerId),
}

/// A path between two communications.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it ends.
    pub to: StateId,
    /// The branches taken on it.
    pub decisions: Vec<Decision>,
}

/// A branch taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Decision {
    /// The condition.
    pub span: Span,
    /// Whether it was true.
    pub taken: bool,
}

impl Automaton {
    /// Returns the automaton of a task, or `None` if it needs more than `limit` steps of unfolding.
    ///
    /// Without `exceptions`, a throw that leaves the task is treated as its end, as the paper does.
    pub fn build<V: Values>(
        tree: &Tree,
        id: TaskId,
        values: &V,
        exceptions: bool,
        limit: usize,
    ) -> Option<Automaton> {
        let task = tree.task(id);
        let mut builder = Builder {
            tree,
            task,
            values,
            exceptions,
            budget: limit,
            states: Vec::new(),
            envs: Vec::new(),
            known: FxHashMap::default(),
        };
        for kind in [Kind::Entry, Kind::Exit] {
            builder.states.push(State {
                kind,
                pc: 0,
                span: task.function.span,
                next: Vec::new(),
                caught: Vec::new(),
            });
            builder.envs.push(values.start());
        }
        if exceptions {
            for handler in tree.handlers_around(id) {
                builder.thrown(handler);
            }
        }
        builder.states[0].next = builder.edges(0, values.start())?;
        let mut next = 2;
        while next < builder.states.len() {
            builder.expand(next)?;
            next += 1;
        }
        Some(Automaton {
            states: builder.states,
        })
    }

    /// Returns a state. Panics if there is none with this number.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }
}

struct Builder<'a, V: Values> {
    tree: &'a Tree,
    task: &'a Task,
    values: &'a V,
    exceptions: bool,
    budget: usize,
    states: Vec<State>,
    envs: Vec<V::Env>,
    known: FxHashMap<(Kind, Pc, V::Env), StateId>,
}

impl<V: Values> Builder<'_, V> {
    fn expand(&mut self, index: usize) -> Option<()> {
        let State { kind, pc, .. } = self.states[index].clone();
        let instr = self.task.function.code.get(pc);
        match (kind, instr) {
            (Kind::Wait(..), Some(instr)) => {
                let mut env = self.envs[index].clone();
                self.values.execute(&mut env, pc, instr);
                self.states[index].next = self.edges(pc + 1, env)?;
            }
            (Kind::Par(children), Some(instr)) => {
                let mut env = self.envs[index].clone();
                self.values.execute(&mut env, pc, instr);
                let mut next = self.edges(pc + 1, env.clone())?;
                if self.exceptions {
                    self.states[index].caught = self.caught(pc, &children, &env)?;
                } else if let Op::Par(_, handlers) = &instr.op {
                    for (exception, target) in handlers.clone() {
                        if self.may_throw(&children, exception) {
                            self.edges(target, env.clone())?
                                .into_iter()
                                .for_each(|edge| add(&mut next, edge));
                        }
                    }
                }
                self.states[index].next = next;
            }
            _ => {}
        }
        Some(())
    }

    fn may_throw(&self, children: &[TaskId], exception: ExceptionId) -> bool {
        children
            .iter()
            .any(|child| self.tree.task(*child).handlers.contains_key(&exception))
    }

    fn caught(
        &mut self,
        pc: Pc,
        children: &[TaskId],
        env: &V::Env,
    ) -> Option<Vec<(HandlerId, Vec<Edge>)>> {
        let mut caught = Vec::new();
        for id in children
            .first()
            .map_or(Vec::new(), |child| self.tree.handlers_around(*child))
        {
            let handler = self.tree.handlers[id.index()];
            let here = std::ptr::eq(self.tree.task(handler.task), self.task) && handler.site == pc;
            let edges = if here {
                self.edges(handler.target, env.clone())?
            } else {
                vec![Edge {
                    to: self.thrown(id),
                    decisions: Vec::new(),
                }]
            };
            caught.push((id, edges));
        }
        Some(caught)
    }

    fn thrown(&mut self, handler: HandlerId) -> StateId {
        self.state(Kind::Thrown(handler), 0, self.values.start())
    }

    fn state(&mut self, kind: Kind, pc: Pc, env: V::Env) -> StateId {
        let key = (kind, pc, env);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = StateId(self.states.len() as u32);
        let span = self
            .task
            .function
            .code
            .get(pc)
            .map_or(self.task.function.span, |instr| instr.span);
        self.states.push(State {
            kind: key.0.clone(),
            pc,
            span,
            next: Vec::new(),
            caught: Vec::new(),
        });
        self.envs.push(key.2.clone());
        self.known.insert(key, id);
        id
    }

    /// The next communications from a point of the code, each with the fewest branches to it.
    fn edges(&mut self, pc: Pc, env: V::Env) -> Option<Vec<Edge>> {
        let mut edges: Vec<Edge> = Vec::new();
        let mut seen: FxHashMap<(Pc, V::Env), ()> = FxHashMap::default();
        let mut work = VecDeque::from([(pc, env, Vec::new())]);
        while let Some((pc, mut env, decisions)) = work.pop_front() {
            self.values.forget(&mut env, pc);
            self.budget = self.budget.checked_sub(1)?;
            let instr = self.task.function.code.get(pc);
            let branching = matches!(
                instr,
                Some(Instr {
                    op: Op::If(..) | Op::Goto(_),
                    ..
                })
            );
            if branching && seen.insert((pc, env.clone()), ()).is_some() {
                continue;
            }
            let stop = match instr.map(|instr| &instr.op) {
                None | Some(Op::Return) => Some(EXIT),
                Some(Op::Send(var)) => {
                    Some(self.state(Kind::Wait(self.task.channel(*var), true), pc, env.clone()))
                }
                Some(Op::Receive(var)) => {
                    Some(self.state(Kind::Wait(self.task.channel(*var), false), pc, env.clone()))
                }
                Some(Op::Throw(_)) if !self.exceptions => Some(EXIT),
                Some(Op::Throw(exception)) => Some(self.thrown(self.task.handlers[exception])),
                Some(Op::Par(..)) if self.task.children.contains_key(&pc) => {
                    let children = self.task.children[&pc]
                        .iter()
                        .map(|(_, child)| *child)
                        .collect();
                    Some(self.state(Kind::Par(children), pc, env.clone()))
                }
                _ => None,
            };
            match (stop, instr) {
                (Some(to), _) => add(&mut edges, Edge { to, decisions }),
                (None, Some(instr)) => self.proceed(pc, instr, env, decisions, &mut work),
                (None, None) => {}
            }
        }
        if edges.is_empty() {
            let env = self.values.start();
            let to = self.state(Kind::Spin, pc, env);
            edges.push(Edge {
                to,
                decisions: Vec::new(),
            });
        }
        Some(edges)
    }

    fn proceed(
        &self,
        pc: Pc,
        instr: &Instr,
        mut env: V::Env,
        decisions: Vec<Decision>,
        work: &mut VecDeque<(Pc, V::Env, Vec<Decision>)>,
    ) {
        match &instr.op {
            Op::Goto(target) => work.push_back((*target, env, decisions)),
            Op::If(condition, when, target) => {
                for truth in [true, false] {
                    let mut env = env.clone();
                    if self.values.decide(&mut env, pc, condition, truth) {
                        let mut decisions = decisions.clone();
                        decisions.push(Decision {
                            span: instr.span,
                            taken: truth,
                        });
                        work.push_back((
                            if truth == *when { *target } else { pc + 1 },
                            env,
                            decisions,
                        ));
                    }
                }
            }
            _ => {
                self.values.execute(&mut env, pc, instr);
                work.push_front((pc + 1, env, decisions));
            }
        }
    }
}

fn add(edges: &mut Vec<Edge>, edge: Edge) {
    if edges.iter().all(|other| other.to != edge.to) {
        edges.push(edge);
    }
}

/// Returns the variables that the children of an instruction may change. Implementations of
/// [`Values`] use it.
pub fn changed_by(instr: &Instr) -> Vec<crate::ir::VarId> {
    clobbered(&instr.op)
}
