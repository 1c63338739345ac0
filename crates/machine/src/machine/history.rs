//! The happens-before history of the state under execution, and what the step does to it.

use crate::base::options::Tracking;
use crate::state::happens_before::{HappensBefore, Kind, Op, Span, Spans, Stage};
use crate::state::memory;
use crate::state::undecided::{Access, Repetition, Undecided};
use crate::state::weak::Noted;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// The happens-before history of the state under execution, and what the step does to it
/// (`reduction::track`). Where states have none, it stays empty.
pub(crate) struct History {
    /// What states have of it.
    tracking: Tracking,
    /// The accesses that can still race.
    accesses: Arc<HappensBefore>,
    /// What the present instruction does to the history when it completes.
    staged: Vec<(Stage, Op)>,
    /// What the step has done to it, if that is kept.
    ops: Vec<Op>,
    /// Whether it is.
    keeps_ops: bool,
    /// The plain accesses that the step ran through.
    plain_accesses: Spans,
    /// What was noted of places that are used atomically, where states have no history.
    weak: Noted,
    /// The threads that are about to join another one, with that, if the step ends here.
    joins: SmallVec<[(u32, u32); 1]>,
    /// The threads that have come to a join in this step, each with one that may be symmetric to
    /// others.
    kind_joins: SmallVec<[(u32, u32); 1]>,
    /// The threads that the running thread joins before it does anything else, as far as known,
    /// while that is being found out.
    ahead: Option<Joined>,
    /// Whether it may meanwhile access memory that others can reach.
    shares_ahead: bool,
    /// Whether it has done something else meanwhile.
    ahead_is_over: bool,
    /// The accesses of atomics that were noted, where some are sequentially consistent.
    orders: FxHashSet<Access>,
    /// The uses of atomics that were noted, where what one repeats may be hidden from another one.
    repetitions: FxHashSet<Repetition>,
}

/// Threads that one thread joins one after the other.
pub(crate) type Joined = SmallVec<[u32; 4]>;

/// A history in the middle of a step.
pub(crate) struct Past {
    accesses: Arc<HappensBefore>,
    ops: Vec<Op>,
    joins: SmallVec<[(u32, u32); 1]>,
    kind_joins: SmallVec<[(u32, u32); 1]>,
}

impl History {
    /// A history, for states that have so much of it.
    pub(crate) fn new(tracking: Tracking) -> History {
        History {
            tracking,
            accesses: Arc::default(),
            staged: Vec::new(),
            ops: Vec::new(),
            keeps_ops: false,
            plain_accesses: Spans::default(),
            weak: Noted::default(),
            joins: SmallVec::new(),
            kind_joins: SmallVec::new(),
            ahead: None,
            shares_ahead: false,
            ahead_is_over: false,
            orders: FxHashSet::default(),
            repetitions: FxHashSet::default(),
        }
    }

    /// A step begins, from a state with this history.
    pub(crate) fn begin_step(&mut self, accesses: &Arc<HappensBefore>) {
        self.accesses = Arc::clone(accesses);
        self.staged.clear();
        self.ops.clear();
        self.plain_accesses = Spans::default();
        self.joins.clear();
        self.kind_joins.clear();
    }

    /// A thread has come to a join of one that may be symmetric to others.
    pub(crate) fn note_kind_join(&mut self, thread: u32, target: u32) {
        self.forget_kind_join(thread);
        self.kind_joins.push((thread, target));
    }

    /// A thread is not at a join any more.
    pub(crate) fn forget_kind_join(&mut self, thread: u32) {
        self.kind_joins.retain(|(waits, _)| *waits != thread);
    }

    /// Returns which threads are at such a join, and with which they begin there.
    pub(crate) fn take_kind_joins(&mut self) -> SmallVec<[(u32, u32); 1]> {
        std::mem::take(&mut self.kind_joins)
    }

    /// The present instruction joins a thread.
    pub(crate) fn note_join_ahead(&mut self, thread: u32, target: u32) {
        self.forget_join(thread);
        self.joins.push((thread, target));
    }

    fn forget_join(&mut self, thread: u32) {
        self.joins.retain(|(waits, _)| *waits != thread);
    }

    /// Returns the threads whose last instruction tried to join another one, and that.
    pub(crate) fn take_joins_ahead(&mut self) -> SmallVec<[(u32, u32); 1]> {
        std::mem::take(&mut self.joins)
    }

    /// From now on the machine only finds out which threads the running one joins before it does
    /// anything else; nothing that it does is kept.
    pub(crate) fn look_ahead(&mut self) {
        self.ahead = Some(Joined::new());
        self.ahead_is_over = false;
    }

    /// When the machine looks ahead next, accesses of memory that others can reach are no more than
    /// noted.
    pub(crate) fn share_ahead(&mut self) {
        self.shares_ahead = true;
    }

    /// Returns whether they are.
    pub(crate) fn shares_ahead(&self) -> bool {
        self.shares_ahead
    }

    /// Returns whether the machine does that.
    #[inline]
    pub(crate) fn looks_ahead(&self) -> bool {
        self.ahead.is_some()
    }

    /// The running thread joins another one, as is found ahead. Returns false if it has done so
    /// before, or something else.
    pub(crate) fn join_ahead(&mut self, target: u32) -> bool {
        if self.ahead_is_over {
            return false;
        }
        let joined = self.ahead.get_or_insert_default();
        let is_new = !joined.contains(&target);
        joined.push(target);
        is_new
    }

    /// Returns the threads that were found, and looks ahead no more.
    pub(crate) fn stop_looking_ahead(&mut self) -> Joined {
        self.shares_ahead = false;
        self.ahead.take().unwrap_or_default()
    }

    /// Returns the history so far, for [`History::restore`].
    pub(crate) fn past(&self) -> Past {
        Past {
            accesses: Arc::clone(&self.accesses),
            ops: self.ops.clone(),
            joins: self.joins.clone(),
            kind_joins: self.kind_joins.clone(),
        }
    }

    /// Continues from a past of this step.
    pub(crate) fn restore(&mut self, past: &Past) {
        self.accesses = Arc::clone(&past.accesses);
        self.ops.clone_from(&past.ops);
        self.joins.clone_from(&past.joins);
        self.kind_joins.clone_from(&past.kind_joins);
        self.plain_accesses = Spans::default();
    }

    /// Returns whether states have a history.
    #[inline]
    pub(crate) fn tracks(&self) -> bool {
        self.tracking.is_on()
    }

    /// Returns whether the history has the accesses that can still race. Otherwise, races are those
    /// of adjacent accesses.
    #[inline]
    pub(crate) fn has_accesses(&self) -> bool {
        self.tracking == Tracking::Accesses
    }

    /// Returns whether what a single thread does is to be kept too: it may be done to a history
    /// that is not over, or this one is not.
    pub(crate) fn is_open(&self) -> bool {
        self.keeps_ops || !self.accesses.is_over()
    }

    /// Begins or ends to keep what steps do to the history.
    pub(crate) fn keep_ops(&mut self, keeps: bool) {
        self.keeps_ops = keeps;
    }

    /// Returns what the step has done to the history, if that is kept.
    pub(crate) fn ops(&self) -> &Vec<Op> {
        &self.ops
    }

    /// Returns the accesses that can still race.
    pub(crate) fn accesses(&self) -> &Arc<HappensBefore> {
        &self.accesses
    }

    /// Returns the same, to change what older messages of atomics hold.
    pub(crate) fn accesses_mut(&mut self) -> &mut Arc<HappensBefore> {
        &mut self.accesses
    }

    /// Does something to the history when the present instruction of a thread completes.
    pub(crate) fn stage(&mut self, thread: u32, stage: Stage, op: Op) {
        self.stage_nothing(thread);
        self.stage_besides(stage, op);
    }

    /// Does something to the history that no thread does, when the present instruction completes.
    pub(crate) fn stage_besides(&mut self, stage: Stage, op: Op) {
        self.staged.push((stage, op));
    }

    /// What the present instruction reads atomically it writes as well.
    pub(crate) fn stage_as_write(&mut self) {
        for (_, op) in &mut self.staged {
            if let Op::Access(_, span) | Op::Use(_, span) = op {
                span.kind = Kind::new(memory::Access::Write, true);
            }
        }
    }

    /// The present instruction of a thread does something that does not matter to the history.
    pub(crate) fn stage_nothing(&mut self, thread: u32) {
        self.forget_join(thread);
        self.ahead_is_over = true;
    }

    /// Returns whether the present instruction does anything to the history.
    #[inline]
    pub(crate) fn is_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    /// The present instruction has no effect.
    pub(crate) fn forget_staged(&mut self) {
        self.staged.clear();
    }

    /// Takes what the present instruction does to the history, in the order in which it does.
    pub(crate) fn take_staged(&mut self) -> Vec<(Stage, Op)> {
        let mut staged = std::mem::take(&mut self.staged);
        staged.sort_by_key(|(stage, _)| *stage);
        staged
    }

    /// Gives back the emptied list for reuse.
    pub(crate) fn reuse_staged(&mut self, emptied: Vec<(Stage, Op)>) {
        self.staged = emptied;
    }

    /// Does something to the history. Returns false for an access that races.
    pub(crate) fn apply(&mut self, op: Op) -> bool {
        let races = Arc::make_mut(&mut self.accesses).apply(&op).is_err();
        if self.keeps_ops {
            self.ops.push(op);
        }
        !races
    }

    /// What was noted of places that are used atomically, where states have no history.
    pub(crate) fn weak(&mut self) -> &mut Noted {
        &mut self.weak
    }

    /// Notes an access of an atomic, once.
    pub(crate) fn note_order(&mut self, undecided: &Undecided, access: Access) {
        if self.orders.insert(access) {
            undecided.note_access(access);
        }
    }

    /// Notes a use of an atomic by what may repeat a value, once.
    pub(crate) fn note_repetition(&mut self, undecided: &Undecided, repetition: Repetition) {
        if self.repetitions.insert(repetition) {
            undecided.note_repetition(repetition);
        }
    }

    /// Notes a plain access of the step. Returns whether the history covers it already.
    pub(crate) fn has_run_through(&mut self, span: Span) -> bool {
        !self.plain_accesses.add(span)
    }
}
