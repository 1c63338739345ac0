//! The trait of transition systems, and the sinks they emit transitions into.

/// A system of states and transitions.
///
/// A state is a byte string that the system encodes as it likes; equal strings are the same state.
/// Encodings may differ between runs (they may hold numbers given in order of discovery), but the
/// graph must not: `initial` and `successors` emit corresponding transitions in the same order in
/// every run, on every thread. This makes everything that a search reports deterministic.
///
/// The [crate documentation](crate) has an example.
pub trait TransitionSystem: Sync {
    /// Scratch memory and caches of one thread of the search.
    type Worker: Send;
    /// An error of the system. Of several errors at the same distance a search reports the least.
    type Fault: Clone + Ord + Send;
    /// The reason why a transition was left out: something that the system does not support.
    type Omission: Clone + Ord + Send;

    /// Returns the scratch memory of one more thread.
    fn worker(&self) -> Self::Worker;

    /// Emits every initial state, or a fault that occurs before there is one. `worker` must not
    /// have been used before.
    fn initial(&self, worker: &mut Self::Worker, sink: &mut dyn Sink<Self>);

    /// Emits every transition that leaves `state`, which this system has emitted before.
    fn successors(&self, worker: &mut Self::Worker, state: &[u8], sink: &mut dyn Sink<Self>);

    /// Generates successors lazily: emits the transitions with the labels that `sink` asks for, one
    /// label after the other, and possibly others where omitting them saves nothing.
    fn lazy_successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u8],
        sink: &mut dyn SuccessorFilter<Self>,
    ) {
        self.successors(worker, state, sink);
    }

    /// Returns the scratch memory of one more thread that asks for reduced successors.
    fn reducing_worker(&self) -> Self::Worker {
        self.worker()
    }

    /// Emits enough of the transitions that leave `state`: a search that explores only these finds
    /// an error, a deadlock or a hang if and only if one that explores all does, unless
    /// [`revise`](TransitionSystem::revise) says that it must begin again.
    fn reduced_successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u8],
        sink: &mut dyn ReducingSink<Self>,
    ) {
        self.successors(worker, state, sink);
    }

    /// Whether [`reduced_successors`](TransitionSystem::reduced_successors) may emit fewer
    /// transitions than there are.
    fn reduces(&self) -> bool {
        false
    }

    /// A search begins in the initial state. Must not be called while one explores. `reduced` says
    /// whether it asks for reduced successors, and `revises` whether it calls
    /// [`revise`](TransitionSystem::revise) before it ends.
    fn begin_search(&self, _reduced: bool, _revises: bool) {}

    /// Takes note of what was explored since the last call. Returns whether too few transitions
    /// were emitted so far, so that a search that found no error must begin again. Must not be
    /// called while a search explores. If the search `claims` nothing yet, the system may answer
    /// later.
    fn revise(&self, _reduced: bool, _claims: bool) -> bool {
        false
    }

    /// A search has found something that hangs. Returns whether that may be wrong, because too few
    /// transitions were emitted: then it must begin again. Returns true a few times at most, so that
    /// searches end. Must not be called while a search explores.
    fn withdraw(&self) -> bool {
        false
    }

    /// Appends the keys of the section instances that are open in `state`, each once, in a
    /// deterministic order, and none once the program has ended. The requirement that the whole
    /// program can end is one more key, open in every other state.
    fn open_sections(&self, _worker: &mut Self::Worker, _state: &[u8], _open: &mut Vec<Key>) {}

    /// Emits the *drained* states of `state`: what it becomes when its store buffers are emptied
    /// and no [non-progress edge](Branch::NonProgress) is taken from there on. Emits nothing if the
    /// state is drained already. A search calls this where a section cannot end otherwise. The
    /// ordinals of these transitions follow those of `successors`.
    fn drain(&self, _worker: &mut Self::Worker, _state: &[u8], _sink: &mut dyn Sink<Self>) {}

    /// Returns whether a fault only says that no thread can continue. Such a fault is a hang of
    /// every section open in its state.
    fn is_deadlock(_fault: &Self::Fault) -> bool {
        false
    }

    /// Returns whether transitions were emitted for single values of inputs, all of which another
    /// system would follow at once. Must not be called while a search explores.
    fn has_tried_inputs(&self) -> bool {
        false
    }

    /// Returns the memory that the system itself currently holds for the states found, in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// The receiver of transitions.
///
/// Edges and faults are numbered in the order of emission, from 0: their *ordinals*. A
/// [`Path`](crate::Path) is a sequence of ordinals.
pub trait Sink<S: TransitionSystem + ?Sized> {
    /// Receives a transition to a state, or an initial state.
    fn edge(&mut self, edge: Edge<'_>);

    /// Receives a transition that ends in an error.
    fn fault(&mut self, fault: S::Fault);

    /// Receives the reason why a transition could not be followed. A search that received one must
    /// not claim that it has exhausted the state space.
    fn omission(&mut self, reason: S::Omission);
}

/// A sink that selects which successors are generated.
pub trait SuccessorFilter<S: TransitionSystem + ?Sized>: Sink<S> {
    /// Returns the label whose transitions are to be generated next, or `None` if enough were.
    /// `labels` holds the labels that were not generated yet; some of them may have no transitions.
    fn next_label(&mut self, labels: &[u32]) -> Option<u32>;
}

/// A sink of reduced successors.
pub trait ReducingSink<S: TransitionSystem + ?Sized>: Sink<S> {
    /// Returns whether the search finds a state on the next level or has not found it yet. If a
    /// system emits fewer transitions than there are, all transitions of one [group](Branch) must
    /// lead to such states, or what was omitted could be omitted forever.
    fn leads_deeper(&mut self, target: &[u8]) -> bool;

    /// The next ordinals belong to transitions that are omitted.
    fn skip(&mut self, ordinals: u32);
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The target state.
    pub target: &'a [u8],
    /// A word of the system's own, returned when a path is replayed: the machine stores the thread.
    pub label: u32,
    /// Who selects this transition.
    pub branch: Branch,
    /// The section instances that it ends.
    pub ends: Ends<'a>,
    /// Whether it changes nothing that another thread could observe.
    pub silent: bool,
}

impl<'a> Edge<'a> {
    /// Returns a transition to `target` that the scheduler selects, with label 0. It ends no
    /// section and is not silent.
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

/// Who selects between a transition and the one emitted before it.
///
/// The transitions of a state form groups: the scheduler selects a group, an input selects one
/// transition of the group. A section can end from the state if there is *some* group such that it
/// can end through *all* transitions of the group. Non-progress edges belong to no group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branch {
    /// The scheduler: this transition opens a new group.
    Schedule,
    /// An input: another outcome of the same step as the last transition emitted before it that is
    /// no non-progress edge.
    Input,
    /// A non-progress edge: a delayed store or a spurious failure, which a program must not rely
    /// on. Its target is reachable, but no section ends through it.
    NonProgress,
}

/// The key of a section instance while it is open. The keys in two states joined by an edge that
/// does not end the instance are equal if and only if they denote the same instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub u64);

impl Key {
    /// The section that is the whole program.
    pub const PROGRAM: Key = Key(u64::MAX);
}

/// The section instances that an edge ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends<'a> {
    /// Those with the given keys. A key that is open again in the target denotes a new instance.
    Sections(&'a [Key]),
    /// All of them: the program ends.
    Program,
}
