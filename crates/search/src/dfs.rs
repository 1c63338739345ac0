//! Depth-first search: on one thread, deepest state first.
//!
//! The stack holds the states of the present path, each with the transitions that are still to be
//! followed; they lie one behind the other in one vector. The path to a fault is the stack itself.

use crate::bounds::Bounds;
use crate::findings::{Findings, Place};
use crate::live_statistics::LiveStatistics;
use crate::outcome::{Outcome, Statistics, Verdict};
use crate::search::Search;
use impasse_limits::StopReason;
use impasse_store::{Column, Id, Interner};
use impasse_transition_system::{Branch, Numbered, Path, Received, TransitionSystem};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Expansions between two updates of the figures shown.
const INTERVAL: u64 = 64;

pub(crate) fn search<S: TransitionSystem + ?Sized>(search: &Search<'_, S>) -> Outcome<S> {
    loop {
        search.system.begin_search(false, true);
        let outcome = search_once(search);
        let is_refuted =
            matches!(outcome.verdict, Verdict::Exhausted) && search.system.revise(false, true);
        if !is_refuted {
            return outcome;
        }
    }
}

fn search_once<S: TransitionSystem + ?Sized>(search: &Search<'_, S>) -> Outcome<S> {
    let idle = LiveStatistics::new();
    let run = Run {
        system: search.system,
        worker: search.system.worker(),
        bounds: Bounds::new(search.max_states, search.cancel).with_inputs(search.max_inputs),
        live_statistics: search.live_statistics.unwrap_or(&idle),
        states: Interner::new(),
        entered: Column::new(),
        path: Vec::new(),
        pending: Vec::new(),
        findings: Findings::default(),
        depth: 0,
    };
    run.run()
}

struct Run<'a, S: TransitionSystem + ?Sized> {
    system: &'a S,
    worker: S::Worker,
    bounds: Bounds<'a>,
    live_statistics: &'a LiveStatistics,
    states: Interner,
    /// Whether a state was entered, by id.
    entered: Column<AtomicU8>,
    path: Vec<Frame>,
    /// The transitions still to be followed, those of the top frame last, the next one at the end.
    pending: Vec<Transition>,
    findings: Findings<S>,
    depth: u64,
}

/// A state on the path.
struct Frame {
    /// The ordinal of the transition that led to it.
    ordinal: u32,
    /// Where its pending transitions begin.
    first: usize,
}

struct Transition {
    ordinal: u32,
    target: Id,
}

impl<S: TransitionSystem + ?Sized> Run<'_, S> {
    fn run(mut self) -> Outcome<S> {
        let verdict = self.explore();
        self.show_figures();
        let omissions = std::mem::take(&mut self.findings.omissions)
            .into_iter()
            .collect();
        let statistics = Statistics {
            states: self.states.len() as u64,
            transitions: self.findings.transitions,
            depth: self.depth,
            terminal: self.findings.terminal,
            bytes: self.bytes(),
            elapsed: self.bounds.elapsed(),
        };
        Outcome {
            verdict,
            omissions,
            noted_may_hang: false,
            statistics,
        }
    }

    fn explore(&mut self) -> Verdict<S::Fault> {
        self.emit(None);
        let mut expanded = 0;
        loop {
            if let Some((fault, place)) = self.findings.fault.take() {
                return Verdict::Fault {
                    fault,
                    path: self.path_to(place),
                };
            }
            if let Some(reason) = self.check(expanded) {
                return Verdict::Stopped(reason);
            }
            let Some(transition) = self.next_transition() else {
                return Verdict::Exhausted;
            };
            self.enter(transition);
            expanded += 1;
        }
    }

    /// The next transition to a state that was not entered yet, having left those that are done
    /// with.
    fn next_transition(&mut self) -> Option<Transition> {
        loop {
            let first = self.path.last().map_or(0, |frame| frame.first);
            if self.pending.len() == first {
                self.path.pop()?;
                continue;
            }
            let transition = self.pending.pop()?;
            if self.entered.cell(transition.target.0).swap(1, Relaxed) == 0 {
                return Some(transition);
            }
        }
    }

    fn enter(&mut self, transition: Transition) {
        self.path.push(Frame {
            ordinal: transition.ordinal,
            first: self.pending.len(),
        });
        self.depth = self.depth.max(self.path.len() as u64 - 1);
        let ordinals = self.emit(Some(transition.target));
        self.findings.transitions += u64::from(ordinals);
        self.findings.terminal += u64::from(ordinals == 0);
    }

    /// Takes what leaves a state, or the initial states, and returns how many there are.
    fn emit(&mut self, state: Option<Id>) -> u32 {
        let first = self.pending.len();
        let Run {
            system,
            worker,
            states,
            pending,
            findings,
            ..
        } = self;
        let mut sink = Numbered::new(|received: Received<'_, S>| match received {
            Received::Edge(ordinal, edge) => {
                let target = states.intern(edge.target).id;
                findings.inputs += u64::from(edge.branch == Branch::Input);
                pending.push(Transition { ordinal, target });
            }
            Received::Fault(ordinal, fault) => findings.fault(fault, Place::new(0, ordinal)),
            Received::Omission(reason) => findings.omission(reason),
        });
        match state {
            None => system.initial(worker, &mut sink),
            Some(id) => system.successors(worker, states.get(id), &mut sink),
        }
        let ordinals = sink.emitted;
        self.pending[first..].reverse();
        ordinals
    }

    fn check(&self, expanded: u64) -> Option<StopReason> {
        let states = self.states.len() as u64;
        if expanded.is_multiple_of(INTERVAL) {
            self.show_figures();
        }
        let limit = self.bounds.check_states(states);
        let inputs = || self.bounds.check_inputs(self.system, self.findings.inputs);
        limit
            .or_else(inputs)
            .or_else(|| self.bounds.cancel().reason())
    }

    fn show_figures(&self) {
        self.live_statistics
            .states
            .store(self.states.len() as u64, Relaxed);
        self.live_statistics
            .transitions
            .store(self.findings.transitions, Relaxed);
        self.live_statistics
            .depth
            .store(self.path.len() as u64, Relaxed);
        self.live_statistics
            .waiting
            .store(self.pending.len() as u64, Relaxed);
        self.live_statistics.bytes.store(self.bytes(), Relaxed);
    }

    fn bytes(&self) -> u64 {
        let stack = size_of_val(&*self.path) + size_of_val(&*self.pending);
        self.states.bytes() + self.states.len() as u64 + stack as u64 + self.system.bytes()
    }

    fn path_to(&self, last: Place) -> Path {
        let ordinals = self
            .path
            .iter()
            .map(|frame| frame.ordinal)
            .chain([last.ordinal()]);
        Path::new(ordinals.collect())
    }
}
