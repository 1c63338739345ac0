//! The wait-for graph of a deadlock: which task waits for which.

use crate::automaton::Kind;
use crate::network::agrees;
use crate::source::{SourceFile, Span};
use crate::tree::{ChannelId, TaskId, Tree};
use crate::verdict::Waiting;
use std::collections::VecDeque;

/// Where every task is: what it waits for, and its place in the program.
pub struct WaitForGraph<'a> {
    tree: &'a Tree,
    file: &'a SourceFile,
    at: &'a [(Kind, Span)],
}

impl<'a> WaitForGraph<'a> {
    /// Returns the wait-for graph of a state.
    pub fn new(tree: &'a Tree, file: &'a SourceFile, at: &'a [(Kind, Span)]) -> WaitForGraph<'a> {
        WaitForGraph { tree, file, at }
    }

    fn kind(&self, task: TaskId) -> &Kind {
        &self.at[task.index()].0
    }

    fn running(&self, task: TaskId) -> bool {
        !matches!(self.kind(task), Kind::Entry | Kind::Exit)
    }

    fn holds(&self, task: TaskId, channel: ChannelId) -> bool {
        self.tree.channels[channel.index()]
            .tasks
            .binary_search(&task)
            .is_ok()
    }

    /// Returns the tasks that a task waits for.
    pub fn blockers(&self, task: TaskId) -> Vec<TaskId> {
        match self.kind(task) {
            Kind::Wait(channel, _) => {
                let active = |child: TaskId| self.running(child) && self.holds(child, *channel);
                let tasks = self.tree.channels[channel.index()].tasks.iter().copied();
                tasks
                    .filter(|t| !agrees(self.kind(*t), *channel, active))
                    .collect()
            }
            Kind::Par(children) => children.iter().copied().filter(|c| self.runs(*c)).collect(),
            Kind::Thrown(_) => match self.tree.task(task).parent {
                Some((parent, pc, _)) => {
                    let siblings = self.tree.task(parent).children[&pc].iter().map(|(_, s)| *s);
                    siblings.filter(|s| *s != task && self.runs(*s)).collect()
                }
                None => Vec::new(),
            },
            Kind::Entry | Kind::Exit | Kind::Spin | Kind::Compute | Kind::Stuck => Vec::new(),
        }
    }

    fn runs(&self, task: TaskId) -> bool {
        self.running(task) && !matches!(self.kind(task), Kind::Thrown(_))
    }

    /// Returns a shortest cycle of tasks that wait for one another; empty if there is none.
    pub fn cycle(&self) -> Vec<TaskId> {
        let waiting = self
            .tree
            .ids()
            .filter(|t| matches!(self.kind(*t), Kind::Wait(..)));
        waiting
            .filter_map(|start| self.cycle_from(start))
            .min_by_key(Vec::len)
            .unwrap_or_default()
    }

    fn cycle_from(&self, start: TaskId) -> Option<Vec<TaskId>> {
        let mut before: Vec<Option<TaskId>> = vec![None; self.at.len()];
        let mut work = VecDeque::from([start]);
        while let Some(task) = work.pop_front() {
            for blocker in self.blockers(task) {
                if blocker == start {
                    let mut cycle = vec![task];
                    while cycle[cycle.len() - 1] != start {
                        cycle.push(before[cycle[cycle.len() - 1].index()]?);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if before[blocker.index()].is_none() {
                    before[blocker.index()] = Some(task);
                    work.push_back(blocker);
                }
            }
        }
        None
    }

    /// Returns what a task does, in words, without its name.
    pub fn what(&self, task: TaskId) -> String {
        let channel = |channel: &ChannelId| &self.tree.channels[channel.index()].name;
        match self.kind(task) {
            Kind::Wait(c, true) => format!("waits to send on `{}`", channel(c)),
            Kind::Wait(c, false) => format!("waits to receive from `{}`", channel(c)),
            Kind::Par(_) => "waits for its tasks to end".into(),
            Kind::Thrown(_) => "was left by an exception".into(),
            Kind::Spin | Kind::Compute => "computes forever".into(),
            Kind::Stuck => "is stuck".into(),
            Kind::Entry => "has not started".into(),
            Kind::Exit => "has ended".into(),
        }
    }

    /// Returns all tasks that wait.
    pub fn all(&self) -> Vec<Waiting> {
        let waiting = self.tree.ids().filter(|t| self.running(*t));
        waiting
            .map(|task| Waiting {
                task: self.tree.task(task).name.clone(),
                line: self.file.line(self.at[task.index()].1),
                column: self.file.column(self.at[task.index()].1),
                channel: match self.kind(task) {
                    Kind::Wait(channel, _) => {
                        Some(self.tree.channels[channel.index()].name.clone())
                    }
                    _ => None,
                },
                what: self.what(task),
                for_tasks: self
                    .blockers(task)
                    .iter()
                    .map(|t| self.tree.task(*t).name.clone())
                    .collect(),
            })
            .collect()
    }

    /// Returns a cycle in one sentence.
    pub fn sentence(&self, cycle: &[TaskId]) -> String {
        let parts = cycle.iter().enumerate().map(|(index, task)| {
            let next = cycle[(index + 1) % cycle.len()];
            let line = self.file.line(self.at[task.index()].1);
            let holds = match self.kind(*task) {
                Kind::Par(_) => "waits for",
                _ => "and needs",
            };
            let what = if holds == "and needs" {
                format!("{}, ", self.what(*task))
            } else {
                String::new()
            };
            format!(
                "`{}` (line {line}) {what}{holds} `{}`",
                self.tree.task(*task).name,
                self.tree.task(next).name
            )
        });
        parts.collect::<Vec<_>>().join("; ")
    }

    /// Returns advice on how to break a cycle, or `None`.
    pub fn help(&self, cycle: &[TaskId]) -> Option<String> {
        let mut channels: Vec<&str> = Vec::new();
        for task in cycle {
            match self.kind(*task) {
                Kind::Wait(channel, _) => channels.push(&self.tree.channels[channel.index()].name),
                Kind::Par(_) => {
                    let name = &self.tree.task(*task).name;
                    let held = cycle.iter().find_map(|t| match self.kind(*t) {
                        Kind::Wait(channel, _) => Some(&self.tree.channels[channel.index()].name),
                        _ => None,
                    })?;
                    return Some(format!(
                        "`{name}` holds `{held}` again because all its tasks on that channel have ended; \
                         let one of them continue, or do not communicate on `{held}` elsewhere meanwhile"
                    ));
                }
                _ => return None,
            }
        }
        channels.sort_unstable();
        channels.dedup();
        match channels[..] {
            [] => None,
            [only] => Some(format!(
                "someone connected to `{only}` never communicates on it again; check who is"
            )),
            _ if cycle.len() > 2 => {
                Some("let one task of the cycle use its channels in the other order".into())
            }
            _ => Some(format!(
                "let all tasks use {} in the same order",
                join(&channels)
            )),
        }
    }
}

fn join(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => quoted.concat(),
    }
}
