//! What is suspicious although it is no deadlock, and what a verdict takes for granted.

use crate::automaton::{EXIT, Kind, StateId};
use crate::instance::{reachable, successors};
use crate::ir::{Op, Pc, Program};
use crate::machine::{Ending, Run};
use crate::network::{Global, Network};
use crate::single::{Move, apply, next_move};
use crate::tree::{ChannelId, TaskId, Tree};
use crate::verdict::{CheckResult, Place, Warning};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Lists the loops that are assumed to end: those that may iterate without communicating and do not
/// evidently end.
pub fn assumptions(program: &Program, tree: &Tree, result: &mut CheckResult) {
    let mut places: BTreeMap<(u32, String), ()> = BTreeMap::new();
    for instance in &tree.instances {
        let function = &instance.function;
        let reached = reachable(function);
        for round in function
            .loops
            .iter()
            .filter(|round| !round.counted && reached[round.head])
        {
            let speaks = |pc: Pc| match &function.code[pc].op {
                Op::Send(_) | Op::Receive(_) => true,
                Op::Par(..) => {
                    let calls = instance.calls.get(&pc);
                    calls.is_some_and(|calls| {
                        calls.iter().any(|c| !tree.instances[c.index()].trivial)
                    })
                }
                _ => false,
            };
            if can_go_round(function, round.head, round.end, &speaks) {
                let line = program.file.line(round.span);
                places.insert(
                    (
                        line,
                        "this loop ends, or communicates sooner or later".into(),
                    ),
                    (),
                );
            }
        }
    }
    result.assumptions = places
        .into_keys()
        .map(|(line, message)| Place { message, line })
        .collect();
}

/// Whether control can come back to where it was inside the loop without communicating.
fn can_go_round(
    function: &crate::ir::Function,
    head: Pc,
    end: Pc,
    speaks: &impl Fn(Pc) -> bool,
) -> bool {
    let inside = |pc: Pc| head <= pc && pc < end;
    // A cycle exists where a depth-first walk meets its own path.
    let mut state = vec![0u8; end - head];
    for start in head..end {
        let mut stack = vec![(start, false)];
        while let Some((pc, done)) = stack.pop() {
            if done {
                state[pc - head] = 2;
                continue;
            }
            if state[pc - head] != 0 || speaks(pc) {
                continue;
            }
            state[pc - head] = 1;
            stack.push((pc, true));
            for next in successors(function, pc)
                .into_iter()
                .filter(|next| inside(*next) && !speaks(*next))
            {
                match state[next - head] {
                    1 => {
                        let inner = function
                            .loops
                            .iter()
                            .any(|l| l.counted && l.head > head && l.head <= next && pc < l.end);
                        if !inner {
                            return true;
                        }
                    }
                    0 => stack.push((next, false)),
                    _ => {}
                }
            }
        }
    }
    false
}

/// Adds the warnings that a run shows.
pub fn from_run(program: &Program, tree: &Tree, run: &Run, result: &mut CheckResult) {
    let line = |span| program.file.line(span);
    if let Ending::Failed(span, message) = &run.ending {
        let message = format!("the program ends by a run-time error: {message}");
        result.warnings.push(Warning {
            kind: "run-time-error",
            message,
            line: line(*span),
        });
    }
    if let Ending::Forever(endless) = &run.ending {
        for computing in &endless.computing {
            let name = &tree.task(computing.task).name;
            let message = format!("`{name}` computes forever without communicating");
            result.warnings.push(Warning {
                kind: "computes-forever",
                message,
                line: line(computing.span),
            });
            // What was seen not to end is not taken to end.
            for span in &computing.loops {
                let line = line(*span);
                result.assumptions.retain(|place| place.line != line);
            }
        }
        for task in &endless.waiting {
            let (kind, span) = &run.last[task.index()];
            let Kind::Wait(channel, _) = *kind else {
                continue;
            };
            let waits = |other: &TaskId| endless.waiting.contains(other);
            let mut holders = tree.channels[channel.index()].tasks.iter().copied();
            let silent = holders.find(|other| !waits(other) && !agrees(tree, run, *other, channel));
            let (kind, message) = match silent {
                Some(other) => (
                    "never-communicates",
                    silent_message(tree, (*task, ""), channel, other),
                ),
                None => ("stuck-tasks", stuck_message(tree, *task, channel, "")),
            };
            result.warnings.push(Warning {
                kind,
                message,
                line: line(*span),
            });
        }
    }
    for (channel, task, span) in &run.alone {
        let message = alone_message(tree, *task, *channel, "");
        result.warnings.push(Warning {
            kind: "alone-on-channel",
            message,
            line: line(*span),
        });
    }
}

/// Whether, at the end of a run, a task does not hold a channel up.
fn agrees(tree: &Tree, run: &Run, task: TaskId, channel: ChannelId) -> bool {
    let kind = |task: TaskId| &run.last[task.index()].0;
    crate::network::agrees(kind(task), channel, |child| {
        let runs = !matches!(kind(child), Kind::Entry | Kind::Exit);
        runs && tree.channels[channel.index()].tasks.contains(&child)
    })
}

fn stuck_message(tree: &Tree, task: TaskId, channel: ChannelId, may: &str) -> String {
    let (task, channel) = (&tree.task(task).name, &tree.channels[channel.index()].name);
    format!("`{task}` {may}waits on `{channel}` forever while others continue")
}

fn silent_message(
    tree: &Tree,
    (task, may): (TaskId, &str),
    channel: ChannelId,
    other: TaskId,
) -> String {
    let (task, other) = (&tree.task(task).name, &tree.task(other).name);
    let channel = &tree.channels[channel.index()].name;
    format!(
        "`{task}` {may}waits on `{channel}` for `{other}`, which never communicates there again and never ends"
    )
}

fn alone_message(tree: &Tree, task: TaskId, channel: ChannelId, may: &str) -> String {
    let (task, channel) = (&tree.task(task).name, &tree.channels[channel.index()].name);
    format!(
        "`{task}` {may}communicates on `{channel}` with no task: the others there have ended or not started"
    )
}

/// Searches for warnings stop at so many states.
const MAX_STATES: usize = 5_000;

/// Adds the warnings that hold for some branches, found in a search that serves every ready
/// channel.
///
/// Channels take turns, so a channel that stays ready is served sooner or later, and a task that
/// never moves again in this search never moves in any.
pub fn from_network(program: &Program, tree: &Tree, network: &Network, result: &mut CheckResult) {
    let Some(search) = Fair::explore(network) else {
        return;
    };
    let line = |span| program.file.line(span);
    for (channel, (task, state)) in &search.alone {
        let span = network.at(&search.states[*state].0, *task).span;
        let message = alone_message(tree, *task, *channel, "may reach a point where it ");
        result.warnings.push(Warning {
            kind: "alone-on-channel",
            message,
            line: line(span),
        });
    }
    for (task, channel, state) in search.stuck(network) {
        let global = &search.states[state].0;
        let span = network.at(global, task).span;
        let silent = network.channels[channel.index()].iter().find(|other| {
            **other != task
                && !network.agrees(global, **other, channel)
                && never_again(network, global, **other, channel)
        });
        match silent {
            Some(other) => {
                let message =
                    silent_message(tree, (task, "may reach a point where it "), channel, *other);
                result.warnings.push(Warning {
                    kind: "never-communicates",
                    message,
                    line: line(span),
                });
            }
            None => {
                let message = stuck_message(tree, task, channel, "may reach a point where it ");
                result.warnings.push(Warning {
                    kind: "stuck-tasks",
                    message,
                    line: line(span),
                });
            }
        }
    }
}

/// Whether a task neither ends nor comes to the channel from where it is, by itself or its
/// children.
fn never_again(network: &Network, global: &[u16], task: TaskId, channel: ChannelId) -> bool {
    let automaton = &network.nodes[task.index()].automaton;
    let mut seen = vec![false; automaton.states.len()];
    let mut work = vec![StateId(global[task.index()] as u32)];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let state = automaton.state(id);
        let speaks = match &state.kind {
            Kind::Exit | Kind::Thrown(_) => true,
            Kind::Wait(c, _) => *c == channel,
            Kind::Par(children) => children.iter().any(|child| network.holds(*child, channel)),
            Kind::Entry | Kind::Spin | Kind::Compute | Kind::Stuck => false,
        };
        if speaks || id == EXIT {
            return false;
        }
        work.extend(state.next.iter().map(|edge| edge.to));
    }
    true
}

/// A search in which channels take turns: states carry the channel served last.
struct Fair {
    states: Vec<(Global, u16)>,
    targets: Vec<Vec<u32>>,
    /// Who moves from each state.
    moved: Vec<Vec<TaskId>>,
    alone: BTreeMap<ChannelId, (TaskId, usize)>,
}

impl Fair {
    fn explore(network: &Network) -> Option<Fair> {
        let mut fair = Fair {
            states: Vec::new(),
            targets: Vec::new(),
            moved: Vec::new(),
            alone: BTreeMap::new(),
        };
        let mut known: FxHashMap<(Global, u16), u32> = FxHashMap::default();
        let mut add = |states: &mut Vec<(Global, u16)>, key: (Global, u16)| {
            let fresh = states.len() as u32;
            *known.entry(key).or_insert_with_key(|key| {
                states.push(key.clone());
                fresh
            })
        };
        for (global, _) in network.initial() {
            add(&mut fair.states, (global, 0));
        }
        let mut next = 0;
        while next < fair.states.len() {
            if fair.states.len() > MAX_STATES {
                return None;
            }
            let (global, turn) = fair.states[next].clone();
            let mut targets = Vec::new();
            let mut moved = Vec::new();
            if let Some(action) = next_move(network, &global, turn as usize) {
                let mut turn = turn;
                if let Move::Rendezvous(channel, tasks) = &action {
                    turn = ((network.priority[channel.index()] as usize + 1)
                        % network.channels.len()) as u16;
                    fair.note_alone(network, *channel, tasks, next);
                }
                moved = match action.clone() {
                    Move::Start(task)
                    | Move::Go(task)
                    | Move::Join(task)
                    | Move::Catch(task, _) => vec![task],
                    Move::Rendezvous(_, tasks) => tasks,
                    Move::Poison(_, left) => left.into_iter().map(|(task, _)| task).collect(),
                };
                for (successor, _) in apply(network, &global, &action) {
                    targets.push(add(&mut fair.states, (successor, turn)));
                }
            }
            fair.targets.push(targets);
            fair.moved.push(moved);
            next += 1;
        }
        Some(fair)
    }

    fn note_alone(
        &mut self,
        network: &Network,
        channel: ChannelId,
        tasks: &[TaskId],
        state: usize,
    ) {
        let [only] = tasks else { return };
        let related = |mut task: TaskId, above: TaskId| loop {
            if task == above {
                return true;
            }
            match network.nodes[task.index()].parent {
                Some(parent) => task = parent,
                None => return false,
            }
        };
        let partner = network.channels[channel.index()]
            .iter()
            .any(|t| !related(*only, *t) && !related(*t, *only));
        if partner {
            self.alone.entry(channel).or_insert((*only, state));
        }
    }

    /// Tasks that wait in some state and never move again while the program never stops: each with
    /// its channel and the first such state.
    fn stuck(&self, network: &Network) -> Vec<(TaskId, ChannelId, usize)> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (from, targets) in self.targets.iter().enumerate() {
            targets
                .iter()
                .for_each(|to| before[*to as usize].push(from as u32));
        }
        let mut found = Vec::new();
        for task in network.ids() {
            let mut moves: Vec<bool> = self
                .moved
                .iter()
                .map(|tasks| tasks.contains(&task))
                .collect();
            let mut work: Vec<usize> = (0..moves.len()).filter(|s| moves[*s]).collect();
            while let Some(state) = work.pop() {
                for from in &before[state] {
                    if !std::mem::replace(&mut moves[*from as usize], true) {
                        work.push(*from as usize);
                    }
                }
            }
            let first = (0..self.states.len()).find(|s| {
                !moves[*s] && matches!(network.at(&self.states[*s].0, task).kind, Kind::Wait(..))
            });
            if let Some(state) = first
                && let Kind::Wait(channel, _) = network.at(&self.states[state].0, task).kind
            {
                found.push((task, channel, state));
            }
        }
        found
    }
}
