//! The paper's model as text for NuSMV.
//!
//! Each task has a variable for its state and one that tells whether it moved. The paper asks EG of
//! every first state, which is wrong for a program that branches before it first communicates;
//! `AF !(…)`, true where the deadlock is inevitable, is the negation of EG in some first state.

use crate::automaton::{Automaton, ENTRY, Edge, Kind, StateId};
use crate::network::Network;
use crate::tree::{ChannelId, TaskId, Tree};
use std::fmt::Write;

/// Words that mean something to NuSMV.
const RESERVED: &[&str] = &[
    "MODULE", "DEFINE", "VAR", "ASSIGN", "SPEC", "TRUE", "FALSE", "A", "E", "F", "G", "H", "O",
    "S", "T", "U", "V", "X", "Y", "Z", "AF", "AG", "AX", "EF", "EG", "EX", "abs", "array", "bool",
    "boolean", "case", "count", "entry", "esac", "exit", "extend", "in", "init", "integer", "max",
    "min", "mod", "next", "of", "process", "real", "resize", "self", "signed", "sizeof", "spin",
    "swconst", "toint", "union", "unsigned", "uwconst", "word", "word1", "xnor", "xor",
];

/// Returns the model of a program, as NuSMV reads it.
pub fn emit(tree: &Tree) -> String {
    let network = Network::paper(tree, false);
    let names = tree
        .tasks
        .iter()
        .map(|task| identifier(&task.name))
        .collect();
    let mut writer = Writer {
        tree,
        network: &network,
        names,
        out: String::from("MODULE main\n"),
    };
    for (index, channel) in tree.channels.iter().enumerate() {
        if channel.used {
            writer.ready(ChannelId(index as u32));
        }
    }
    tree.ids().for_each(|task| writer.task(task));
    writer.properties();
    writer.out
}

fn identifier(name: &str) -> String {
    let taken = ["wait_", "par_", "ready_", "changed_", "spin_"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    if taken || RESERVED.contains(&name) {
        format!("task_{name}")
    } else {
        name.to_string()
    }
}

struct Writer<'a> {
    tree: &'a Tree,
    network: &'a Network,
    names: Vec<String>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn name(&self, task: TaskId) -> &str {
        &self.names[task.index()]
    }

    fn automaton(&self, task: TaskId) -> &Automaton {
        &self.network.nodes[task.index()].automaton
    }

    fn state(&self, task: TaskId, id: StateId) -> String {
        let state = self.automaton(task).state(id);
        match &state.kind {
            Kind::Entry => "entry".into(),
            Kind::Exit => "exit".into(),
            Kind::Par(_) => format!("par_{}", state.pc),
            Kind::Wait(channel, _) => format!(
                "wait_{}_{}",
                self.tree.channels[channel.index()].name,
                state.pc
            ),
            Kind::Compute => format!("compute_{}", state.pc),
            Kind::Spin | Kind::Stuck | Kind::Thrown(_) => format!("spin_{}", state.pc),
        }
    }

    fn states(&self, task: TaskId, keep: impl Fn(&Kind) -> bool) -> String {
        let states = self
            .automaton(task)
            .states
            .iter()
            .enumerate()
            .filter(|(_, state)| keep(&state.kind));
        states
            .map(|(index, _)| self.state(task, StateId(index as u32)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn ready(&mut self, channel: ChannelId) {
        let mut terms = Vec::new();
        for task in &self.network.channels[channel.index()] {
            let name = self.name(*task);
            let free = self.states(*task, |kind| match kind {
                Kind::Entry | Kind::Exit => true,
                Kind::Wait(waited, _) => *waited == channel,
                _ => false,
            });
            let mut term = format!("{name} in {{{free}}}");
            for (index, state) in self.automaton(*task).states.iter().enumerate() {
                let Kind::Par(children) = &state.kind else {
                    continue;
                };
                let connected = children
                    .iter()
                    .filter(|child| self.network.holds(**child, channel));
                let active: Vec<String> = connected
                    .map(|c| format!("{0} != exit & {0} != entry", self.name(*c)))
                    .collect();
                if !active.is_empty() {
                    let state = self.state(*task, StateId(index as u32));
                    write!(term, " | {name} = {state} & ({})", active.join(" | "))
                        .expect("text grows");
                }
            }
            terms.push(format!("({term})"));
        }
        let name = &self.tree.channels[channel.index()].name;
        let text = format!("DEFINE ready_{name} :=\n  {};", terms.join(" &\n  "));
        self.line(&text);
    }

    /// For each state that can be left: the condition, and where to.
    fn rules(&self, task: TaskId) -> Vec<(String, String)> {
        let name = self.name(task);
        let node = &self.network.nodes[task.index()];
        let exited = |tasks: &[TaskId]| {
            tasks
                .iter()
                .map(|t| format!("{} = exit", self.name(*t)))
                .collect::<Vec<_>>()
                .join(" & ")
        };
        let mut rules = Vec::new();
        for (index, state) in node.automaton.states.iter().enumerate() {
            let own = self.state(task, StateId(index as u32));
            let condition = match &state.kind {
                Kind::Entry => match node.parent {
                    Some(parent) => {
                        let name = self.name(parent);
                        let sites = self.states(
                            parent,
                            |kind| matches!(kind, Kind::Par(c) if c.contains(&task)),
                        );
                        format!("{name} in {{{sites}}}")
                    }
                    None => continue,
                },
                Kind::Exit if task.0 > 0 => {
                    rules.push((exited(&node.siblings), "entry".to_string()));
                    continue;
                }
                Kind::Exit => continue,
                Kind::Par(children) => exited(children),
                Kind::Compute => "TRUE".into(),
                Kind::Wait(channel, _) => {
                    format!("ready_{}", self.tree.channels[channel.index()].name)
                }
                Kind::Spin | Kind::Stuck | Kind::Thrown(_) => {
                    rules.push((format!("{name} = {own}"), own));
                    continue;
                }
            };
            rules.push((
                format!("{name} = {own} & {condition}"),
                self.targets(task, &state.next),
            ));
        }
        rules
    }

    fn targets(&self, task: TaskId, edges: &[Edge]) -> String {
        let targets: Vec<String> = edges.iter().map(|edge| self.state(task, edge.to)).collect();
        match &targets[..] {
            [one] => one.clone(),
            many => format!("{{{}}}", many.join(", ")),
        }
    }

    fn task(&mut self, task: TaskId) {
        let name = self.name(task).to_string();
        let start = match task.0 {
            0 => self.targets(task, &self.automaton(task).state(ENTRY).next),
            _ => "entry".into(),
        };
        let states = self.states(task, |_| true);
        let rules = self.rules(task);
        self.line(&format!("VAR {name} : {{{states}}};"));
        self.line(&format!(
            "ASSIGN init({name}) := {start};\n  next({name}) := case"
        ));
        rules
            .iter()
            .for_each(|(condition, targets)| self.line(&format!("    {condition} : {targets};")));
        self.line(&format!("    TRUE : {name};\n  esac;"));
        self.line(&format!("VAR changed_{name} : boolean;"));
        self.line(&format!(
            "ASSIGN init(changed_{name}) := TRUE;\n  next(changed_{name}) := case"
        ));
        rules
            .iter()
            .for_each(|(condition, _)| self.line(&format!("    {condition} : TRUE;")));
        self.line("    TRUE : FALSE;\n  esac;");
    }

    fn properties(&mut self) {
        let changed: Vec<String> = self
            .names
            .iter()
            .map(|name| format!("changed_{name}"))
            .collect();
        let moves = format!(
            "{} != exit -> {}",
            self.name(TaskId(0)),
            changed.join(" | ")
        );
        self.line("-- false: the program may deadlock");
        self.line(&format!("SPEC AG({moves})"));
        self.line("-- true: the program deadlocks whatever the branches do");
        self.line(&format!("SPEC AF !({moves})"));
    }
}
