//! Tarjan's algorithm, on the fly: finds a fully accepting terminal strongly connected component.
//!
//! A component is complete when its root is left. It is *fully accepting and terminal* if no state
//! of it has an edge that is not accepting or leads out of it. An edge leads out if its target
//! belongs to a component that was complete before; then the source is marked.
//!
//! C. Baier, J.-P. Katoen, *Principles of Model Checking*, MIT Press 2008, calls these components
//! bottom strongly connected components (section 10.1.2).

use super::product::unpack;
use crate::bounds::Bounds;
use crate::findings::{Findings, Place};
use crate::live_statistics::LiveStatistics;
use crate::outcome::{Outcome, Statistics, Verdict};
use crate::search::Search;
use impasse_limits::StopReason;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Branch, Key, Numbered, Path, Received, TransitionSystem};
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Searches until it finds such a component, a fault, or the end. `section` returns the section
/// that a state of the component watches. The path to a fault ends with the state that it leaves.
pub(super) fn search<T: TransitionSystem + ?Sized>(
    search: &Search<'_, T>,
    section: impl Fn(&[u8]) -> Key,
) -> Outcome<T> {
    let mut run = Run {
        system: search.system,
        worker: search.system.worker(),
        states: Interner::new(),
        visited: FxHashMap::default(),
        path: Vec::new(),
        component: Vec::new(),
        findings: Findings::default(),
        depth: 0,
    };
    let bounds = Bounds::new(search.max_states, search.cancel).with_inputs(search.max_inputs);
    let verdict = run.explore(&bounds, search, section);
    let statistics = Statistics {
        states: run.states.len() as u64,
        transitions: run.findings.transitions,
        depth: run.depth,
        terminal: run.findings.terminal,
        bytes: run.bytes(),
        elapsed: bounds.elapsed(),
    };
    let omissions = std::mem::take(&mut run.findings.omissions)
        .into_iter()
        .collect();
    Outcome {
        verdict,
        omissions,
        noted_may_hang: false,
        statistics,
    }
}

struct Run<'a, T: TransitionSystem + ?Sized> {
    system: &'a T,
    worker: T::Worker,
    states: Interner,
    visited: FxHashMap<Id, Visited>,
    path: Vec<Frame>,
    /// States whose component is incomplete, in the order in which they were entered.
    component: Vec<Id>,
    findings: Findings<T>,
    depth: u64,
}

/// A state that was entered.
struct Visited {
    /// Its number in the order of entering.
    number: usize,
    /// Whether its component is complete.
    complete: bool,
    /// Whether it has an edge that is not accepting, or leads out of its component.
    escapes: bool,
}

/// A state on the path.
struct Frame {
    state: Id,
    /// The original ordinal of the edge that led to it.
    ordinal: u32,
    /// The lowlink: the least number known to be reachable within the component.
    low: usize,
    edges: std::vec::IntoIter<Transition>,
}

struct Transition {
    ordinal: u32,
    target: Id,
    accepting: bool,
}

impl<T: TransitionSystem + ?Sized> Run<'_, T> {
    fn explore(
        &mut self,
        bounds: &Bounds<'_>,
        search: &Search<'_, T>,
        section: impl Fn(&[u8]) -> Key,
    ) -> Verdict<T::Fault> {
        for transition in self.emit(None) {
            if self.findings.fault.is_none() && !self.visited.contains_key(&transition.target) {
                self.enter(transition.target, transition.ordinal);
            }
            while !self.path.is_empty() && self.findings.fault.is_none() {
                if let Some(reason) = self.check(bounds, search.live_statistics) {
                    return Verdict::Stopped(reason);
                }
                if let Some(state) = self.step() {
                    return Verdict::Hang {
                        section: section(self.states.get(state)),
                        path: self.present_path(),
                    };
                }
            }
        }
        match self.findings.fault.take() {
            Some((fault, _)) => Verdict::Fault {
                fault,
                path: self.present_path(),
            },
            None => match bounds.cancel().reason() {
                Some(reason) => Verdict::Stopped(reason),
                None => Verdict::Exhausted,
            },
        }
    }

    fn check(
        &self,
        bounds: &Bounds<'_>,
        live_statistics: Option<&LiveStatistics>,
    ) -> Option<StopReason> {
        let states = self.states.len() as u64;
        if let Some(live_statistics) = live_statistics {
            live_statistics.states.store(states, Relaxed);
            live_statistics
                .transitions
                .store(self.findings.transitions, Relaxed);
            live_statistics.depth.store(self.path.len() as u64, Relaxed);
        }
        bounds
            .check_states(states)
            .or_else(|| bounds.check_inputs(self.system, self.findings.inputs))
            .or_else(|| bounds.cancel().reason())
    }

    /// Follows one edge, or leaves a state. Returns the root of a component that was looked for,
    /// which stays on the path.
    fn step(&mut self) -> Option<Id> {
        let frame = self.path.last_mut().expect("the path is not empty");
        let state = frame.state;
        let Some(edge) = frame.edges.next() else {
            return self.leave();
        };
        let (entered, escapes) = match self.visited.get(&edge.target) {
            None => (false, false),
            Some(target) => {
                if !target.complete {
                    frame.low = frame.low.min(target.number);
                }
                (true, target.complete)
            }
        };
        let visited = self
            .visited
            .get_mut(&state)
            .expect("a state on the path was entered");
        visited.escapes |= escapes || !edge.accepting;
        if !entered {
            self.enter(edge.target, edge.ordinal);
        }
        None
    }

    fn enter(&mut self, state: Id, ordinal: u32) {
        let number = self.visited.len();
        let edges = self.emit(Some(state));
        // A state without edges is a trivial component.
        let escapes = edges.is_empty();
        self.visited.insert(
            state,
            Visited {
                number,
                complete: false,
                escapes,
            },
        );
        self.component.push(state);
        self.path.push(Frame {
            state,
            ordinal,
            low: number,
            edges: edges.into_iter(),
        });
        self.depth = self.depth.max(self.path.len() as u64 - 1);
    }

    fn leave(&mut self) -> Option<Id> {
        let Frame { state, low, .. } = *self.path.last().expect("the path is not empty");
        let is_first = self.visited[&state].number == low;
        if is_first && self.complete(state) {
            return Some(state);
        }
        self.path.pop();
        if let Some(parent) = self.path.last_mut() {
            if is_first {
                self.visited
                    .get_mut(&parent.state)
                    .expect("entered")
                    .escapes = true;
            } else {
                parent.low = parent.low.min(low);
            }
        }
        None
    }

    /// Completes the component with the root `first`. Returns whether no edge escapes it.
    fn complete(&mut self, first: Id) -> bool {
        let mut closed = true;
        loop {
            let state = self.component.pop().expect("the component holds its root");
            let visited = self.visited.get_mut(&state).expect("entered");
            visited.complete = true;
            closed &= !visited.escapes;
            if state == first {
                return closed;
            }
        }
    }

    /// The transitions of a state, or those to the initial states.
    fn emit(&mut self, state: Option<Id>) -> Vec<Transition> {
        let Run {
            system,
            worker,
            states,
            findings,
            ..
        } = self;
        let mut edges = Vec::new();
        let mut sink = Numbered::new(|received: Received<'_, T>| match received {
            Received::Edge(_, edge) => {
                let (ordinal, accepting) = unpack(edge.label);
                let target = states.intern(edge.target).id;
                findings.inputs += u64::from(edge.branch == Branch::Input);
                edges.push(Transition {
                    ordinal,
                    target,
                    accepting,
                });
            }
            // The fault itself says where it was found; only the least one is kept.
            Received::Fault(_, fault) => findings.fault(fault, Place::new(0, 0)),
            Received::Omission(reason) => findings.omission(reason),
        });
        match state {
            None => system.initial(worker, &mut sink),
            Some(id) => system.successors(worker, states.get(id), &mut sink),
        }
        if state.is_some() {
            self.findings.transitions += edges.len() as u64;
            self.findings.terminal += u64::from(edges.is_empty());
        }
        edges
    }

    fn present_path(&self) -> Path {
        Path::new(self.path.iter().map(|frame| frame.ordinal).collect())
    }

    fn bytes(&self) -> u64 {
        let visited = self.visited.capacity() * (size_of::<(Id, Visited)>() + 1);
        let stacks = self.path.len() * size_of::<Frame>() + self.component.len() * size_of::<Id>();
        self.states.bytes() + (visited + stacks) as u64 + self.system.bytes()
    }
}
