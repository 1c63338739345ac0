//! What a result shows: the path to a deadlock, its end, and the inputs that lead there.

use crate::analysis::Analysis;
use crate::automaton::Kind;
use crate::inputs::Inputs;
use crate::machine::{Meeting, Run};
use crate::network::Network;
use crate::single::{Move, Step};
use crate::source::Span;
use crate::tree::TaskId;
use crate::verdict::{Branch, ErrorInfo, InputValue, Participant, TraceStep};
use crate::wait_for::WaitForGraph;

impl Analysis<'_> {
    pub(crate) fn show_run(&mut self, run: &Run) {
        let trace = run.meetings.iter().map(|meeting| self.meeting(meeting));
        self.result.trace = trace.collect();
        self.show_end(&run.last);
    }

    fn meeting(&self, meeting: &Meeting) -> TraceStep {
        let participants = meeting
            .tasks
            .iter()
            .map(|(task, span, sends)| self.participant(*task, *span, *sends));
        let sent = meeting.tasks.iter().any(|(.., sends)| *sends);
        let value = match &meeting.value[..] {
            _ if !sent => None,
            [one] => Some(one.to_string()),
            many => Some(format!(
                "{{{}{}}}",
                join(many),
                if many.len() == 8 { ", …" } else { "" }
            )),
        };
        TraceStep {
            kind: if meeting.poisoned {
                "exception"
            } else {
                "rendezvous"
            },
            channel: self.tree.channels[meeting.channel.index()].name.clone(),
            value,
            participants: participants.collect(),
            branches: Vec::new(),
        }
    }

    fn participant(&self, task: TaskId, span: Span, sends: bool) -> Participant {
        Participant {
            task: self.tree.task(task).name.clone(),
            line: self.program.file.line(span),
            action: if sends { "sends" } else { "receives" },
        }
    }

    pub(crate) fn show_path(&mut self, network: &Network, path: &[Step], last: &[u16]) {
        let mut pending: Vec<Branch> = Vec::new();
        for step in path {
            let branches = self.branches(step);
            let (channel, tasks, kind) = match &step.action {
                Move::Rendezvous(channel, tasks) => (*channel, tasks.clone(), "rendezvous"),
                Move::Poison(channel, left) => (
                    *channel,
                    left.iter().map(|(t, _)| *t).collect(),
                    "exception",
                ),
                _ => {
                    pending.extend(branches);
                    continue;
                }
            };
            let participants = tasks.iter().map(|task| {
                let state = network.at(&step.before, *task);
                self.participant(*task, state.span, matches!(state.kind, Kind::Wait(_, true)))
            });
            let participants = participants.collect();
            let mut all = std::mem::take(&mut pending);
            all.extend(branches);
            let channel = self.tree.channels[channel.index()].name.clone();
            self.result.trace.push(TraceStep {
                kind,
                channel,
                value: None,
                participants,
                branches: all,
            });
        }
        if let (Some(step), false) = (self.result.trace.last_mut(), pending.is_empty()) {
            step.branches.append(&mut pending);
        }
        self.result.unsettled = pending;
        let at: Vec<(Kind, Span)> = self
            .tree
            .ids()
            .map(|task| network.at(last, task))
            .map(|state| (state.kind.clone(), state.span))
            .collect();
        self.show_end(&at);
    }

    fn branches(&self, step: &Step) -> Vec<Branch> {
        let file = &self.program.file;
        let all = step
            .decisions
            .iter()
            .flat_map(|(task, decisions)| decisions.iter().map(move |d| (*task, d)));
        all.map(|(task, decision)| Branch {
            task: self.tree.task(task).name.clone(),
            line: file.line(decision.span),
            condition: file
                .slice(decision.span)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            taken: decision.taken,
        })
        .collect()
    }

    fn show_end(&mut self, at: &[(Kind, Span)]) {
        let file = &self.program.file;
        let waits = WaitForGraph::new(self.tree, file, at);
        let cycle = waits.cycle();
        self.result.waiting = waits.all();
        self.result.cycle = cycle
            .iter()
            .map(|task| self.tree.task(*task).name.clone())
            .collect();
        self.result.help = waits.help(&cycle);
        let line = cycle
            .first()
            .map_or(1, |task| file.line(at[task.index()].1));
        self.result.error = Some(ErrorInfo {
            kind: "deadlock".into(),
            message: format!("no task can continue: {}", waits.sentence(&cycle)),
            file: file.name.clone(),
            line,
        });
    }

    pub(crate) fn name_inputs(&self, inputs: &Inputs) -> Vec<InputValue> {
        let main = &self.program.functions[self.program.main.index()];
        let parameters = inputs.parameters.iter().zip(&main.vars);
        let mut named: Vec<InputValue> = parameters
            .map(|(values, var)| {
                let mut types = Vec::new();
                self.program.scalars(&var.ty, &mut types);
                let values = values.iter().zip(types).map(|(value, ty)| ty.show(*value));
                let values: Vec<String> = values.collect();
                InputValue {
                    name: var.name.clone(),
                    value: match &values[..] {
                        [one] => one.clone(),
                        many => format!("{{{}}}", many.join(", ")),
                    },
                }
            })
            .collect();
        let mut streams: Vec<_> = inputs.streams.iter().collect();
        streams.sort_by_key(|(task, _)| **task);
        named.extend(streams.into_iter().map(|(task, values)| InputValue {
            name: format!("input() in {}", self.tree.task(*task).name),
            value: join(values),
        }));
        named
    }
}

fn join(values: &[i64]) -> String {
    values
        .iter()
        .map(i64::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
