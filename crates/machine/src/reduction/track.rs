//! What actions do to the happens-before history ([`crate::state::happens_before`]), and which
//! actions make one necessary.
//!
//! A search begins without a happens_before: races are looked for among adjacent accesses
//! ([`crate::state::access_history`]), which finds all of them as long as whatever one thread sees
//! of another one synchronises. Where something does not, the system notes it
//! ([`Machine::observe_weakly`], [`crate::state::weak`]), and the program is explored again with a
//! history.
//!
//! An instruction either completes or has no effect; so what it does to the history is *staged*,
//! and done when it completes: first what it acquires, then what it accesses, then what it
//! releases. (An acquiring access comes after what it acquires.) Plain accesses of instructions are
//! not staged, so that a race is reported in their place.

use crate::base::fault::{Halt, Result, unsupported};
use crate::machine::Machine;
use crate::machine::footprint::Place as SharedPlace;
use crate::machine::history::Joined;
use crate::machine::operation::Counting;
use crate::machine::record::Action;
use crate::machine::record::verb;
use crate::state::happens_before::{
    Holder, Insertion, Kind, Message, Names, Op, Order, Span, Stage,
};
use crate::state::memory::Access;
use crate::state::read_set::ReadSetEntry;
use crate::state::thread::{HeldKind, Phase};
use crate::state::weak::{Part, Use, place_of};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Ordering, Scalar};

impl Machine<'_> {
    fn me(&self) -> u32 {
        self.running as u32
    }

    /// Returns whether actions are recorded in the history. If the actions of a step are recorded,
    /// they are complete: the step may be replayed in a history that is not finished when this one
    /// is.
    #[inline]
    pub fn tracks(&self) -> bool {
        self.history.tracks() && (self.memory.concurrent || self.history.is_open())
    }

    /// Records an action that takes effect when the present instruction completes.
    pub fn stage(&mut self, stage: Stage, op: Op) {
        if self.footprint.is_on() {
            self.record_op(&op);
        }
        match op.is_for_fences_alone() && !self.system.has_fences() {
            true => self.history.stage_nothing(self.me()),
            false => self.history.stage(self.me(), stage, op),
        }
    }

    /// Adds to the footprint what an action reads and changes in the history. What concerns a
    /// thread is part of its record.
    fn record_op(&mut self, op: &Op) {
        match op {
            Op::Spread(from, to) | Op::SpreadSeen(from, to) | Op::Hand(from, to, _) => {
                self.record_holder(*from, Access::Read);
                self.record_holder(*to, Access::Write);
            }
            Op::See(_, message) | Op::SeeNewest(_, message) => {
                self.record_holder(Holder::Message(*message), Access::Read);
            }
            Op::Erase(holder) => self.record_holder(*holder, Access::Write),
            Op::Insert(_, Insertion { place, .. }) | Op::KeepNewest(Some(place)) => {
                let message = Holder::Message(place.message(0));
                self.record_holder(message, Access::Write);
            }
            Op::Act(_) | Op::TotalFence(_) | Op::KeepNewest(None) => self.record_unknown(),
            // The access itself was recorded, and so was the end of what it accesses.
            Op::Access(..) | Op::Use(..) | Op::Overwrite(_) | Op::Free(_) | Op::Rename(_) => {}
            // These follow from what all threads know, or concern this thread alone.
            Op::Settle | Op::Total(_) | Op::Loosen(_) | Op::Await(..) | Op::Shift(..) => {}
            Op::Begin(_) | Op::End(_) => {}
        }
    }

    fn record_holder(&mut self, holder: Holder, access: Access) {
        match holder {
            Holder::Message(message) => {
                let address = Address {
                    object: message.object,
                    offset: message.offset.into(),
                };
                self.record_message(address, 1, access);
            }
            Holder::Sections => self.record_touch(SharedPlace::Sections, true),
            Holder::TotalOrder => self.record_touch(SharedPlace::TotalOrder, true),
            Holder::Thread(_)
            | Holder::ReleaseFence(_)
            | Holder::AcquireFence(_)
            | Holder::Ended(_)
            | Holder::Delayed(..) => {}
        }
    }

    /// Applies what was recorded: the present instruction has completed. Fails if an access races.
    #[cold]
    pub fn commit(&mut self) -> Result<()> {
        let mut staged = self.history.take_staged();
        for (_, op) in staged.drain(..) {
            match op {
                Op::Access(_, span) | Op::Use(_, span) => self.access_in_history(op, span)?,
                op => {
                    self.do_to_history(op);
                }
            }
        }
        self.history.reuse_staged(staged);
        Ok(())
    }

    /// Applies what was recorded, where that is no access.
    pub fn commit_quietly(&mut self) {
        let committed = self.commit();
        debug_assert!(committed.is_ok(), "only accesses race");
    }

    /// Does something to the history. False for an access that races.
    fn do_to_history(&mut self, op: Op) -> bool {
        if self.observer.notes_events() {
            self.note(Action::HappensBefore(op.clone()));
        }
        if let Op::Access(thread, span) = &op
            && !span.kind.is_atomic()
        {
            self.note_plain_access(*thread, span);
        }
        let ordered = self.history.apply(op);
        if !ordered {
            self.races.note_race();
        }
        ordered
    }

    /// Notes that an atomic has a plain access that may race with an atomic one.
    fn note_plain_access(&self, thread: u32, span: &Span) {
        if let Some(used) = self.history.accesses().may_race_with(thread, span) {
            let start = span.start.max(used.start);
            let place = place_of(&self.memory, Span { start, ..used }.address());
            self.system.guesses.note_accessed(place);
        }
    }

    /// Returns whether an atomic access is taken to race with no plain one. Objects made while
    /// running are mostly handed on, and then fewer states differ in who knows of accesses.
    fn is_use(&self, span: &Span) -> bool {
        self.options.memory_model.needs_history()
            && !self.system.follows_psc
            && matches!(span.object.kind(), ObjectKind::Global(_))
            && { &self.system.guesses }.is_only_atomic(|| place_of(&self.memory, span.address()))
    }

    fn access_in_history(&mut self, op: Op, span: Span) -> Result<()> {
        match self.do_to_history(op) {
            true => Ok(()),
            false => self.report_race(span, verb(span.kind.access())),
        }
    }

    /// Records an access of the running thread. Fails if it races.
    pub fn track_access(
        &mut self,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        let Some(span) = span(address, bytes, access, atomic) else {
            // Outside of the object, which is an error.
            return Ok(());
        };
        let op = match self.history.has_accesses() {
            true if atomic && self.is_use(&span) => Op::Use(self.me(), span),
            true => Op::Access(self.me(), span),
            false if atomic || access == Access::Read => return Ok(()),
            false if self.history.accesses().locations().is_empty() => return Ok(()),
            false => Op::Overwrite(span),
        };
        if self.call.runs() || atomic {
            self.stage(Stage::Access, op);
            return Ok(());
        }
        match op {
            Op::Access(..) => self.access_in_history(op, span),
            op => {
                self.do_to_history(op);
                Ok(())
            }
        }
    }

    /// Records that the running thread ends the lifetime of memory. Fails if that races.
    pub fn track_free(&mut self, address: Address, bytes: u64, action: &str) -> Result<()> {
        let Some(span) = span(address, bytes, Access::Write, false) else {
            return Ok(());
        };
        let op = match self.history.has_accesses() {
            true => Op::Access(self.me(), span),
            false => Op::Overwrite(span),
        };
        match self.do_to_history(op) {
            true => Ok(()),
            false => self.report_race(span, action),
        }
    }

    /// Records that the memory of an object is gone.
    pub fn track_end(&mut self, object: ObjectId) {
        if self.tracks() {
            self.stage(Stage::Release, Op::Free(object));
        }
    }

    fn stage_all(&mut self, stage: Stage, ops: impl IntoIterator<Item = Op>) {
        for op in ops {
            self.stage(stage, op);
        }
    }

    /// Records that the running thread acquires what was released through a lock or the like.
    pub fn acquire(&mut self, message: Message) {
        if self.tracks() {
            let read = Op::read(self.me(), message, Order::BOTH);
            self.stage(Stage::Acquire, read);
        }
    }

    /// Records that the running thread releases what it knows through a lock or the like; `kept`
    /// says that earlier releases stay.
    pub fn release_to(&mut self, message: Message, kept: bool) {
        if self.tracks() {
            let write = Op::write(self.me(), message, Order::BOTH, kept);
            self.stage_all(Stage::Release, write);
        }
    }

    /// Records that a delayed store has left a thread's buffer, and has reached memory, where it
    /// hands over a message.
    pub fn track_store_left(&mut self, thread: usize, index: usize, message: Option<Message>) {
        if self.tracks() {
            let reach = Op::reach(thread as u32, index as u32, message);
            self.stage_all(Stage::Reach, reach);
        }
    }

    /// Records that the running thread has started another one.
    pub fn track_start(&mut self, started: usize) {
        if self.tracks() {
            let start = Op::start(self.me(), started as u32);
            self.stage_all(Stage::Release, start);
        }
    }

    /// Records that the running thread ends. Robust mutexes that it holds are handed on.
    pub fn track_thread_end(&mut self) {
        if !self.tracks() {
            return;
        }
        let me = self.me();
        let held = self.threads[self.running].held.iter().flatten();
        let mutexes = held.filter(|held| held.kind == HeldKind::Mutex);
        let mutexes: Vec<Message> = mutexes.map(|held| Message::at(held.address)).collect();
        for mutex in mutexes {
            self.release_to(mutex, true);
        }
        self.stage_all(Stage::Release, Op::end(me));
    }

    /// Records that the running thread learns what one that has ended knew, whose number can be
    /// used again.
    pub fn track_join(&mut self, ended: usize) {
        if self.tracks() {
            let [knows, forgotten, arrived] = Op::join(self.me(), ended as u32);
            self.stage(Stage::Acquire, knows);
            self.stage(Stage::Release, forgotten);
            self.stage(Stage::Release, arrived);
        }
    }

    /// Notes that the running thread does nothing until it joins another one, if the step ends
    /// here: what the other one has seen it will have seen. Matters where older messages of atomics
    /// can be read, and where the other one may be taken for another thread.
    pub fn note_join_ahead(&mut self, target: usize) {
        let may_be_another = self
            .system
            .symmetry
            .covers(self.threads.identity(target).kind);
        let matters = self.options.memory_model.needs_history() && self.tracks();
        if may_be_another {
            self.history.note_kind_join(self.me(), target as u32);
        }
        // A handler may be set and a signal sent while it waits.
        let is_undisturbed =
            self.system.handle_signal.is_none() && !self.interruptions.are_possible();
        match is_undisturbed {
            true if matters => self.history.note_join_ahead(self.me(), target as u32),
            false if may_be_another => self.distinguish(target),
            _ => {}
        }
    }

    /// Records that a thread does nothing until it has joined others: the step has ended before it
    /// joins the first one.
    pub(crate) fn track_joins_ahead(&mut self, thread: u32, targets: Joined) {
        self.do_to_history(Op::Await(thread, targets));
        self.do_to_history(Op::Settle);
    }

    /// Fails if a thread joins another one that a third one is to join: what it learns is that
    /// one's alone.
    pub fn check_joins_alone(&self, target: usize) -> Result<()> {
        let history = self.history.accesses();
        match history.is_awaited_besides(self.me(), target as u32) {
            true => unsupported("joining a thread that another thread is about to join, in C11"),
            false => Ok(()),
        }
    }

    /// Goes on with an access of a thread whose joins are looked for. Halts if others could reach
    /// the memory, or have accessed it: the thread does more than join.
    pub(crate) fn look_ahead_at(
        &mut self,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        if !self.memory.is_variable(address.object) {
            return Ok(());
        }
        let span = span(address, bytes, access, atomic);
        let history = self.history.accesses();
        let is_shared = self.memory.is_visible(address.object);
        if is_shared && !atomic && self.history.shares_ahead() {
            self.footprint.access(&self.memory, address, bytes, access);
        }
        let is_alone = !atomic
            && (self.history.shares_ahead() || !is_shared)
            && (self.history.has_accesses() || !self.races.others().stale)
            && span.is_some_and(|span| !history.would_race(self.me(), &span));
        match is_alone {
            true => Ok(()),
            false => Err(Box::new(Halt::SchedulingPoint)),
        }
    }

    /// Fails if a thread that does nothing until it joins another one is to do something else.
    pub fn check_not_joining(&self, thread: usize) -> Result<()> {
        match self.history.accesses().awaits(thread as u32) {
            true => unsupported("cancelling a thread that waits in pthread_join, in C11"),
            false => Ok(()),
        }
    }

    /// Returns how an access orders others. Volatile accesses of the C library, which it uses in
    /// place of atomic ones, order as on x86.
    pub fn order_of(&self, ordering: Ordering, volatile: bool) -> Order {
        match ordering.is_atomic() {
            false if self.is_atomic(ordering, volatile) => Order::BOTH,
            _ => Order::from(ordering),
        }
    }

    /// Records that the running thread begins an atomic section: it comes after those before.
    pub fn acquire_sections(&mut self) {
        if self.tracks() {
            let me = Holder::Thread(self.me());
            self.stage(Stage::Acquire, Op::Spread(Holder::Sections, me));
        }
    }

    /// Records that the running thread has left an atomic section, perhaps the outermost one.
    pub fn release_sections(&mut self) {
        if self.tracks() && self.threads[self.running].atomic == 0 {
            let me = Holder::Thread(self.me());
            self.stage(Stage::Release, Op::Spread(me, Holder::Sections));
        }
    }

    /// Records that the running thread has sent a signal, or a cancellation request, to a thread.
    pub fn release_sent(&mut self, thread: usize) {
        let handle = Address::of(self.threads[thread].handle);
        self.release_to(Message::at(handle), true);
    }

    /// Records that the running thread takes note of what was sent to it.
    pub fn acquire_sent(&mut self) {
        let handle = Address::of(self.threads[self.running].handle);
        self.acquire(Message::at(handle));
    }

    /// Records that the running thread is the last to arrive at a barrier: it and the threads that
    /// wait there continue.
    pub fn track_passed(&mut self, barrier: Message, waiting: &[usize]) {
        if !self.tracks() {
            return;
        }
        let message = Holder::Message(barrier);
        let waiting = waiting.iter().map(|&thread| thread as u32);
        for thread in waiting.chain([self.me()]) {
            self.stage(Stage::Release, Op::Spread(message, Holder::Thread(thread)));
        }
        self.stage(Stage::Release, Op::Erase(message));
    }

    /// Records an action that is the last of the present instruction.
    pub fn track(&mut self, op: Op) {
        if self.tracks() {
            self.stage(Stage::Release, op);
        }
    }

    /// Records that the running thread has seen what was stored last in an atomic, without
    /// synchronising with it.
    pub fn see_newest(&mut self, address: Address) -> Result<()> {
        if self.tracks() {
            self.check_newest_is_seen(address)?;
            let newest = Op::SeeNewest(self.me(), Message::at(address));
            self.stage(Stage::Acquire, newest);
            self.stage(Stage::Settle, Op::Settle);
        }
        Ok(())
    }

    /// Records an atomic load from memory.
    pub fn order_load(&mut self, address: Address, order: Order) {
        if self.tracks() {
            let read = Op::read(self.me(), Message::at(address), order);
            self.stage(Stage::Acquire, read);
        }
        if !self.history.has_accesses() {
            let mut how = Use::read(order);
            how.is_last = self.has_joined_all();
            how.of_reference = self.asks_for_references(order);
            self.note_use(address, how);
        }
    }

    /// Records an atomic store that is not delayed.
    pub fn order_store(&mut self, address: Address, order: Order) {
        if self.tracks() {
            let write = Op::write(self.me(), Message::at(address), order, false);
            self.stage_all(Stage::Release, write);
        }
        if !self.history.has_accesses() {
            self.note_use(address, Use::write(order));
        }
    }

    /// Records an atomic read-modify-write: it continues the release sequence.
    pub fn order_update(&mut self, scalar: Scalar, address: Address, order: Order) {
        if self.tracks() {
            let message = Message::at(address);
            let read = Op::read(self.me(), message, order);
            self.stage(Stage::Acquire, read);
            let write = Op::write(self.me(), message, order, true);
            self.stage_all(Stage::Release, write);
        }
        if !self.history.has_accesses() {
            let added = self.only_counts().then_some(scalar);
            let added = added.map(|scalar| Part::of(address, scalar.bytes()));
            let asks = self.asks_for_references(order) && order.releases;
            let of_reference = asks || added.is_some() && self.counting() == Some(Counting::Adds);
            for mut how in [Use::update(order), Use::write(order)] {
                how.counts = added;
                how.of_reference = of_reference;
                self.note_use(address, how);
            }
        }
    }

    /// Records a fence.
    pub fn order_fence(&mut self, order: Order) {
        if self.tracks() {
            let fence = Op::fence(self.me(), order);
            self.stage_all(Stage::Release, fence);
        }
    }

    /// Records that an atomic store enters the running thread's buffer, at an index, with what it
    /// releases.
    pub fn order_delayed(&mut self, address: Address, index: usize, order: Order) {
        if self.tracks() {
            let delay = Op::delay(self.me(), index as u32, order);
            self.stage(Stage::Release, delay);
        } else {
            self.note_use(address, Use::write(order));
        }
    }

    /// Whether it matters what the running thread finds out: there are others, or were. Memory that
    /// only it can reach may hold what they wrote.
    fn communicates(&self) -> bool {
        self.threads.len() > 1 && !self.history.has_accesses() && self.options.races
    }

    /// Records that the running thread learns something of another one by an action that does not
    /// synchronise.
    pub fn observe_weakly(&mut self) {
        if self.communicates() {
            self.system.weak.note();
        }
    }

    /// Records that the running thread reads or advances the clock, which orders nothing.
    pub fn observe_clock(&mut self) {
        if self.communicates() {
            self.history
                .weak()
                .note_clock(&self.system.weak, self.running);
        }
    }

    /// Whether the running thread is alone, and each other one was joined, or ended detached.
    fn has_joined_all(&mut self) -> bool {
        if self.memory.concurrent {
            return false;
        }
        let others = (0..self.threads.len()).filter(|number| *number != self.running);
        others.for_each(|number| {
            let thread = ReadSetEntry::Thread(number as u32);
            self.memory.read_set.note(thread);
        });
        let mut phases = self.threads.identities().map(|thread| thread.phase);
        !phases.any(|phase| phase == Phase::Finished)
    }

    fn note_use(&mut self, address: Address, how: Use) {
        if self.communicates() {
            let how = match self.is_guard(address) {
                true => how.in_order(),
                false => how,
            };
            self.history
                .weak()
                .note(&self.system.weak, &self.memory, self.running, address, how);
        }
    }

    /// Records that objects have other names, within or at the end of a step.
    pub fn rename_history(&mut self, names: Names) {
        if self.tracks() {
            self.history
                .stage_besides(Stage::Release, Op::Rename(names));
            self.commit_quietly();
        }
    }
}

/// Returns the bytes of an access, or `None` if they cannot lie in an object.
pub fn span(address: Address, bytes: u64, access: Access, atomic: bool) -> Option<Span> {
    let start = u32::try_from(address.offset).ok()?;
    let end = start.checked_add(u32::try_from(bytes).ok()?)?;
    (start < end).then(|| Span {
        object: address.object,
        kind: Kind::new(access, atomic),
        start,
        end,
    })
}
