//! Tasks as blocks of code between the places where they wait.
//!
//! A block is one path, so that its conditions are a conjunction and its assignments one
//! substitution. Loops that can go round without communicating are cut at one of their
//! instructions, where the task is said to compute on.

use crate::automaton::{Automaton, Decision, EXIT, Edge, Kind, State, StateId};
use crate::instance::successors;
use crate::ir::{Function, Op, Pc};
use crate::network::Network;
use crate::tree::{HandlerId, Task, TaskId, Tree};
use rustc_hash::FxHashMap;

/// A step of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An instruction is executed.
    Execute(Pc),
    /// A condition is found true, or false.
    Decide(Pc, bool),
}

/// A path through the code.
pub(super) type Block = Vec<Step>;

/// A task whose blocks are more than this is not looked into.
const MAX_BLOCKS: usize = 600;
/// A block may not be longer.
const MAX_LENGTH: usize = 4_000;

/// The blocks of all tasks, and the network that they make.
pub(super) struct Blocks {
    /// Each path of each automaton is one block.
    pub(super) network: Network,
    /// By task and state, in the order of the paths from there.
    paths: Vec<Vec<Vec<Block>>>,
    /// By task, state and handler, in the order of the paths from there.
    caught: FxHashMap<(TaskId, StateId, HandlerId), Vec<Block>>,
    /// By task and state, which variables are alive.
    alive: Vec<Vec<Vec<bool>>>,
}

impl Blocks {
    /// Takes the tasks of a program apart; none if one of them has too many paths.
    pub(super) fn new(tree: &Tree) -> Option<Blocks> {
        let mut automata = Vec::new();
        let mut blocks = Blocks {
            network: Network::new(tree, Vec::new()),
            paths: Vec::new(),
            caught: FxHashMap::default(),
            alive: Vec::new(),
        };
        for id in tree.ids() {
            let task = tree.task(id);
            let mut unfolding = Unfolding::new(tree, id);
            unfolding.unfold()?;
            let live = crate::data::liveness(task);
            let states = unfolding.states.iter();
            let alive = states.map(|state| alive_at(state, task, &live));
            blocks.alive.push(alive.collect());
            blocks.paths.push(unfolding.paths);
            for ((state, handler), caught) in unfolding.caught {
                blocks.caught.insert((id, state, handler), caught);
            }
            automata.push(Automaton {
                states: unfolding.states,
            });
        }
        blocks.network = Network::new(tree, automata);
        Some(blocks)
    }

    /// The block of a path.
    pub(super) fn path(&self, task: TaskId, from: StateId, index: usize) -> &Block {
        &self.paths[task.index()][from.index()][index]
    }

    /// The block of a path from a handler, or `None` if the exception goes further up.
    pub(super) fn handler(
        &self,
        task: TaskId,
        from: StateId,
        handler: HandlerId,
        index: usize,
    ) -> Option<&Block> {
        self.caught.get(&(task, from, handler))?.get(index)
    }

    /// The variables that may be read before they are overwritten.
    pub(super) fn alive(&self, task: TaskId, state: StateId) -> &[bool] {
        &self.alive[task.index()][state.index()]
    }
}

fn alive_at(state: &State, task: &Task, live: &[Vec<bool>]) -> Vec<bool> {
    match state.kind {
        Kind::Entry => vec![false; task.function.vars.len()],
        Kind::Exit | Kind::Thrown(_) => live[task.function.code.len()].clone(),
        _ => live[state.pc].clone(),
    }
}

/// Outgoing edges, each with its block.
type Outgoing = (Vec<Edge>, Vec<Block>);

struct Unfolding<'a> {
    tree: &'a Tree,
    id: TaskId,
    task: &'a Task,
    cuts: Vec<bool>,
    states: Vec<State>,
    paths: Vec<Vec<Block>>,
    caught: Vec<((StateId, HandlerId), Vec<Block>)>,
    known: FxHashMap<(Kind, Pc), StateId>,
    count: usize,
}

impl<'a> Unfolding<'a> {
    fn new(tree: &'a Tree, id: TaskId) -> Unfolding<'a> {
        let task = tree.task(id);
        Unfolding {
            tree,
            id,
            task,
            cuts: cuts(task),
            states: Vec::new(),
            paths: Vec::new(),
            caught: Vec::new(),
            known: FxHashMap::default(),
            count: 0,
        }
    }

    fn unfold(&mut self) -> Option<()> {
        self.state(Kind::Entry, 0);
        self.state(Kind::Exit, 0);
        for handler in self.tree.handlers_around(self.id) {
            self.state(Kind::Thrown(handler), 0);
        }
        let mut next = 0;
        while next < self.states.len() {
            let State { kind, pc, .. } = self.states[next].clone();
            let (edges, blocks) = match kind {
                Kind::Entry | Kind::Compute => self.outgoing(pc)?,
                Kind::Wait(..) => self.outgoing(pc + 1)?,
                Kind::Par(children) => {
                    self.handlers(StateId(next as u32), pc, &children)?;
                    self.outgoing(pc + 1)?
                }
                _ => (Vec::new(), Vec::new()),
            };
            self.states[next].next = edges;
            self.paths[next] = blocks;
            next += 1;
        }
        Some(())
    }

    fn handlers(&mut self, state: StateId, pc: Pc, children: &[TaskId]) -> Option<()> {
        let around = children
            .first()
            .map_or(Vec::new(), |child| self.tree.handlers_around(*child));
        for id in around {
            let handler = self.tree.handlers[id.index()];
            let edges = if handler.task == self.id && handler.site == pc {
                let (edges, blocks) = self.outgoing(handler.target)?;
                self.caught.push(((state, id), blocks));
                edges
            } else {
                let to = self.state(Kind::Thrown(id), 0);
                vec![Edge {
                    to,
                    decisions: Vec::new(),
                }]
            };
            self.states[state.index()].caught.push((id, edges));
        }
        Some(())
    }

    fn state(&mut self, kind: Kind, pc: Pc) -> StateId {
        if let Some(id) = self.known.get(&(kind.clone(), pc)) {
            return *id;
        }
        let id = StateId(self.states.len() as u32);
        let function = &self.task.function;
        let span = function
            .code
            .get(pc)
            .map_or(function.span, |instr| instr.span);
        self.known.insert((kind.clone(), pc), id);
        self.states.push(State {
            kind,
            pc,
            span,
            next: Vec::new(),
            caught: Vec::new(),
        });
        self.paths.push(Vec::new());
        id
    }

    /// The state at an instruction where the task does not simply continue.
    fn stop(&mut self, pc: Pc) -> Option<StateId> {
        let task = self.task;
        let kind = match task.function.code.get(pc).map(|instr| &instr.op) {
            None | Some(Op::Return) => return Some(EXIT),
            Some(Op::Send(var)) => Kind::Wait(task.channel(*var), true),
            Some(Op::Receive(var)) => Kind::Wait(task.channel(*var), false),
            Some(Op::Throw(exception)) => {
                return Some(self.state(Kind::Thrown(task.handlers[exception]), 0));
            }
            Some(Op::Par(..)) => {
                let children = task.children.get(&pc)?;
                Kind::Par(children.iter().map(|(_, child)| *child).collect())
            }
            _ => return None,
        };
        Some(self.state(kind, pc))
    }

    fn outgoing(&mut self, start: Pc) -> Option<Outgoing> {
        let task = self.task;
        let (mut edges, mut blocks) = (Vec::new(), Vec::new());
        let mut work: Vec<(Pc, bool, Block, Vec<Decision>)> =
            vec![(start, false, Vec::new(), Vec::new())];
        while let Some((pc, moved, mut block, decisions)) = work.pop() {
            let stop = match self.stop(pc) {
                None if moved && self.cuts[pc] => Some(self.state(Kind::Compute, pc)),
                stop => stop,
            };
            if let Some(to) = stop {
                self.count += 1;
                if self.count > MAX_BLOCKS {
                    return None;
                }
                edges.push(Edge { to, decisions });
                blocks.push(block);
                continue;
            }
            if block.len() > MAX_LENGTH {
                return None;
            }
            let instr = &task.function.code[pc];
            match &instr.op {
                Op::Goto(target) => work.push((*target, true, block, decisions)),
                Op::If(_, when, target) => {
                    for taken in [false, true] {
                        let (mut block, mut decisions) = (block.clone(), decisions.clone());
                        block.push(Step::Decide(pc, taken));
                        decisions.push(Decision {
                            span: instr.span,
                            taken,
                        });
                        let to = if taken == *when { *target } else { pc + 1 };
                        work.push((to, true, block, decisions));
                    }
                }
                _ => {
                    block.push(Step::Execute(pc));
                    work.push((pc + 1, true, block, decisions));
                }
            }
        }
        Some((edges, blocks))
    }
}

/// Instructions that lie on every cycle without communication: a walk along such paths never
/// returns to itself but at one of them.
fn cuts(task: &Task) -> Vec<bool> {
    let function: &Function = &task.function;
    let count = function.code.len();
    let speaks = |pc: Pc| match &function.code[pc].op {
        Op::Send(_) | Op::Receive(_) => true,
        Op::Par(..) => task.children.contains_key(&pc),
        _ => false,
    };
    let mut cuts = vec![false; count + 1];
    let mut seen = vec![false; count];
    let mut on_path = vec![false; count];
    for start in 0..count {
        let mut stack = vec![(start, false)];
        while let Some((pc, done)) = stack.pop() {
            if done {
                on_path[pc] = false;
                continue;
            }
            if seen[pc] {
                cuts[pc] |= on_path[pc];
                continue;
            }
            seen[pc] = true;
            if speaks(pc) {
                continue;
            }
            on_path[pc] = true;
            stack.push((pc, true));
            for next in successors(function, pc).into_iter().filter(|n| *n < count) {
                if on_path[next] {
                    cuts[next] = true;
                } else if !seen[next] {
                    stack.push((next, false));
                }
            }
        }
    }
    cuts
}
