//! The tree of tasks: every call of a function that communicates is a task of its own, and every
//! declared channel of every task is a channel of its own.

use crate::diagnostic::Diagnostic;
use crate::instance::{Instance, InstanceId};
use crate::ir::{Arg, ExceptionId, Function, Mode, Op, Pc, Program, VarId, id};
use crate::source::Span;
use crate::specialise::specialise;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

id!(
    /// A task.
    TaskId
);
id!(
    /// A channel.
    ChannelId
);
id!(
    /// A handler that an exception can reach from another task.
    HandlerId
);

/// A tree may not have more tasks than this.
const MAX_TASKS: usize = 20_000;

/// A task: one call of a function, or one branch of a `par`.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name, unique in the tree.
    pub name: String,
    /// What it runs.
    pub instance: InstanceId,
    /// Its code.
    pub function: Rc<Function>,
    /// Who runs it, at which instruction, as which call of it.
    pub parent: Option<(TaskId, Pc, usize)>,
    /// The channel behind each variable.
    pub channels: Vec<Option<ChannelId>>,
    /// The tasks that each instruction runs, with their positions among the calls.
    pub children: BTreeMap<Pc, Vec<(usize, TaskId)>>,
    /// Where its exceptions go that leave it.
    pub handlers: HashMap<ExceptionId, HandlerId>,
    /// How many tasks are above.
    pub depth: u32,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name, unique in the tree.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The tasks connected to it, from the root down.
    pub tasks: Vec<TaskId>,
    /// Whether some task communicates on it.
    pub used: bool,
}

/// Where an exception from another task is handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// Whose handler it is.
    pub task: TaskId,
    /// The instruction inside the `try` that runs the other tasks.
    pub site: Pc,
    /// How many handlers of the instruction are further in.
    pub rank: usize,
    /// Where it begins.
    pub target: Pc,
    /// What is caught.
    pub exception: ExceptionId,
}

/// All tasks and channels of a program.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Specialised functions.
    pub instances: Vec<Instance>,
    /// Tasks; the first is `main`.
    pub tasks: Vec<Task>,
    /// Channels.
    pub channels: Vec<Channel>,
    /// Handlers reached from other tasks.
    pub handlers: Vec<Handler>,
}

impl Tree {
    /// Returns the tree of tasks of a program. Fails with the diagnostics if the program recurs
    /// without bound, leaves an exception uncaught or is too large.
    pub fn new(program: &Program) -> Result<Tree, Vec<Diagnostic>> {
        let instances = specialise(program)?;
        check_sizes(&instances).map_err(|error| vec![error])?;
        let mut builder = Builder {
            tree: Tree {
                instances,
                tasks: Vec::new(),
                channels: Vec::new(),
                handlers: Vec::new(),
            },
            names: HashSet::new(),
            numbers: HashMap::new(),
        };
        builder.task(InstanceId(0), None, Vec::new());
        let mut next = 0;
        while next < builder.tree.tasks.len() {
            builder
                .children(TaskId(next as u32))
                .map_err(|error| vec![error])?;
            next += 1;
        }
        builder.exceptions();
        builder.tree.connect();
        Ok(builder.tree)
    }

    /// Returns a task.
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.index()]
    }

    /// Returns all tasks with their identities.
    pub fn ids(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.tasks.len() as u32).map(TaskId)
    }

    /// Returns whether exceptions pass between tasks.
    pub fn has_exceptions(&self) -> bool {
        !self.handlers.is_empty()
    }

    /// Returns whether `below` is `above` or one of its descendants.
    pub fn is_under(&self, below: TaskId, above: TaskId) -> bool {
        let mut at = below;
        while self.task(at).depth > self.task(above).depth {
            let Some((parent, ..)) = self.task(at).parent else {
                break;
            };
            at = parent;
        }
        at == above
    }

    /// Returns the handlers in other tasks whose `try` surrounds a task.
    pub fn handlers_around(&self, task: TaskId) -> Vec<HandlerId> {
        let around = |handler: &Handler| {
            let children = &self.task(handler.task).children[&handler.site];
            children
                .iter()
                .any(|(_, child)| self.is_under(task, *child))
        };
        (0..self.handlers.len() as u32)
            .map(HandlerId)
            .filter(|id| around(&self.handlers[id.index()]))
            .collect()
    }

    /// Returns the outer one of two handlers.
    pub fn outer(&self, a: HandlerId, b: HandlerId) -> HandlerId {
        let key = |id: HandlerId| {
            let handler = &self.handlers[id.index()];
            (
                std::cmp::Reverse(self.task(handler.task).depth),
                handler.rank,
                std::cmp::Reverse(id),
            )
        };
        std::cmp::max_by_key(a, b, |id| key(*id))
    }

    fn connect(&mut self) {
        for (index, task) in self.tasks.iter().enumerate() {
            let reached = crate::instance::reachable(&task.function);
            for (var, channel) in task.channels.iter().enumerate() {
                let Some(channel) = channel else { continue };
                let channel = &mut self.channels[channel.index()];
                if channel.tasks.last() != Some(&TaskId(index as u32)) {
                    channel.tasks.push(TaskId(index as u32));
                }
                channel.used |= task.function.code.iter().enumerate().any(|(pc, instr)| {
                    reached[pc]
                        && matches!(instr.op, Op::Send(v) | Op::Receive(v) if v.index() == var)
                });
            }
        }
    }
}

/// States of automata are numbered with 16 bits; a function has fewer states than instructions.
fn check_sizes(instances: &[Instance]) -> Result<(), Diagnostic> {
    const MAX_CODE: usize = 60_000;
    let large = instances.iter().find(|i| i.function.code.len() > MAX_CODE);
    large.map_or(Ok(()), |instance| {
        let function = &instance.function;
        let message = format!("`{}` has more than {MAX_CODE} instructions", function.name);
        let error = Diagnostic::error(function.span, message, "this function");
        Err(error.help("move a part of it into a function of its own"))
    })
}

struct Builder {
    tree: Tree,
    names: HashSet<String>,
    /// How many names were tried for each base.
    numbers: HashMap<String, u32>,
}

impl Builder {
    fn unique(&mut self, base: &str) -> String {
        let tried = self.numbers.entry(base.to_string()).or_insert(0);
        loop {
            *tried += 1;
            let name = match *tried {
                1 => base.to_string(),
                number => format!("{base}_{number}"),
            };
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    fn task(
        &mut self,
        instance: InstanceId,
        parent: Option<(TaskId, Pc, usize)>,
        given: Vec<Option<ChannelId>>,
    ) -> TaskId {
        let function = self.tree.instances[instance.index()].function.clone();
        let id = TaskId(self.tree.tasks.len() as u32);
        let name = self.unique(&function.name);
        let mut channels = Vec::new();
        for (index, var) in function.vars.iter().enumerate() {
            let passed = matches!(
                function.params.get(index),
                Some(Mode::Reader | Mode::Writer)
            );
            channels.push(match (var.channel, passed) {
                (false, _) => None,
                (true, true) => given.get(index).copied().flatten(),
                (true, false) => {
                    let name = self.unique(&var.name);
                    self.tree.channels.push(Channel {
                        name,
                        span: var.span,
                        tasks: Vec::new(),
                        used: false,
                    });
                    Some(ChannelId(self.tree.channels.len() as u32 - 1))
                }
            });
        }
        let depth = parent.map_or(0, |(parent, ..)| self.tree.task(parent).depth + 1);
        let (children, handlers) = (BTreeMap::new(), HashMap::new());
        self.tree.tasks.push(Task {
            name,
            instance,
            function,
            parent,
            channels,
            children,
            handlers,
            depth,
        });
        id
    }

    fn children(&mut self, id: TaskId) -> Result<(), Diagnostic> {
        let function = self.tree.task(id).function.clone();
        let calls = self.tree.instances[self.tree.task(id).instance.index()]
            .calls
            .clone();
        for (pc, instances) in calls {
            let Op::Par(sites, _) = &function.code[pc].op else {
                continue;
            };
            let mut children = Vec::new();
            for (position, (call, instance)) in sites.iter().zip(instances).enumerate() {
                if self.tree.instances[instance.index()].trivial {
                    continue;
                }
                let given = call.args.iter().map(|arg| match arg {
                    Arg::Channel(var) => self.tree.task(id).channels[var.index()],
                    _ => None,
                });
                let given = given.collect();
                children.push((
                    position,
                    self.task(instance, Some((id, pc, position)), given),
                ));
            }
            if self.tree.tasks.len() > MAX_TASKS {
                let message = format!("the program has more than {MAX_TASKS} tasks");
                let error = Diagnostic::error(
                    function.code[pc].span,
                    message,
                    "the tree grows beyond it here",
                );
                return Err(error.help(
                    "every call of a function that communicates is a task of its own; use fewer",
                ));
            }
            if !children.is_empty() {
                self.tree.tasks[id.index()].children.insert(pc, children);
            }
        }
        Ok(())
    }

    /// Finds the handler of every exception that leaves a task.
    fn exceptions(&mut self) {
        for id in self.tree.ids() {
            let escapes = self.tree.instances[self.tree.task(id).instance.index()]
                .escapes
                .clone();
            for exception in escapes {
                let Some((parent, site, _)) = self.tree.task(id).parent else {
                    continue;
                };
                let Op::Par(_, handlers) = &self.tree.task(parent).function.code[site].op else {
                    continue;
                };
                let local = handlers.iter().position(|(caught, _)| *caught == exception);
                let handler = match local {
                    Some(rank) => {
                        let handler = Handler {
                            task: parent,
                            site,
                            rank,
                            target: handlers[rank].1,
                            exception,
                        };
                        self.handler(handler)
                    }
                    None => self.tree.task(parent).handlers[&exception],
                };
                self.tree.tasks[id.index()]
                    .handlers
                    .insert(exception, handler);
            }
        }
    }

    fn handler(&mut self, handler: Handler) -> HandlerId {
        let position = self
            .tree
            .handlers
            .iter()
            .position(|other| *other == handler)
            .unwrap_or_else(|| {
                self.tree.handlers.push(handler);
                self.tree.handlers.len() - 1
            });
        HandlerId(position as u32)
    }
}

impl Task {
    /// Returns the channel of a variable. Panics if it has none.
    pub fn channel(&self, var: VarId) -> ChannelId {
        self.channels[var.index()].expect("every channel variable of a task has a channel")
    }
}
