//! The state graph of a small program, in the program's own terms.
//!
//! All transitions of each state are taken, in breadth-first order, and what happens on each is
//! noted as on the path to an error. Names that depend on the past (of two objects that are called
//! the same, or of two threads that had one number) are those of the first path to a state.

use crate::{fault, place, selection, trace};
use impasse_machine::base::fault::{ErrorKind, Fault};
use impasse_machine::machine::record::{Detail, Event, Recorded};
use impasse_machine::state::journal::Journal;
use impasse_machine::system::System;
use impasse_machine::system::replay::replay;
use impasse_machine::system::step::Stepper;
use impasse_report::graph::{Component, Node, NodeKind, StateGraph, Transition};
use impasse_report::rendering::thread_name;
use impasse_search::{Outcome, Verdict};
use impasse_transition_system::{Emission, Emissions, Path, StepEnd};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Returns the graph of up to `limit` states of a system. Deadlocks are marked as hangs, and if
/// `outcome`, that of a search over the same system, is a hang, so are the states of its region.
pub fn state_graph(system: &System, outcome: &Outcome<&System>, limit: usize) -> StateGraph {
    let mut explorer = Explorer::new(system, limit);
    explorer.explore();
    if let Verdict::Hang { section, path } = &outcome.verdict {
        explorer.add_drained(path);
        let state = replay(system, path, Detail::default()).state;
        if let Some(selected) = selection::select(system, *section, &state) {
            explorer.mark(&selected.region.states);
        }
    }
    for &node in &explorer.deadlocked {
        explorer.graph.nodes[node].in_hang = true;
    }
    let Explorer {
        mut graph,
        deadlocked,
        ..
    } = explorer;
    add_components(&mut graph, &deadlocked);
    graph
}

/// The state of the exploration.
struct Explorer<'s> {
    system: &'s System,
    limit: usize,
    stepper: Stepper<'s>,
    graph: StateGraph,
    /// The node of each state.
    numbers: HashMap<Vec<u8>, usize>,
    /// The nodes of states, with what a replay knows there.
    states: Vec<(usize, Vec<u8>, Arc<Journal>)>,
    /// The nodes of errors, by kind, place and message.
    errors: BTreeMap<String, usize>,
    /// The states in which no thread can continue.
    deadlocked: Vec<usize>,
    /// How many of `states` are expanded.
    expanded: usize,
}

impl<'s> Explorer<'s> {
    fn new(system: &'s System, limit: usize) -> Self {
        let mut stepper = Stepper::new(system);
        stepper.record(Detail::default());
        Explorer {
            system,
            limit,
            stepper,
            graph: StateGraph::default(),
            numbers: HashMap::new(),
            states: Vec::new(),
            errors: BTreeMap::new(),
            deadlocked: Vec::new(),
            expanded: 0,
        }
    }

    fn explore(&mut self) {
        let mut start = Emissions::<&System>::new();
        self.stepper.initial(&mut start);
        let recorded = self.stepper.recorded();
        self.receive(None, start, recorded);
        self.expand_all();
    }

    fn expand_all(&mut self) {
        while let Some((node, state, journal)) = self.states.get(self.expanded).cloned() {
            self.expanded += 1;
            if self.system.cancel.is_cancelled() {
                self.graph.is_cut = true;
                self.graph.nodes[node].kind = NodeKind::Cut;
                continue;
            }
            self.stepper.continue_with(Arc::clone(&journal));
            let mut emissions = Emissions::<&System>::new();
            self.stepper.successors(&state, &mut emissions);
            let recorded = self.stepper.recorded();
            let is_stuck = emissions.0.is_empty();
            self.receive(Some(node), emissions, recorded);
            if self.graph.nodes[node].kind == NodeKind::End {
                continue;
            }
            if is_stuck {
                // Its drained states say whether that is an error.
                self.drain(node, &state, &journal);
            }
            self.graph.nodes[node].threads = self.threads(&state, &journal);
        }
    }

    /// Adds the transitions to drained states on the path to a hang, and what follows these:
    /// nothing that is in flight, and nothing spurious, ends the hang.
    fn add_drained(&mut self, path: &Path) {
        let mut steps = Vec::new();
        let replayed = path.replay(&self.system, |step| {
            if let (Some(source), StepEnd::State { target, .. }) = (step.source, step.end) {
                steps.push((source.to_vec(), target.to_vec()));
            }
        });
        debug_assert!(replayed.is_ok(), "the path is one of this system");
        for (source, target) in steps {
            let Some(&node) = self.numbers.get(&source) else {
                return;
            };
            if self.numbers.contains_key(&target) {
                continue;
            }
            let known = self.states.iter().find(|(known, ..)| *known == node);
            let journal = known.map_or(Arc::default(), |(.., journal)| Arc::clone(journal));
            self.drain(node, &source, &journal);
            self.expand_all();
        }
    }

    /// Adds the transitions to the drained states of a state.
    fn drain(&mut self, node: usize, state: &[u8], journal: &Arc<Journal>) {
        self.stepper.continue_with(Arc::clone(journal));
        let mut drained = Emissions::<&System>::new();
        self.stepper.drain(state, &mut drained);
        let recorded = self.stepper.recorded();
        let first = self.graph.edges.len();
        self.receive(Some(node), drained, recorded);
        let edges = self.graph.edges[first..].iter_mut();
        edges.for_each(|edge| edge.thread = None);
    }

    /// Adds what leaves a node, or begins the graph.
    fn receive(
        &mut self,
        from: Option<usize>,
        emissions: Emissions<&System>,
        recorded: Vec<Recorded>,
    ) {
        let mut recorded = recorded.into_iter();
        for emission in emissions.0 {
            let (to, thread, recorded) = match emission {
                Emission::Edge(edge) => {
                    let Some(recorded) = recorded.next() else {
                        return;
                    };
                    let journal = Arc::clone(&recorded.journal);
                    let thread = journal.thread(edge.label as usize);
                    let is_end = edge.ended.is_none();
                    let to = self.state(edge.target, journal);
                    if let (true, Some(end)) = (is_end, to) {
                        self.graph.nodes[end].kind = NodeKind::End;
                    }
                    (to, Some(thread), Some(recorded))
                }
                Emission::Fault(fault) => {
                    let recorded = recorded.next();
                    if let (ErrorKind::Hang, Some(from)) = (fault.kind, from) {
                        self.deadlocked.push(from);
                    }
                    let thread = (fault.kind != ErrorKind::Hang).then_some(fault.thread);
                    (Some(self.error(&fault)), thread, recorded)
                }
                Emission::Omission(omission) => {
                    let reason = fault::reason(self.system, &omission);
                    let text = format!("not supported: {}", reason.what);
                    (Some(self.special(NodeKind::LeftOut, text)), None, None)
                }
            };
            let events = recorded.map_or(Vec::new(), |recorded| recorded.events);
            match (from, to) {
                (Some(from), Some(to)) => {
                    let steps = self.steps(&events);
                    self.graph.edges.push(Transition {
                        from,
                        to,
                        thread,
                        steps,
                    });
                }
                (Some(from), None) => self.graph.nodes[from].kind = NodeKind::Cut,
                (None, _) => {}
            }
        }
    }

    /// The node of a state; none if there are too many.
    fn state(&mut self, state: Vec<u8>, journal: Arc<Journal>) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&state) {
            return Some(known);
        }
        if self.states.len() == self.limit {
            self.graph.is_cut = true;
            return None;
        }
        let kind = match self.states.len() {
            0 => NodeKind::Start,
            _ => NodeKind::State,
        };
        let node = self.add(kind, (self.states.len() + 1).to_string());
        self.numbers.insert(state.clone(), node);
        self.states.push((node, state, journal));
        Some(node)
    }

    fn error(&mut self, fault: &Fault) -> usize {
        let error = fault::error(self.system, fault);
        let place = match (fault.kind, error.line) {
            (ErrorKind::Hang, _) | (_, 0) => String::new(),
            (_, line) => format!(" at {}:{line}", error.file),
        };
        let text = format!("{}{place}: {}", error.kind, error.message);
        self.special(NodeKind::Error, text)
    }

    /// The node of an error or the like, one for each text.
    fn special(&mut self, kind: NodeKind, text: String) -> usize {
        if let Some(&known) = self.errors.get(&text) {
            return known;
        }
        let node = self.add(kind, text.clone());
        self.errors.insert(text, node);
        node
    }

    fn add(&mut self, kind: NodeKind, label: String) -> usize {
        self.graph.nodes.push(Node {
            kind,
            label,
            threads: Vec::new(),
            in_hang: false,
            component: None,
            is_terminal: false,
        });
        self.graph.nodes.len() - 1
    }

    fn steps(&self, events: &[Event]) -> Vec<impasse_report::Step> {
        let shown = |event: &&Event| !event.is_of_history() && !event.is_begin();
        let events: Vec<Event> = events.iter().filter(shown).cloned().collect();
        let mut steps = trace::steps(self.system, &events);
        steps.retain(|step| step.line > 0 || step.function.is_empty());
        steps
    }

    /// Where each thread is.
    fn threads(&mut self, state: &[u8], journal: &Journal) -> Vec<String> {
        let system = self.system;
        let view = self.stepper.view(state);
        let alive = (0..view.thread_count()).filter(|&thread| view.is_alive(thread));
        let place = |thread: usize| {
            let name = thread_name(journal.thread(thread));
            match place::spot(system, &view.frames_of(thread)) {
                Some(spot) => format!("{name} at {}:{}", spot.file, spot.line),
                None => name,
            }
        };
        alive.map(place).collect()
    }

    /// Marks the states of a hang's region, as far as they are there.
    fn mark(&mut self, region: &[Vec<u8>]) {
        for node in region.iter().filter_map(|state| self.numbers.get(state)) {
            self.graph.nodes[*node].in_hang = true;
        }
    }
}

/// Finds the strongly connected components, and which of them are terminal. That a deadlock is an
/// error leads nowhere.
fn add_components(graph: &mut StateGraph, deadlocked: &[usize]) {
    let mut directed = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = graph.nodes.iter().map(|_| directed.add_node(())).collect();
    let is_error = |node: usize| graph.nodes[node].kind == NodeKind::Error;
    for edge in &graph.edges {
        if !(deadlocked.contains(&edge.from) && is_error(edge.to)) {
            directed.update_edge(nodes[edge.from], nodes[edge.to], ());
        }
    }
    let mut found = tarjan_scc(&directed);
    found.iter_mut().for_each(|members| members.sort());
    found.sort();
    for members in found {
        let stays = |node: &NodeIndex| {
            let mut targets = directed.neighbors(*node);
            targets.all(|target| members.contains(&target))
        };
        let is_known = |node: &NodeIndex| {
            let kind = graph.nodes[node.index()].kind;
            matches!(kind, NodeKind::Start | NodeKind::State)
        };
        let is_terminal = members.iter().all(|node| stays(node) && is_known(node));
        let number = (members.len() > 1).then_some(graph.components.len());
        for node in &members {
            graph.nodes[node.index()].is_terminal = is_terminal;
            graph.nodes[node.index()].component = number;
        }
        if number.is_some() {
            graph.components.push(Component {
                states: members.len(),
                is_terminal,
            });
        }
    }
}
