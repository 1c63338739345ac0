//! How exceptions spread between tasks.

use super::{MAX_MEETINGS, Machine, Meeting, Shadow, Step};
use crate::automaton::Kind;
use crate::tree::{ChannelId, HandlerId, TaskId};

impl<S: Shadow> Machine<'_, S> {
    /// Where nothing else can happen, exceptions spread to those that would meet a remaining task.
    pub(super) fn poison(&mut self) -> Step<bool> {
        if !self.tree.has_exceptions() {
            return Ok(false);
        }
        for channel in (0..self.tree.channels.len() as u32).map(ChannelId) {
            let left = self.poisoned(channel);
            if left.is_empty() {
                continue;
            }
            let tasks = left
                .iter()
                .map(|(task, _)| (*task, self.place(*task), false))
                .collect();
            self.rendezvous += 1;
            if self.meetings.len() < MAX_MEETINGS {
                self.meetings.push(Meeting {
                    channel,
                    tasks,
                    value: Vec::new(),
                    poisoned: true,
                });
            }
            for (task, handler) in &left {
                self.kinds[task.index()] = Kind::Thrown(*handler);
            }
            for (task, _) in left {
                if matches!(self.kinds[task.index()], Kind::Thrown(_))
                    && let Some(parent) = self.join(task)
                {
                    self.resume(parent)?;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn poisoned(&self, channel: ChannelId) -> Vec<(TaskId, HandlerId)> {
        let mut thrown = Vec::new();
        let mut waiting = Vec::new();
        for task in &self.tree.channels[channel.index()].tasks {
            match self.kinds[task.index()] {
                Kind::Thrown(handler) => thrown.push(handler),
                Kind::Wait(waited, _) if waited == channel => waiting.push(*task),
                _ if self.agrees(*task, channel) => {}
                _ => return Vec::new(),
            }
        }
        let leave = |task: TaskId| {
            let around = self.tree.handlers_around(task);
            let handlers = thrown
                .iter()
                .copied()
                .filter(|handler| around.contains(handler));
            handlers
                .reduce(|a, b| self.tree.outer(a, b))
                .map(|handler| (task, handler))
        };
        waiting.into_iter().filter_map(leave).collect()
    }
}
