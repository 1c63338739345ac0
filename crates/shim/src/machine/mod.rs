//! Runs programs.
//!
//! SHIM is deterministic, so one schedule shows what a program does. Tasks run one after another
//! until they wait; ready channels fire in the order in which they became ready. A run that comes
//! back to a state in which it was before will run forever, and is stopped with that answer.

mod calls;
mod endless;
mod exceptions;
mod execute;
mod frame;
mod places;
mod shadow;

use crate::automaton::Kind;
use crate::ir::{Function, Op, Pc, Program};
use crate::network::agrees;
use crate::source::Span;
use crate::tree::{ChannelId, HandlerId, TaskId, Tree};
use frame::{Frame, Layout};
pub use shadow::{Cell, Shadow};
use std::collections::VecDeque;

/// A rendezvous that took place.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The channel.
    pub channel: ChannelId,
    /// Who met, where, and whether it sent.
    pub tasks: Vec<(TaskId, Span, bool)>,
    /// The first numbers of the value.
    pub value: Vec<i64>,
    /// Whether it took place as an exception.
    pub poisoned: bool,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// `main` has ended.
    Finished,
    /// No task can continue.
    Deadlock,
    /// It runs forever.
    Forever(Endless),
    /// An operation has no result.
    Failed(Span, String),
    /// The limit was reached.
    OutOfSteps,
}

impl Ending {
    /// Returns whether an ending differs from another one in numbers at most.
    pub fn is_like(&self, other: &Ending) -> bool {
        match (self, other) {
            (Ending::Failed(one, _), Ending::Failed(other, _)) => one == other,
            _ => self == other,
        }
    }
}

/// What a run that never ends comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Endless {
    /// Tasks that wait and never move again.
    pub waiting: Vec<TaskId>,
    /// Tasks that compute forever without communicating.
    pub computing: Vec<Computing>,
}

/// A task that computes forever, by itself or in a branch without communication.
#[derive(Clone, PartialEq, Debug)]
pub struct Computing {
    /// The task.
    pub task: TaskId,
    /// Where.
    pub span: Span,
    /// The loops that it may be in.
    pub loops: Vec<Span>,
}

impl Computing {
    fn new(task: TaskId, function: &Function, pc: Pc) -> Computing {
        let around = function
            .loops
            .iter()
            .filter(|l| (l.head..l.end).contains(&pc));
        Computing {
            task,
            span: function.code.get(pc).map_or(function.span, |i| i.span),
            loops: around.map(|l| l.span).collect(),
        }
    }
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// Instructions executed.
    pub steps: u64,
    /// Each rendezvous, the first ones if there were very many.
    pub meetings: Vec<Meeting>,
    /// How many rendezvous there were.
    pub rendezvous: u64,
    /// Where everyone was at the end.
    pub last: Vec<(Kind, Span)>,
    /// For each channel and task, the first rendezvous at which it met no task although others are
    /// connected.
    pub alone: Vec<(ChannelId, TaskId, Span)>,
}

/// More rendezvous than this are not recorded.
const MAX_MEETINGS: usize = 20_000;

/// Runs a program for at most `steps` instructions.
pub fn run<S: Shadow>(
    program: &Program,
    tree: &Tree,
    arguments: &[Vec<Cell<S::Term>>],
    shadow: &mut S,
    steps: u64,
) -> Run {
    let mut machine = Machine::new(program, tree, shadow, steps);
    let ending = machine.run(arguments).unwrap_or_else(|stop| stop);
    let last = tree
        .ids()
        .map(|task| (machine.kinds[task.index()].clone(), machine.place(task)));
    let last = last.collect();
    Run {
        ending,
        steps: steps - machine.fuel,
        last,
        meetings: machine.meetings,
        rendezvous: machine.rendezvous,
        alone: machine.alone,
    }
}

/// A machine at work.
struct Machine<'a, S: Shadow> {
    tree: &'a Tree,
    shadow: &'a mut S,
    layouts: Vec<Layout>,
    frames: Vec<Option<Frame<S::Term>>>,
    /// Branches without communication of a `par` that a task is at, with their positions.
    quiet: Vec<Vec<(usize, Frame<S::Term>)>>,
    kinds: Vec<Kind>,
    ready: VecDeque<ChannelId>,
    inputs: Vec<u32>,
    fuel: u64,
    meetings: Vec<Meeting>,
    rendezvous: u64,
    moved_at: Vec<u64>,
    computing: Vec<Computing>,
    alone: Vec<(ChannelId, TaskId, Span)>,
}

/// A state to compare later ones with.
struct Snapshot<T> {
    frames: Vec<Option<Frame<T>>>,
    quiet: Vec<Vec<(usize, Frame<T>)>>,
    kinds: Vec<Kind>,
    ready: VecDeque<ChannelId>,
    inputs: Vec<u32>,
    at: u64,
}

/// Either what was asked for, or the end of the run.
type Step<T> = Result<T, Ending>;

impl<'a, S: Shadow> Machine<'a, S> {
    fn new(program: &'a Program, tree: &'a Tree, shadow: &'a mut S, fuel: u64) -> Self {
        let count = tree.tasks.len();
        Machine {
            tree,
            shadow,
            layouts: tree
                .instances
                .iter()
                .map(|i| Layout::new(program, &i.function))
                .collect(),
            frames: vec![None; count],
            quiet: vec![Vec::new(); count],
            kinds: vec![Kind::Entry; count],
            ready: VecDeque::new(),
            inputs: vec![0; count],
            fuel,
            meetings: Vec::new(),
            rendezvous: 0,
            moved_at: vec![0; count],
            computing: Vec::new(),
            alone: Vec::new(),
        }
    }

    fn place(&self, task: TaskId) -> Span {
        let function = &self.tree.task(task).function;
        let pc = self.frames[task.index()]
            .as_ref()
            .map_or(0, |frame| frame.pc);
        function
            .code
            .get(pc)
            .map_or(function.span, |instr| instr.span)
    }

    fn run(&mut self, arguments: &[Vec<Cell<S::Term>>]) -> Step<Ending> {
        let root = self.tree.task(TaskId(0)).instance;
        let mut frame = self.layouts[root.index()].frame(root);
        for (index, argument) in arguments.iter().enumerate() {
            let base = self.layouts[root.index()].bases[index] as usize;
            frame.cells[base..base + argument.len()].copy_from_slice(argument);
        }
        self.frames[0] = Some(frame);
        self.resume(TaskId(0))?;
        let mut snapshot: Option<Snapshot<S::Term>> = None;
        let mut distance = 16;
        loop {
            if self.kinds[0] == Kind::Exit {
                return Ok(Ending::Finished);
            }
            let Some(channel) = self.ready.pop_front() else {
                if self.poison()? {
                    continue;
                }
                return Ok(if self.computing.is_empty() {
                    Ending::Deadlock
                } else {
                    self.endless(self.rendezvous + 1)
                });
            };
            if !self.is_ready(channel) {
                continue;
            }
            if self.shadow.enough() {
                return Err(Ending::OutOfSteps);
            }
            if let Some(old) = &snapshot
                && self.same(old, channel)
            {
                return Ok(self.endless(old.at));
            }
            if snapshot
                .as_ref()
                .is_none_or(|old| self.rendezvous - old.at >= distance)
            {
                distance = if snapshot.is_some() {
                    distance * 2
                } else {
                    distance
                };
                snapshot = Some(self.snapshot(channel));
            }
            self.meet(channel)?;
        }
    }

    fn snapshot(&self, next: ChannelId) -> Snapshot<S::Term> {
        let mut ready = self.ready.clone();
        ready.push_front(next);
        Snapshot {
            frames: self.frames.clone(),
            quiet: self.quiet.clone(),
            kinds: self.kinds.clone(),
            ready,
            inputs: self.inputs.clone(),
            at: self.rendezvous,
        }
    }

    fn same(&self, old: &Snapshot<S::Term>, next: ChannelId) -> bool {
        old.ready.front() == Some(&next)
            && old.kinds == self.kinds
            && old.inputs == self.inputs
            && old.ready.iter().skip(1).eq(self.ready.iter())
            && old.frames == self.frames
            && old.quiet == self.quiet
    }

    /// The ending in which those wait forever that have not moved since so many rendezvous.
    fn endless(&self, since: u64) -> Ending {
        let waits = |task: &TaskId| matches!(self.kinds[task.index()], Kind::Wait(..));
        let waiting = self
            .tree
            .ids()
            .filter(waits)
            .filter(|task| self.moved_at[task.index()] < since)
            .collect();
        Ending::Forever(Endless {
            waiting,
            computing: self.computing.clone(),
        })
    }

    fn holds(&self, task: TaskId, channel: ChannelId) -> bool {
        self.tree.channels[channel.index()]
            .tasks
            .binary_search(&task)
            .is_ok()
    }

    fn agrees(&self, task: TaskId, channel: ChannelId) -> bool {
        let running = |task: TaskId| !matches!(self.kinds[task.index()], Kind::Entry | Kind::Exit);
        agrees(&self.kinds[task.index()], channel, |child| {
            running(child) && self.holds(child, channel)
        })
    }

    fn is_ready(&self, channel: ChannelId) -> bool {
        let tasks = &self.tree.channels[channel.index()].tasks;
        let waits =
            |task: &TaskId| matches!(self.kinds[task.index()], Kind::Wait(c, _) if c == channel);
        tasks.iter().any(waits) && tasks.iter().all(|task| self.agrees(*task, channel))
    }

    fn check(&mut self, channel: ChannelId) {
        if self.is_ready(channel) && !self.ready.contains(&channel) {
            self.ready.push_back(channel);
        }
    }

    fn check_channels_of(&mut self, task: TaskId) {
        let channels: Vec<ChannelId> = self
            .tree
            .task(task)
            .channels
            .iter()
            .flatten()
            .copied()
            .collect();
        channels.into_iter().for_each(|channel| self.check(channel));
    }

    /// Everyone that waits for a channel meets and continues.
    fn meet(&mut self, channel: ChannelId) -> Step<()> {
        let mut tasks = Vec::new();
        let mut sender = None;
        for task in &self.tree.channels[channel.index()].tasks {
            if let Kind::Wait(waited, sends) = self.kinds[task.index()]
                && waited == channel
            {
                tasks.push((*task, self.place(*task), sends));
                sender = if sends { Some(*task) } else { sender };
            }
        }
        let from = sender.unwrap_or(tasks[0].0);
        let value = self.channel_value(from, channel).to_vec();
        for (task, ..) in tasks
            .iter()
            .filter(|(task, ..)| *task != from && sender.is_some())
        {
            self.channel_value(*task, channel).copy_from_slice(&value);
        }
        self.record(channel, &tasks, &value);
        for (task, ..) in &tasks {
            let frame = self.frames[task.index()]
                .as_mut()
                .expect("who waits has a frame");
            frame.pc += 1;
            self.kinds[task.index()] = Kind::Spin;
            self.moved_at[task.index()] = self.rendezvous;
        }
        tasks.iter().try_for_each(|(task, ..)| self.resume(*task))
    }

    fn record(
        &mut self,
        channel: ChannelId,
        tasks: &[(TaskId, Span, bool)],
        value: &[Cell<S::Term>],
    ) {
        self.rendezvous += 1;
        if let [(only, span, _)] = tasks[..]
            && self
                .alone
                .iter()
                .all(|(known, task, _)| (*known, *task) != (channel, only))
            && self.tree.channels[channel.index()]
                .tasks
                .iter()
                .any(|t| !self.tree.is_under(only, *t) && *t != only)
        {
            self.alone.push((channel, only, span));
        }
        if self.meetings.len() < MAX_MEETINGS {
            let value = value.iter().take(8).map(|cell| cell.value).collect();
            self.meetings.push(Meeting {
                channel,
                tasks: tasks.to_vec(),
                value,
                poisoned: false,
            });
        }
    }

    fn channel_value(&mut self, task: TaskId, channel: ChannelId) -> &mut [Cell<S::Term>] {
        let node = self.tree.task(task);
        let var = node
            .channels
            .iter()
            .position(|c| *c == Some(channel))
            .expect("a connected task has the channel");
        let layout = &self.layouts[node.instance.index()];
        let (base, size) = (layout.bases[var] as usize, layout.sizes[var] as usize);
        let frame = self.frames[task.index()]
            .as_mut()
            .expect("who waits has a frame");
        &mut frame.cells[base..base + size]
    }

    /// Runs a task until it waits, and starts or ends what follows from it.
    fn resume(&mut self, task: TaskId) -> Step<()> {
        let mut work = vec![task];
        while let Some(task) = work.pop() {
            let mut frame = self.frames[task.index()]
                .take()
                .expect("who runs has a frame");
            let stop = self.execute(task, &mut frame);
            let pc = frame.pc;
            self.frames[task.index()] = Some(frame);
            match stop? {
                execute::Stop::Wait(channel, sends) => {
                    self.kinds[task.index()] = Kind::Wait(channel, sends);
                    self.check(channel);
                }
                execute::Stop::Par => work.extend(self.start_children(task, pc)?.into_iter().rev()),
                execute::Stop::End => {
                    self.kinds[task.index()] = Kind::Exit;
                    self.check_channels_of(task);
                    work.extend(self.join(task));
                }
                execute::Stop::Never => {
                    self.kinds[task.index()] = Kind::Spin;
                    let function = &self.tree.task(task).function;
                    self.computing.push(Computing::new(task, function, pc));
                }
                execute::Stop::Throw(exception) => {
                    self.kinds[task.index()] =
                        Kind::Thrown(self.tree.task(task).handlers[&exception]);
                    work.extend(self.join(task));
                }
            }
        }
        Ok(())
    }

    fn start_children(&mut self, task: TaskId, pc: Pc) -> Step<Vec<TaskId>> {
        let node = self.tree.task(task);
        let children = &node.children[&pc];
        let Op::Par(calls, _) = &node.function.code[pc].op else {
            return Ok(Vec::new());
        };
        let frame = self.frames[task.index()]
            .take()
            .expect("who runs has a frame");
        let instances = &self.tree.instances[node.instance.index()].calls[&pc];
        let mut built = Vec::new();
        for (call, instance) in calls.iter().zip(instances) {
            built.push(Some(self.callee(&frame, node.instance, call, *instance)?));
        }
        self.frames[task.index()] = Some(frame);
        for (position, child) in children {
            self.frames[child.index()] = built[*position].take();
        }
        for (position, frame) in built.into_iter().enumerate() {
            let Some(mut frame) = frame else { continue };
            if self.execute_quiet(task, &mut frame)? == execute::Quiet::Never {
                let function = &self.tree.instances[frame.instance.index()].function;
                self.computing
                    .push(Computing::new(task, function, frame.pc));
            }
            self.quiet[task.index()].push((position, frame));
        }
        let children: Vec<TaskId> = children.iter().map(|(_, child)| *child).collect();
        // Nobody is ready to meet before all have started: each counts as running from now on.
        children
            .iter()
            .for_each(|child| self.kinds[child.index()] = Kind::Spin);
        self.kinds[task.index()] = Kind::Par(children.clone());
        Ok(children)
    }

    /// After a task has ended or was left: its parent continues if it was the last. Gives the
    /// parent.
    fn join(&mut self, task: TaskId) -> Option<TaskId> {
        let (parent, pc, _) = self.tree.task(task).parent?;
        // One of the branches without communication computes forever.
        if self.computing.iter().any(|c| c.task == parent) {
            return None;
        }
        let siblings = &self.tree.task(parent).children[&pc];
        let mut thrown: Option<HandlerId> = None;
        for (_, sibling) in siblings {
            match self.kinds[sibling.index()] {
                Kind::Exit => {}
                Kind::Thrown(handler) => {
                    thrown = Some(thrown.map_or(handler, |other| self.tree.outer(other, handler)))
                }
                _ => return None,
            }
        }
        self.copy_back(parent, pc);
        for (_, sibling) in siblings {
            self.kinds[sibling.index()] = Kind::Entry;
            self.frames[sibling.index()] = None;
        }
        self.moved_at[parent.index()] = self.rendezvous;
        self.kinds[parent.index()] = Kind::Spin;
        let frame = self.frames[parent.index()]
            .as_mut()
            .expect("a parent has a frame");
        frame.pc = pc + 1;
        if let Some(id) = thrown {
            let handler = self.tree.handlers[id.index()];
            if handler.task != parent || handler.site != pc {
                frame.pc = pc;
                self.kinds[parent.index()] = Kind::Thrown(id);
                return self.join(parent);
            }
            frame.pc = handler.target;
        }
        Some(parent)
    }
}
