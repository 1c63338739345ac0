//! State graphs: their data, and how they are drawn.

mod dot;
mod html;

pub use dot::dot;
pub use html::{page, styled};

use crate::model::Step;
use crate::rendering::{Rendering, thread_name};
use crate::trace;
use std::collections::BTreeSet;

/// The states of a program and the transitions between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StateGraph {
    /// States, and what else transitions lead to; the first one is where the program starts.
    pub nodes: Vec<Node>,
    /// Transitions, by source.
    pub edges: Vec<Transition>,
    /// The strongly connected components of more than one state.
    pub components: Vec<Component>,
    /// Whether there are more states.
    pub is_cut: bool,
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The state in which the program starts.
    Start,
    /// A state.
    State,
    /// The end of the program, or of an execution that does not count.
    End,
    /// A state some of whose transitions are not drawn, as they lead to more states.
    Cut,
    /// An error.
    Error,
    /// Something that is not supported.
    LeftOut,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it stands for.
    pub kind: NodeKind,
    /// Its number, from 1, or the error in words.
    pub label: String,
    /// Where each living thread is.
    pub threads: Vec<String>,
    /// Whether it is a deadlock, or in the region of the hang that a check reports.
    pub in_hang: bool,
    /// Its component among [`StateGraph::components`].
    pub component: Option<usize>,
    /// Whether its component is terminal: no transition leaves it.
    pub is_terminal: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// The index of the source.
    pub from: usize,
    /// The index of the target.
    pub to: usize,
    /// The thread that moves; none where no thread can.
    pub thread: Option<u32>,
    /// What happens, as in a trace.
    pub steps: Vec<Step>,
}

/// A strongly connected component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    /// How many states it has.
    pub states: usize,
    /// Whether no transition leaves it.
    pub is_terminal: bool,
}

/// Lines of a transition's label, at most.
const SHOWN: usize = 4;

impl StateGraph {
    /// Returns how many states there are.
    pub fn states(&self) -> usize {
        let special = [NodeKind::Error, NodeKind::LeftOut];
        let states = self
            .nodes
            .iter()
            .filter(|node| !special.contains(&node.kind));
        states.count()
    }

    /// Returns whether some transitions are left out since they are not supported.
    pub fn leaves_out(&self) -> bool {
        let mut kinds = self.nodes.iter().map(|node| node.kind);
        kinds.any(|kind| kind == NodeKind::LeftOut)
    }

    /// The lines that say what happens on a transition. Names of files are left out where there is
    /// only one.
    fn label(&self, edge: &Transition, has_one_file: bool) -> Vec<String> {
        let lines = trace::lines(&edge.steps, Rendering::default());
        let mut shown: Vec<String> = edge.thread.map(thread_name).into_iter().collect();
        let mut thread = edge.thread;
        for line in lines.iter().take(SHOWN) {
            let is_placed = line.step.line > 0;
            if is_placed && thread.replace(line.step.thread) != Some(line.step.thread) {
                shown.push(thread_name(line.step.thread));
            }
            let file = line.step.file.rsplit('/').next().unwrap_or_default();
            let place = match (line.step.line, has_one_file) {
                (0, _) => String::new(),
                (number, true) => format!("{number} "),
                (number, false) => format!("{file}:{number} "),
            };
            let times = match line.times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            shown.push(format!("{place}{}{times}", line.text.trim_end()));
        }
        if lines.len() > SHOWN {
            shown.push(format!("... {} more", lines.len() - SHOWN));
        }
        shown
    }

    fn has_one_file(&self) -> bool {
        let steps = self.edges.iter().flat_map(|edge| &edge.steps);
        let files: BTreeSet<&str> = steps.map(|step| step.file.as_str()).collect();
        files.len() < 2
    }
}
