//! What a search explores: the trait of transition systems, and the sink they emit edges into.

/// A system of states and transitions between them.
///
/// A state is a byte string that the system encodes as it likes; equal strings are the same state.
/// Encodings may differ between runs (they may hold numbers given in order of discovery) but the
/// graph must not: `initial` and `successors` emit the corresponding things in the same order in
/// every run, on every thread. All that a search reports is then deterministic.
pub trait TransitionSystem: Sync {
    /// What one thread of the search keeps to itself: scratch memory, caches.
    type Worker: Send;
    /// An error of the system. The order decides which of several equally near ones is reported.
    type Fault: Clone + Ord + Send;
    /// Why a part of the space was left out: something that the system does not support.
    type Omission: Clone + Ord + Send;

    /// Makes the scratch of one more thread.
    fn worker(&self) -> Self::Worker;

    /// Emits every initial state, or a fault that occurs before there is any.
    fn initial(&self, worker: &mut Self::Worker, sink: &mut dyn Sink<Self>);

    /// Emits every transition that leaves `state`.
    fn successors(&self, worker: &mut Self::Worker, state: &[u8], sink: &mut dyn Sink<Self>);

    /// Emits some of these transitions: those with the labels that `sink` asks for, one label after the other, and maybe
    /// others, where leaving them out saves nothing.
    fn some_successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u8],
        sink: &mut dyn Asking<Self>,
    ) {
        self.successors(worker, state, sink);
    }

    /// Appends the keys of the section instances that are open in `state`, each once, in a
    /// deterministic order; none once the program has ended. That the whole program must be able to
    /// end is one more key, open in every other state.
    fn open_sections(&self, _worker: &mut Self::Worker, _state: &[u8], _open: &mut Vec<Key>) {}

    /// Emits what `state` comes to when from there on nothing is left to [`Branch::Chance`]; nothing
    /// if it has come to that already. Asked for where a section is not found to end otherwise. These
    /// transitions are numbered after those that `successors` emits.
    fn settle(&self, _worker: &mut Self::Worker, _state: &[u8], _sink: &mut dyn Sink<Self>) {}

    /// Whether a fault says no more than that nothing can go on, which is a hang of all sections open there.
    fn is_standstill(_fault: &Self::Fault) -> bool {
        false
    }

    /// Memory that the system itself holds at present for the states that were found, in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What a transition system emits into.
///
/// Edges and faults are numbered in the order of emission, from 0: their *ordinals*. A
/// [`Path`](crate::Path) is a sequence of ordinals.
pub trait Sink<S: TransitionSystem + ?Sized> {
    /// A transition to a state, or an initial state.
    fn edge(&mut self, edge: Edge<'_>);

    /// A transition that ends in an error.
    fn fault(&mut self, fault: S::Fault);

    /// A transition that could not be followed. The result can then not be "exhausted" without
    /// reservation.
    fn omission(&mut self, reason: S::Omission);
}

/// A sink that need not have all transitions of a state.
pub trait Asking<S: TransitionSystem + ?Sized>: Sink<S> {
    /// Which one of some labels, those not asked for before, the transitions are wanted of next; none if there are enough. Some of them
    /// may have no transitions.
    fn next(&mut self, labels: &[u32]) -> Option<u32>;
}

/// A transition as it is emitted.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The state that it leads to.
    pub target: &'a [u8],
    /// A word of the system's own, handed back when a path is replayed; for instance who moved.
    pub label: u32,
    /// Who decides that this transition is taken.
    pub branch: Branch,
    /// The section instances that it ends.
    pub ends: Ends<'a>,
    /// Whether it changes nothing that anybody but the one who takes it could observe.
    pub silent: bool,
}

impl<'a> Edge<'a> {
    /// A transition of its own to `target`, without label, that ends no section and is not silent.
    pub fn to(target: &'a [u8]) -> Self {
        Edge {
            target,
            label: 0,
            branch: Branch::Schedule,
            ends: Ends::Sections(&[]),
            silent: false,
        }
    }
}

/// Who decides between a transition and the one emitted before it.
///
/// The transitions of a state form groups: the scheduler picks a group, an input picks one within
/// the group. A section can end from the state if in *some* group it can end through *all*
/// transitions. Those of chance are in no group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branch {
    /// The scheduler: this transition opens a new group.
    Schedule,
    /// An input: this is another outcome of the same step as the transition emitted before it that
    /// is not one of chance.
    Input,
    /// Nobody can rely on it: where it leads can be reached, but nothing ends through it.
    Chance,
}

/// The name of a section instance while it is open: equal in two states joined by an edge that
/// does not end it if and only if it is the same instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub u64);

impl Key {
    /// The section that is the whole program.
    pub const PROGRAM: Key = Key(u64::MAX);
}

/// The section instances that an edge ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends<'a> {
    /// Those with the given keys. Open again under the same key in the target means a new instance.
    Sections(&'a [Key]),
    /// All of them: the program ends.
    Program,
}
