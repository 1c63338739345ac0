//! Visible actions, which come after a scheduling point, and accesses that may race.

use crate::base::fault::{CodePlace, ErrorKind, Halt, Result, error};
use crate::base::options::MemoryModelName;
use crate::machine::Machine;
use crate::machine::footprint::{Manner, Place};
use crate::machine::names::SubobjectSelector;
use crate::machine::record::verb;
use crate::machine::route::Route;
use crate::memory_model::Loaded;
use crate::reduction::track::span;
use crate::state::access_history::{Conflict, MemoryAccess};
use crate::state::happens_before::{Order, Span};
use crate::state::memory::Access;
use crate::state::memory::describe::place_in_words;
use crate::state::memory::object::Class;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Instruction, Position, Scalar};
use impasse_program::link::{Function, FunctionId};
use impasse_program::word::Word;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::Relaxed;

/// How often a step may access what it has accessed already, before its budget is exhausted.
const REPEATS: u64 = 128;

impl Machine<'_> {
    /// Notes a visible action that may access anything. Halts at a scheduling point before the
    /// second one of a step.
    #[inline]
    pub fn visible_action(&mut self) -> Result<()> {
        self.act()?;
        self.record_unknown();
        Ok(())
    }

    /// The step may access anything.
    pub(crate) fn record_unknown(&mut self) {
        self.footprint.unknown();
    }

    /// Returns whether C11 leaves an atomic load or store with these orders unordered: whoever can
    /// load a message can do so after another one is stored.
    pub(crate) fn leaves_unordered(&self, address: Address, order: Order) -> bool {
        self.options.memory_model == MemoryModelName::C11
            && !order.is_total
            && !self.system.follows_psc
            && !self.is_guard(address)
    }

    /// Does something that accesses memory, in an unordered manner or any.
    pub(crate) fn in_manner<T>(
        &mut self,
        is_unordered: bool,
        action: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if !is_unordered {
            return action(self);
        }
        self.footprint.manner = Manner::Unordered;
        let done = action(self);
        self.footprint.manner = Manner::Any;
        done
    }

    /// Notes a visible action that accesses a place, or changes it.
    pub(crate) fn act_on(&mut self, place: Place, writes: bool) -> Result<()> {
        self.act()?;
        self.record_touch(place, writes);
        Ok(())
    }

    /// The step accesses a place, or changes it.
    pub(crate) fn record_touch(&mut self, place: Place, writes: bool) {
        match self.memory.concurrent {
            true => self.footprint.touch(place, writes),
            false => self.footprint.touch_own(place, writes),
        }
    }

    /// Notes a visible action that accesses only the record of the running thread and memory, which
    /// its footprint names.
    #[inline]
    pub(crate) fn act(&mut self) -> Result<()> {
        if self.history.looks_ahead() {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        if !(self.memory.concurrent || self.interruptions.are_possible())
            || !self.progress.has_scheduling_points()
        {
            return Ok(());
        }
        if self.must_stop() {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        self.progress.act();
        if self.progress.clears() && !self.threads[self.running].access_history.is_empty() {
            self.thread().access_history.clear();
        }
        Ok(())
    }

    /// Returns whether a scheduling point comes before another visible action of the step.
    #[inline]
    pub fn must_stop(&self) -> bool {
        self.progress.has_acted()
            && self.threads[self.running].atomic == 0
            && !self.in_flight.has_drained(self.progress.instruction())
    }

    /// Prepares an access to memory itself: halts at a scheduling point if it is visible and not
    /// the first visible action. Fails if it races.
    #[inline]
    pub fn observe(
        &mut self,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        self.observe_as(Route::Direct, address, bytes, access, atomic)
    }

    /// Prepares an access that may go through the thread's store buffer. Halts and fails as
    /// [`Machine::observe`] does.
    #[inline]
    pub fn observe_as(
        &mut self,
        route: Route,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        self.observe_in(route, (address, bytes), access, atomic, false)
    }

    /// Prepares an access that is a compare-exchange if it `may_fail`.
    #[inline]
    fn observe_in(
        &mut self,
        route: Route,
        (address, bytes): (Address, u64),
        access: Access,
        atomic: bool,
        may_fail: bool,
    ) -> Result<()> {
        if self.history.tracks() || self.history.looks_ahead() {
            return self.observe_tracked(route, (address, bytes), access, atomic, may_fail);
        }
        if !self.memory.concurrent && !self.interruptions.are_possible() {
            self.record_own_access(address, access);
            return Ok(());
        }
        if self.is_final(address, access) {
            return Ok(());
        }
        let visible = self.is_observable(address);
        if !visible && !self.races.others().stale {
            self.record_own_access(address, access);
            return Ok(());
        }
        let through = !atomic && self.uses_race_freedom();
        if visible && !through && self.model().is_visible(self, route) {
            self.act()?;
        }
        match visible {
            true => self.record_access(route, address, bytes, access),
            false => self.record_own_access(address, access),
        }
        let mine = (address, bytes, access);
        let repeats = self.compare_adjacent(route, mine, atomic, may_fail)?;
        if repeats && through {
            self.spend_on_repetition();
        }
        if visible {
            let at = (address, bytes);
            self.model().meet(self, route, at, access, atomic)?;
        }
        Ok(())
    }

    /// Prepares a compare-exchange: a visible action that counts as a read where races are looked
    /// for, until it turns out to write ([`Machine::observe_modification`]). Halts and fails as
    /// [`Machine::observe`] does.
    pub fn observe_comparison(&mut self, address: Address, bytes: u64) -> Result<()> {
        self.observe_in(Route::Direct, (address, bytes), Access::Write, true, true)
    }

    /// A read-modify-write that was prepared stores. Fails if it races, and was taken for a read.
    pub fn observe_modification(&mut self, scalar: Scalar, loaded: &Loaded) -> Result<()> {
        if !loaded.is_compared {
            return Ok(());
        }
        self.history.stage_as_write();
        let is_adjacent = !self.history.has_accesses()
            && (self.memory.concurrent || self.interruptions.are_possible());
        if is_adjacent && (self.races.others().stale || self.is_observable(loaded.address)) {
            let mine = (loaded.address, scalar.bytes().into(), Access::Write);
            self.compare_adjacent(Route::Direct, mine, true, false)?;
        }
        Ok(())
    }

    /// Compares an access with what others have accessed or access next, and remembers it. Returns
    /// whether it repeats what the thread has accessed. Fails if it races.
    #[inline]
    fn compare_adjacent(
        &mut self,
        route: Route,
        (address, bytes, access): (Address, u64, Access),
        atomic: bool,
        may_fail: bool,
    ) -> Result<bool> {
        let remembers = !atomic && self.is_remembered(route);
        let is_needed = remembers || self.memory.read_set.is_recording() || self.compares();
        if !(self.options.races && is_needed) {
            return Ok(false);
        }
        let mine = MemoryAccess {
            may_fail,
            ..self.memory_access(address, bytes, access, atomic)
        };
        self.look_for_races(route, mine)?;
        Ok(remembers && !self.remember(mine))
    }

    /// The step accesses again what it has accessed before.
    fn spend_on_repetition(&mut self) {
        let cost = self.options.step_limit / REPEATS;
        self.progress.spend(cost);
    }

    /// The step accesses memory, by what an action does to the happens-before history.
    pub(crate) fn record_message(&mut self, address: Address, bytes: u64, access: Access) {
        match self.is_observable(address) {
            true => self.record_access(Route::Direct, address, bytes, access),
            false => self.record_own_access(address, access),
        }
    }

    /// The step accesses memory that other threads can reach.
    #[inline]
    fn record_access(&mut self, route: Route, address: Address, bytes: u64, access: Access) {
        if self.footprint.is_on() {
            self.footprint.access(&self.memory, address, bytes, access);
            if route == Route::Freed {
                let (memory, object) = (&self.memory, address.object);
                self.footprint.access_existence(memory, object, access);
            }
        }
    }

    /// The step accesses memory that no other thread can reach at present. One may have reached it
    /// before.
    #[inline]
    fn record_own_access(&mut self, address: Address, access: Access) {
        let changes = match address.object.kind() {
            ObjectKind::Global(number) => number < self.program.mutable_globals(),
            kind => matches!(kind, ObjectKind::Dynamic(_)),
        };
        if self.footprint.is_on() && changes {
            self.footprint.access_own(&self.memory, address, access);
        }
    }

    /// The step compares the address of an object with that of another one: it may matter whether
    /// the object was freed before, since then the other one may have its address.
    pub(crate) fn record_comparison(&mut self, object: ObjectId) {
        let class = self.memory.get(object).map(|object| object.class());
        match class {
            Some(Class::Machine) => self.record_id_comparison(object),
            _ if self.memory.is_visible(object) => {
                let memory = &self.memory;
                self.footprint
                    .access_existence(memory, object, Access::Read);
            }
            _ => self.record_own_access(Address::of(object), Access::Read),
        }
    }

    /// An id is valid until its thread has ended and was detached or joined.
    fn record_id_comparison(&mut self, id: ObjectId) {
        let thread = self.threads.identities().position(|t| t.handle == id);
        match thread {
            // The end of a detached thread ends its id.
            Some(number) if self.threads.identity(number).is_detached => self.distinguish(number),
            Some(_) => {}
            None => self.system.symmetry.doubt(),
        }
        let others = thread
            .into_iter()
            .flat_map(|number| self.others_of_kind(number));
        let numbers: SmallVec<[usize; 4]> = thread.into_iter().chain(others).collect();
        for number in numbers {
            self.record_touch(Place::Finished(number as u32), false);
            self.record_touch(Place::Detached(number as u32), false);
        }
    }

    /// The step changes what waits for a synchronisation object.
    pub(crate) fn record_memory(&mut self, object: Word, bytes: u64) {
        if self.footprint.is_on() {
            let address = Address::from_bits(object.bits);
            self.footprint
                .access(&self.memory, address, bytes, Access::Write);
        }
    }

    /// The scope of an object of the running thread begins or ends, or by the route of freeing, the
    /// object is gone.
    pub(crate) fn record_scope(&mut self, route: Route, object: ObjectId) {
        if !self.footprint.is_on() {
            return;
        }
        let address = Address::of(object);
        match self.memory.is_visible(object) {
            true => {
                let bytes = self.memory.get(object).map_or(0, |o| o.size()) as u64;
                self.record_access(route, address, bytes, Access::Write);
            }
            false => self.record_own_access(address, Access::Write),
        }
    }

    /// A frame is left, and its objects are gone. States lack those that nothing reaches, but
    /// other threads could have reached them.
    pub(crate) fn record_end_of_locals(&mut self, id: FunctionId, function: &Function) {
        if self.footprint.is_on() {
            for position in &function.allocations {
                self.footprint.end_own(Place::MadeAt(id.0, position.0, 0));
            }
        }
    }

    /// What the innermost frame called has returned, and the copies of arguments that were made for
    /// it are gone.
    pub(crate) fn record_end_of_copies(&mut self) {
        if !self.footprint.is_on() {
            return;
        }
        let Some(frame) = self.stack.frames.last().filter(|frame| frame.calling) else {
            return;
        };
        let called = frame.function.body.code.get(frame.position as usize);
        if let Some(Instruction::Call { site }) = called
            && !frame.function.simple[site.0 as usize]
        {
            let place = Place::MadeAt(frame.id.0, frame.position, 0);
            self.footprint.end_own(place);
        }
    }

    /// Returns whether other threads may observe an access of this object: they can reach it, or
    /// every access is taken for observable and the object exists.
    #[inline]
    fn is_observable(&self, address: Address) -> bool {
        self.memory.is_visible(address.object)
            || ((!self.options.reduces() || self.interruptions.are_possible())
                && self.memory.header(address.object).is_some())
    }

    /// Whether an ordinary access has no effect but on memory: no other thread can observe it, and
    /// it is not compared with others.
    pub(crate) fn is_private(&self, address: Address) -> bool {
        if self.history.tracks() || self.history.looks_ahead() {
            return false;
        }
        let is_alone = !self.memory.concurrent && !self.interruptions.are_possible();
        is_alone || !self.races.others().stale && !self.is_observable(address)
    }

    /// Whether there is anything to compare an access with.
    fn compares(&self) -> bool {
        !self.races.others().access_history.is_empty() || self.threads[self.running].atomic > 0
    }

    /// Prepares an access where states have a happens-before history, which also covers memory that
    /// only one thread can reach.
    fn observe_tracked(
        &mut self,
        route: Route,
        (address, bytes): (Address, u64),
        access: Access,
        atomic: bool,
        may_fail: bool,
    ) -> Result<()> {
        if self.history.looks_ahead() {
            return self.look_ahead_at(address, bytes, access, atomic);
        }
        if !self.tracks() && !self.interruptions.are_possible() {
            self.record_own_access(address, access);
            return Ok(());
        }
        if self.is_final(address, access) {
            self.order_load(address, Order::BOTH);
            return Ok(());
        }
        let visible = self.is_observable(address);
        let through = !atomic && self.uses_race_freedom();
        if visible && !through && self.model().is_visible(self, route) {
            self.act()?;
        }
        match visible {
            true => self.record_access(route, address, bytes, access),
            false => self.record_own_access(address, access),
        }
        if self.tracks() && self.memory.is_variable(address.object) {
            match route {
                Route::Freed => self.track_free(address, bytes, "frees")?,
                _ if may_fail => self.track_access(address, bytes, Access::Read, atomic)?,
                _ => self.track_access(address, bytes, access, atomic)?,
            }
        }
        let compares = self.memory.concurrent || self.interruptions.are_possible();
        let repeats = match self.history.has_accesses() {
            true => visible && through && self.is_repeated(address, bytes, access),
            false if compares && (visible || self.races.others().stale) => {
                let mine = (address, bytes, access);
                self.compare_adjacent(route, mine, atomic, may_fail)? && through
            }
            false => false,
        };
        if repeats {
            self.spend_on_repetition();
        }
        if visible {
            let at = (address, bytes);
            self.model().meet(self, route, at, access, atomic)?;
        }
        Ok(())
    }

    /// Whether the step has run through such an access before.
    fn is_repeated(&mut self, address: Address, bytes: u64, access: Access) -> bool {
        let span = span(address, bytes, access, false);
        span.is_some_and(|span| self.history.has_run_through(span))
    }

    /// Remembers an access of the running thread, until its next action. False if that tells
    /// nothing new.
    fn remember(&mut self, mine: MemoryAccess) -> bool {
        let matters = self.options.races
            && self.progress.has_scheduling_points()
            && self.threads[self.running].atomic == 0;
        !(matters && self.memory.is_visible(mine.address.object))
            || self.thread().access_history.add(mine)
    }

    /// Returns whether plain accesses of the running thread need no scheduling point
    /// (`crate::state::access_history`).
    pub fn uses_race_freedom(&self) -> bool {
        let thread = &self.threads[self.running];
        self.permits_race_freedom()
            && !self.interruptions.are_possible()
            && self.progress.has_scheduling_points()
            && thread.atomic == 0
            && !thread.access_history.is_full()
    }

    /// Whether an access of this kind is compared with those of others later. Of what is freed,
    /// each access is an error by itself; a store that is delayed is found in its buffer.
    fn is_remembered(&self, route: Route) -> bool {
        match route {
            Route::Freed | Route::Delayed => false,
            Route::Direct | Route::Forwarded | Route::Bypassing => true,
        }
    }

    /// An access of the running thread. Its place is the innermost one in the program's own files
    /// that is at hand.
    fn memory_access(
        &self,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> MemoryAccess {
        let own = |place: &CodePlace| self.system.own[place.function.0 as usize];
        let here = self.place();
        let outer = self.stack.frames.iter().rev().skip(1);
        let mut outer = outer.map(|frame| CodePlace {
            function: frame.id,
            position: Position(frame.position),
        });
        let place = match own(&here) {
            true => here,
            false => outer.find(own).unwrap_or(here),
        };
        let object = self.memory.header(address.object);
        MemoryAccess {
            place,
            address,
            bytes,
            access,
            atomic,
            local: object.is_some_and(|o| o.class == Class::Stack),
            after: self.threads[self.running].buffer.atomic_stores(),
            section: self.threads[self.running].atomic > 0,
            may_fail: false,
        }
    }

    /// Whether a read gives what it would give at any later time: a guard variable of the C++ ABI,
    /// once its first byte says that its static variable is initialised, is not written any more.
    fn is_final(&self, address: Address, access: Access) -> bool {
        access == Access::Read
            && self.is_guard(address)
            && self
                .memory
                .part(address.object, 0..1)
                .is_some_and(|o| o.bytes().first() == Some(&1))
    }

    /// Whether an address is that of the byte which says that a static variable is initialised.
    pub(crate) fn is_guard(&self, address: Address) -> bool {
        match address.object.kind() {
            ObjectKind::Global(n) => address.offset == 0 && self.system.guards[n as usize],
            _ => false,
        }
    }

    /// Prepares a further access of the same instruction, which is one action with those before.
    /// Fails if it races.
    pub fn observe_also(
        &mut self,
        route: Route,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        let before = self.progress.fork();
        self.observe_as(route, address, bytes, access, atomic)?;
        self.progress.join(before);
        Ok(())
    }

    fn look_for_races(&mut self, route: Route, mine: MemoryAccess) -> Result<()> {
        if self.memory.read_set.is_recording() {
            self.races.record(mine);
        }
        match self.races.conflict(self.running, &mine) {
            None => Ok(()),
            Some(Conflict::Undecided) => {
                self.note_undecided_race();
                Ok(())
            }
            Some(Conflict::Race(thread, theirs)) => error(
                ErrorKind::DataRace,
                self.describe_race((route, &mine), thread, &theirs),
            ),
        }
    }

    /// Notes that a plain read is adjacent to a compare-exchange. Even if that fails here, it may
    /// write in another order, in which the two are not adjacent; a search with a history tells.
    #[cold]
    fn note_undecided_race(&self) {
        match self.history.tracks() {
            true => self.system.weak_read.store(true, Relaxed),
            false => self.system.weak.note(),
        }
    }

    /// Compares the end of a local variable's lifetime with what other threads have accessed or
    /// access next. Fails if that races.
    pub fn look_for_late_accesses(&mut self, object: ObjectId) -> Result<()> {
        if self.history.looks_ahead() {
            let bytes = self.memory.get(object).map_or(0, |o| o.size()) as u64;
            return self.look_ahead_at(Address::of(object), bytes, Access::Write, false);
        }
        if self.tracks() {
            let bytes = self.memory.get(object).map_or(0, |o| o.size()) as u64;
            self.track_free(Address::of(object), bytes, "leaves the scope of")?;
        }
        if self.history.has_accesses() {
            return Ok(());
        }
        if !self.options.races || !(self.races.others().stale || self.memory.is_visible(object)) {
            return Ok(());
        }
        let bytes = self.memory.get(object).map_or(0, |o| o.size()) as u64;
        let mine = self.memory_access(Address::of(object), bytes, Access::Write, false);
        if self.memory.read_set.is_recording() {
            self.races.record(mine);
        }
        let conflict = self.races.conflict(self.running, &mine);
        let Some(Conflict::Race(thread, theirs)) = conflict else {
            return Ok(());
        };
        error(
            ErrorKind::UseAfterReturn,
            format!(
                "{} leaves the scope of {} while {} {} it at {}",
                self.thread_name(self.running as u32),
                self.memory.describe(object),
                self.thread_name(thread as u32),
                verb(theirs.access),
                self.place_of(thread, &theirs),
            ),
        )
    }

    /// Fails because an access of the running thread races with one in the history. A replay of the
    /// path finds out which thread made that one, and where.
    #[cold]
    pub fn report_race<T>(&mut self, mine: Span, action: &str) -> Result<T> {
        let address = Address {
            object: mine.object,
            offset: mine.start as i64,
        };
        let bytes = (mine.end - mine.start) as u64;
        let message = format!(
            "{} {} {}{}, which nothing orders after an earlier access to it",
            self.thread_name(self.running as u32),
            action,
            self.name_with_object(address, SubobjectSelector::Access(bytes)),
            if mine.kind.is_atomic() {
                " atomically"
            } else {
                ""
            },
        );
        error(ErrorKind::DataRace, message)
    }

    fn describe_race(
        &self,
        (route, mine): (Route, &MemoryAccess),
        other: usize,
        theirs: &MemoryAccess,
    ) -> String {
        let atomically = |atomic: bool| if atomic { " atomically" } else { "" };
        format!(
            "{} {} {}{} while {} {} it{} at {}",
            self.thread_name(self.running as u32),
            match route {
                Route::Freed => "frees",
                _ => verb(mine.access),
            },
            self.name_with_object(mine.address, SubobjectSelector::Access(mine.bytes)),
            atomically(mine.atomic),
            self.thread_name(other as u32),
            verb(theirs.access),
            atomically(theirs.atomic),
            self.place_of(other, theirs),
        )
    }

    /// Where a thread makes or made an access, in words.
    fn place_of(&self, thread: usize, memory_access: &MemoryAccess) -> String {
        match self.system.own[memory_access.place.function.0 as usize] {
            true => place_in_words(self.program, memory_access.place),
            false => self.own_place(&self.frames_of(thread)),
        }
    }
}
