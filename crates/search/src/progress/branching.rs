//! Hangs by the construction of Štill and Barnat, kept as an independent reference.
//!
//! The space is enlarged: whenever a section instance is entered, one branch goes on as usual,
//! another watches that instance (it is *active*) until it ends, where exploration stops. Edges
//! while an instance is active are accepting. A hang is a terminal strongly connected component all
//! of whose edges are accepting; they have such an edge for every state, as a state without a way
//! on is given a loop (who is blocked might as well spin). Where inputs choose, that is not enough:
//! see `adversary`.
//!
//! See V. Štill, J. Barnat: Local Nontermination Detection for Parallel C++ Programs, section 5.

use super::{adversary, tarjan};
use crate::outcome::{Outcome, Verdict};
use crate::search::Search;
use impasse_transition_system::Path;
use impasse_transition_system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Looks for a hang in the enlarged space.
pub(crate) fn search<S: TransitionSystem + ?Sized>(search: &Search<'_, S>) -> Outcome<S> {
    let enlarged = Enlarged {
        system: search.system,
        has_inputs: AtomicBool::new(false),
    };
    let inner = Search {
        system: &enlarged,
        strategy: search.strategy,
        threads: search.threads,
        apart: search.apart,
        max_states: search.max_states,
        cancel: search.cancel,
        meter: search.meter,
    };
    let section = |state: &[u8]| match State::decode(state).0 {
        Activity::Active(key) => key,
        Activity::Inactive | Activity::Over => {
            unreachable!("accepting edges are those of active instances")
        }
    };
    let Outcome {
        verdict,
        omissions,
        endless,
        statistics,
    } = tarjan::search(&inner, section);
    let verdict = match verdict {
        Verdict::Exhausted if enlarged.has_inputs.load(Relaxed) => {
            adversary::search(&inner, section)
        }
        other => other,
    };
    let verdict = match verdict {
        Verdict::Exhausted => Verdict::Exhausted,
        Verdict::Stopped(reason) => Verdict::Stopped(reason),
        Verdict::Hang { section, path } => Verdict::Hang { section, path },
        Verdict::Fault {
            fault: (fault, ordinal),
            path,
        } => Verdict::Fault {
            fault,
            path: Path::new([path.ordinals(), &[ordinal]].concat()),
        },
    };
    Outcome {
        verdict,
        omissions,
        endless,
        statistics,
    }
}

/// A label in the enlarged space: the ordinal in the original one, and whether the edge is
/// accepting.
pub(super) fn unpack(label: u32) -> (u32, bool) {
    (label >> 1, label & 1 == 1)
}

fn pack(ordinal: u32, accepting: bool) -> u32 {
    ordinal << 1 | u32::from(accepting)
}

/// The enlarged space of a system.
struct Enlarged<'a, S: ?Sized> {
    system: &'a S,
    /// Whether an input chooses while an instance is watched.
    has_inputs: AtomicBool,
}

/// Which instance is watched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Inactive,
    Active(Key),
    /// The instance that was watched has ended.
    Over,
}

/// States of the enlarged space, as bytes: the activity, the key, the original state.
struct State;

impl State {
    fn encode(activity: Activity, state: &[u8]) -> Vec<u8> {
        let (tag, key) = match activity {
            Activity::Inactive => (0, 0),
            Activity::Active(key) => (1, key.0),
            Activity::Over => (2, 0),
        };
        [&[tag][..], &u64::to_le_bytes(key), state].concat()
    }

    fn decode(bytes: &[u8]) -> (Activity, &[u8]) {
        let (head, state) = bytes.split_at(9);
        let key = Key(u64::from_le_bytes(
            head[1..].try_into().expect("eight bytes"),
        ));
        let activity = match head[0] {
            0 => Activity::Inactive,
            1 => Activity::Active(key),
            _ => Activity::Over,
        };
        (activity, state)
    }
}

/// What the original system emitted.
enum Emission<S: TransitionSystem + ?Sized> {
    Edge {
        target: Vec<u8>,
        ended: Option<Vec<Key>>,
        branch: Branch,
    },
    Fault(S::Fault),
    Omission(S::Omission),
}

struct Emissions<S: TransitionSystem + ?Sized>(Vec<Emission<S>>);

impl<S: TransitionSystem + ?Sized> Sink<S> for Emissions<S> {
    fn edge(&mut self, edge: Edge<'_>) {
        let ended = match edge.ends {
            Ends::Sections(keys) => Some(keys.to_vec()),
            Ends::Program => None,
        };
        self.0.push(Emission::Edge {
            target: edge.target.to_vec(),
            ended,
            branch: edge.branch,
        });
    }

    fn fault(&mut self, fault: S::Fault) {
        self.0.push(Emission::Fault(fault));
    }

    fn omission(&mut self, reason: S::Omission) {
        self.0.push(Emission::Omission(reason));
    }
}

impl<S: TransitionSystem + ?Sized> TransitionSystem for Enlarged<'_, S> {
    type Worker = S::Worker;
    /// The fault, and its ordinal in the original space.
    type Fault = (S::Fault, u32);
    type Omission = S::Omission;

    fn worker(&self) -> S::Worker {
        self.system.worker()
    }

    fn initial(&self, worker: &mut S::Worker, sink: &mut dyn Sink<Self>) {
        let mut emissions = Emissions::<S>(Vec::new());
        self.system.initial(worker, &mut emissions);
        self.pass_on(worker, Activity::Inactive, &[], emissions, sink);
    }

    fn successors(&self, worker: &mut S::Worker, state: &[u8], sink: &mut dyn Sink<Self>) {
        let (activity, state) = State::decode(state);
        if activity == Activity::Over {
            return;
        }
        let mut emissions = Emissions::<S>(Vec::new());
        self.system.successors(worker, state, &mut emissions);
        if emissions.0.is_empty() && activity != Activity::Inactive {
            let blocked = State::encode(activity, state);
            sink.edge(labelled(&blocked, 0, true));
            return;
        }
        let open = self.open(worker, state);
        self.pass_on(worker, activity, &open, emissions, sink);
    }

    fn bytes(&self) -> u64 {
        self.system.bytes()
    }
}

impl<S: TransitionSystem + ?Sized> Enlarged<'_, S> {
    fn open(&self, worker: &mut S::Worker, state: &[u8]) -> Vec<Key> {
        let mut open = Vec::new();
        self.system.open_sections(worker, state, &mut open);
        open
    }

    /// Emits what corresponds to what the original system emitted, from a state with these open
    /// sections.
    fn pass_on(
        &self,
        worker: &mut S::Worker,
        activity: Activity,
        open: &[Key],
        emissions: Emissions<S>,
        sink: &mut dyn Sink<Self>,
    ) {
        let mut ordinal = 0;
        for emission in emissions.0 {
            match emission {
                Emission::Fault(fault) => sink.fault((fault, ordinal)),
                Emission::Omission(reason) => {
                    sink.omission(reason);
                    // What was left out might end the instance.
                    sink.edge(labelled(
                        &State::encode(Activity::Over, &[]),
                        ordinal,
                        false,
                    ));
                    continue;
                }
                Emission::Edge {
                    target,
                    ended,
                    branch,
                } => {
                    let next_open = self.open(worker, &target);
                    let ends = |key: &Key| ended.as_ref().is_none_or(|keys| keys.contains(key));
                    if let Activity::Active(key) = activity {
                        let over = ends(&key) || !next_open.contains(&key);
                        let next = if over { Activity::Over } else { activity };
                        let target: &[u8] = if over { &[] } else { &target };
                        self.has_inputs.fetch_or(branch == Branch::Input, Relaxed);
                        sink.edge(Edge {
                            branch,
                            ..labelled(&State::encode(next, target), ordinal, !over)
                        });
                    } else {
                        sink.edge(labelled(
                            &State::encode(Activity::Inactive, &target),
                            ordinal,
                            false,
                        ));
                        for &key in next_open
                            .iter()
                            .filter(|key| !open.contains(key) || ends(key))
                        {
                            sink.edge(labelled(
                                &State::encode(Activity::Active(key), &target),
                                ordinal,
                                false,
                            ));
                        }
                    }
                }
            }
            ordinal += 1;
        }
    }
}

fn labelled(target: &[u8], ordinal: u32, accepting: bool) -> Edge<'_> {
    Edge {
        target,
        label: pack(ordinal, accepting),
        branch: Branch::Schedule,
        ends: Ends::Sections(&[]),
        silent: false,
    }
}
