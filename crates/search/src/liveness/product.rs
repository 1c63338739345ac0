//! Hangs by the algorithm of Štill and Barnat, as an independent reference.
//!
//! The product of the state space with the choice of one section instance: whenever an instance is
//! entered, one branch continues as usual, and another watches that instance (it is *active*) until
//! it ends, where exploration stops. Edges while an instance is active are accepting. A hang is a
//! fully accepting terminal strongly connected component. A state without successors gets a
//! self-loop (a blocked thread might as well spin), so that every component of a hang has an edge.
//! Where inputs select, that is not enough: see `adversarial_inputs`.
//!
//! V. Štill, J. Barnat, *Local Nontermination Detection for Parallel C++ Programs*, SEFM 2019, LNCS
//! 11724, section 5.1, definitions 2 and 3 and theorem 1.

use impasse_transition_system::{
    Branch, Edge, Emission, Emissions, Ends, Key, OwnedEdge, Sink, TransitionSystem,
};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Decodes a label of the product: the ordinal of the original transition, and whether the edge is
/// accepting.
pub(super) fn unpack(label: u32) -> (u32, bool) {
    (label >> 1, label & 1 == 1)
}

fn pack(ordinal: u32, accepting: bool) -> u32 {
    ordinal << 1 | u32::from(accepting)
}

/// Returns the section that is watched in a state from which an accepting edge leads on.
pub(super) fn active_section(state: &[u8]) -> Key {
    match State::decode(state).0 {
        Activity::Active(key) => key,
        Activity::Inactive | Activity::Over => {
            unreachable!("accepting edges are those of active instances")
        }
    }
}

/// The product of a system with the choice of a section instance.
pub(super) struct Product<'a, S: ?Sized> {
    system: &'a S,
    /// Whether an input selects while an instance is active.
    has_inputs: AtomicBool,
}

impl<'a, S: ?Sized> Product<'a, S> {
    pub(super) fn new(system: &'a S) -> Self {
        Product {
            system,
            has_inputs: AtomicBool::new(false),
        }
    }

    /// Whether the search has seen an input that selects while an instance is active.
    pub(super) fn has_inputs(&self) -> bool {
        self.has_inputs.load(Relaxed)
    }
}

/// Which instance is active.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Inactive,
    Active(Key),
    /// The active instance has ended.
    Over,
}

/// States of the product, as bytes: the activity, the key, the original state.
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

impl<S: TransitionSystem + ?Sized> TransitionSystem for Product<'_, S> {
    type Worker = S::Worker;
    /// The fault, and its ordinal in the original system.
    type Fault = (S::Fault, u32);
    type Omission = S::Omission;

    fn worker(&self) -> S::Worker {
        self.system.worker()
    }

    fn initial(&self, worker: &mut S::Worker, sink: &mut dyn Sink<Self>) {
        let mut emissions = Emissions::<S>::new();
        self.system.initial(worker, &mut emissions);
        self.emit(worker, Activity::Inactive, &[], emissions, sink);
    }

    fn successors(&self, worker: &mut S::Worker, state: &[u8], sink: &mut dyn Sink<Self>) {
        let (activity, state) = State::decode(state);
        if activity == Activity::Over {
            return;
        }
        let mut emissions = Emissions::<S>::new();
        self.system.successors(worker, state, &mut emissions);
        if emissions.0.is_empty() && activity != Activity::Inactive {
            let blocked = State::encode(activity, state);
            sink.edge(labelled(&blocked, 0, true));
            return;
        }
        let open = self.open(worker, state);
        self.emit(worker, activity, &open, emissions, sink);
    }

    fn has_tried_inputs(&self) -> bool {
        self.system.has_tried_inputs()
    }

    fn bytes(&self) -> u64 {
        self.system.bytes()
    }
}

impl<S: TransitionSystem + ?Sized> Product<'_, S> {
    fn open(&self, worker: &mut S::Worker, state: &[u8]) -> Vec<Key> {
        let mut open = Vec::new();
        self.system.open_sections(worker, state, &mut open);
        open
    }

    /// Emits the product's transitions for those of the original system, from a state with these
    /// open sections.
    fn emit(
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
                    // The omitted transition might end the instance.
                    sink.edge(labelled(
                        &State::encode(Activity::Over, &[]),
                        ordinal,
                        false,
                    ));
                    continue;
                }
                Emission::Edge(OwnedEdge {
                    target,
                    ended,
                    branch,
                    ..
                }) => {
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
                        sink.edge(Edge {
                            branch,
                            ..labelled(&State::encode(Activity::Inactive, &target), ordinal, false)
                        });
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
