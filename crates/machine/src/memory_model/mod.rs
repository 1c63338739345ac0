//! Memory models: what threads see of each other's stores, and when.
//!
//! [`MemoryModel`] is all that the rest of the machine knows of a memory model. A model is a folder
//! here, a variant of [`Model`] and a name for the option
//! ([`MemoryModelName`]); no other module asks which model it is. What an implementer must provide
//! is in `docs/internals/memory-models.md`.
//!
//! What is *in flight* is what threads have stored and what memory, or the other threads' views of
//! it, does not show yet. It is data of the layer `state` (`crate::state::store_buffer`), since the
//! canonical form, the encoding and the read sets must cover it; they do so without knowing the
//! model, which decides alone what is put there. A model with nothing in flight leaves it empty.
//!
//! Dispatch is by enumeration, which inlines the empty methods of sequential consistency. Calls
//! through `dyn` execute 0.7 % more instructions in a program that mostly loads and stores. A type
//! parameter would be one of `Machine` and of all that uses it.

mod c11;
mod sc;
mod tso;

use crate::base::fault::{Halt, Result};
use crate::base::hangs::Draining;
use crate::base::options::MemoryModelName;
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::machine::system::System;
use crate::state::happens_before::{HappensBefore, Order};
use crate::state::memory::{Access, Spot};
use crate::state::thread::Threads;
use crate::value::Value;
use c11::C11;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;
use sc::Sc;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::Relaxed;
use tso::Tso;

/// An order in which what is in flight reaches memory, in the model's own terms.
pub type DrainOrder = SmallVec<[u16; 8]>;

/// How a store of the program is ordered.
#[derive(Clone, Copy, Debug)]
pub struct StoreOrder {
    /// Whether it counts as atomic.
    pub atomic: bool,
    /// As the instruction says.
    pub ordering: Ordering,
    /// What it orders for race detection.
    pub order: Order,
}

/// How a read-modify-write uses what it loads.
#[derive(Clone, Copy, Debug)]
pub struct Modifies {
    /// Whether it may be sequentially consistent.
    pub is_total: bool,
    /// Whether it may only load.
    pub may_only_read: bool,
}

/// What a read-modify-write has loaded.
#[derive(Clone, Copy, Debug)]
pub struct Loaded {
    /// From where.
    pub address: Address,
    /// The place in memory.
    pub spot: Spot,
    /// What.
    pub value: Value,
    /// From which message of the atomic, where several can be read.
    pub message: usize,
    /// Whether that is the newest one.
    pub is_newest: bool,
    /// Whether it may store; none may directly behind what another one has loaded.
    pub may_modify: bool,
    /// Whether it was chosen among several messages.
    pub is_chosen: bool,
    /// Whether it is compared first, so that it may be all that is accessed.
    pub is_compared: bool,
}

/// How the loads, stores, read-modify-writes and fences of one thread act on shared memory.
///
/// All methods with a machine act for its running thread, unless they say otherwise. Where an
/// access has several outcomes, the method takes one by [`Machine::choose`], before its first
/// effect; the scheduler goes through them all. Whatever other threads could observe is reported by
/// [`Machine::visible_action`] or [`Machine::observe_as`], also before the first effect.
/// Happens-before is none of a model's business but for reporting when a store leaves for memory
/// (`reduction::track`).
///
/// The methods with a body suit a model without store buffers: memory holds the newest store of
/// each thread, and nothing moves by itself.
///
/// ```
/// use impasse_machine::base::fault::Result;
/// use impasse_machine::machine::Machine;
/// use impasse_machine::memory_model::MemoryModel;
///
/// /// Empties the running thread's store buffer, under any model.
/// fn barrier(model: impl MemoryModel, machine: &mut Machine<'_>) -> Result<()> {
///     match model.is_in_flight(machine) {
///         true => model.drain(machine),
///         false => Ok(()),
///     }
/// }
/// ```
pub trait MemoryModel: Copy {
    /// Returns whether anything can be in flight.
    fn delays(self) -> bool;

    /// Returns whether it is stores that are delayed, each thread's in their order.
    #[inline]
    fn has_store_buffers(self) -> bool {
        false
    }

    /// Returns whether what is in flight moves by [transitions of its own](Self::own_transitions),
    /// besides the steps of threads.
    #[inline]
    fn has_own_transitions(self) -> bool {
        false
    }

    /// Returns whether anything is in flight. Says to the read set what that depends on.
    fn is_in_flight(self, machine: &Machine<'_>) -> bool;

    /// Returns whether anything is in flight in a stored state with these threads and this history.
    fn have_in_flight(self, threads: &Threads, history: &HappensBefore) -> bool;

    /// Returns the route of a store of `bytes` bytes.
    #[inline]
    fn route_of_store(
        self,
        _machine: &Machine<'_>,
        _address: Address,
        _bytes: u64,
        _atomic: bool,
    ) -> Route {
        Route::Direct
    }

    /// Returns whether an access of shared memory by this route is a visible action.
    #[inline]
    fn is_visible(self, _machine: &Machine<'_>, _route: Route) -> bool {
        true
    }

    /// Determines which stores in flight an access of shared memory meets, and which have reached
    /// memory before it. Makes the other choices of the access. Fails if the access races with a
    /// store in flight.
    #[inline]
    fn meet(
        self,
        _machine: &mut Machine<'_>,
        _route: Route,
        _accessed: (Address, u64),
        _access: Access,
        _atomic: bool,
    ) -> Result<()> {
        Ok(())
    }

    /// Loads a scalar from a checked place, after [`MemoryModel::meet`]. `order` says what an
    /// atomic load orders. Halts if it must choose what it reads; fails if the model does not say
    /// what it may read.
    fn load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        from: (Address, Spot),
        order: Option<Order>,
    ) -> Result<Value>;

    /// Notes a load, for the trace.
    fn note_load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        (address, _): (Address, Spot),
        value: Value,
    ) {
        machine.note_access(address, scalar, None, value);
    }

    /// Returns what the thread would load from a checked place. It is no access of the program.
    #[inline]
    fn peek(self, machine: &mut Machine<'_>, scalar: Scalar, spot: Spot) -> Value {
        machine.load_checked(scalar, spot)
    }

    /// Executes a store instruction of the program. Fails if the access is an error or races.
    fn store(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        value: Value,
        order: StoreOrder,
    ) -> Result<()>;

    /// Writes bytes to a checked place by `Route::Delayed`. Fails if the access races.
    fn store_bytes(self, machine: &mut Machine<'_>, to: Spot, bytes: &[u8]) -> Result<()> {
        for (offset, &byte) in (to.offset..).zip(bytes) {
            let word = Word::number(u64::from(byte));
            machine.memory.store(Spot { offset, ..to }, 1, word);
        }
        Ok(())
    }

    /// Copies `bytes` bytes between checked places; the route is that of the store. Fails if a
    /// delayed store races.
    #[inline]
    fn copy(
        self,
        machine: &mut Machine<'_>,
        _route: Route,
        to: Spot,
        from: Spot,
        bytes: usize,
    ) -> Result<()> {
        machine.memory.copy(to, from, bytes);
        Ok(())
    }

    /// Fills `bytes` bytes at a checked place with the low byte of a value. Fails if a delayed
    /// store races.
    #[inline]
    fn fill(
        self,
        machine: &mut Machine<'_>,
        _route: Route,
        to: Spot,
        bytes: usize,
        value: Word,
    ) -> Result<()> {
        machine.memory.fill(to, bytes, value);
        Ok(())
    }

    /// Executes the first half of a read-modify-write: finds its place, and loads what it modifies.
    /// The instruction may still choose or fail after it.
    fn load_to_modify(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        modifies: Modifies,
    ) -> Result<Loaded>;

    /// Executes the second half of a read-modify-write: orders, and writes a value. Fails as
    /// infeasible if it may not.
    fn store_modified(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
        new: Value,
    ) -> Result<()>;

    /// Executes the second half of a read-modify-write that writes nothing: orders as a load. Fails
    /// as infeasible if it may not.
    fn read_only(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
    ) -> Result<()>;

    /// Executes a fence, besides what it orders for race detection. Halts if it drains the buffer
    /// and must wait for a scheduling point.
    fn fence(self, machine: &mut Machine<'_>, ordering: Ordering) -> Result<()>;

    /// Makes every thread execute a fence at some time from now on until the running one goes on.
    fn fence_everywhere(self, machine: &mut Machine<'_>) -> Result<()>;

    /// Notes that the running thread is about to execute a sequentially consistent operation of the
    /// program on an atomic that no instruction covers. Fails if the model does not say what it
    /// orders.
    fn begin_large_access(self, _machine: &mut Machine<'_>) -> Result<()> {
        Ok(())
    }

    /// Executes a fence that is sequentially consistent, before the running thread loads the newest
    /// value of four bytes in an atomic section. It orders accesses of atomics alone.
    fn fence_before_load(self, _machine: &mut Machine<'_>, _address: Address) -> Result<()> {
        Ok(())
    }

    /// Lets all that the thread has in flight reach memory, as one action with what the present
    /// instruction does next.
    #[inline]
    fn drain(self, _machine: &mut Machine<'_>) -> Result<()> {
        Ok(())
    }

    /// Prepares the end of an object: it is about to be freed, or leaves with one of the thread's
    /// frames. Fails if another thread has a store to it in flight.
    #[inline]
    fn end_object(self, _machine: &mut Machine<'_>, _object: ObjectId) -> Result<()> {
        Ok(())
    }

    /// Notes that one thread at most is alive from here on: no thread can observe when stores reach
    /// memory.
    #[inline]
    fn leave_alone(self, _machine: &mut Machine<'_>) {}

    /// Undoes what the present instruction, which halts, did to what is in flight, unless the halt
    /// is an error.
    #[inline]
    fn take_back(self, _machine: &mut Machine<'_>, _halt: &Halt) {}

    /// Returns the threads for which [`MemoryModel::take_own_transition`] can be called in a state
    /// with these threads.
    fn own_transitions(self, _threads: &Threads) -> SmallVec<[usize; 8]> {
        SmallVec::new()
    }

    /// Takes a transition of what a thread has in flight.
    fn take_own_transition(self, _machine: &mut Machine<'_>, _thread: usize) {}

    /// Returns the orders in which all that these threads have in flight can reach memory, up to
    /// orders that leave the same memory; none if the search is cancelled meanwhile.
    fn full_drain_orders(self, _system: &System, _threads: &Threads) -> Vec<DrainOrder> {
        vec![DrainOrder::new()]
    }

    /// Lets all that is in flight reach memory in one of these orders.
    fn drain_in_order(self, machine: &mut Machine<'_>, order: &DrainOrder);

    /// Returns, in words, what holds in a drained state and its successors.
    fn drained_in_words(self) -> &'static str;
}

/// The memory models.
#[derive(Clone, Copy, Debug)]
pub enum Model {
    /// Sequential consistency.
    Sc(Sc),
    /// x86-TSO.
    Tso(Tso),
    /// That of C and C++.
    C11(C11),
}

impl Model {
    #[inline]
    fn named(name: MemoryModelName) -> Model {
        match name {
            MemoryModelName::SequentialConsistency | MemoryModelName::Auto => Model::Sc(Sc),
            MemoryModelName::Tso => Model::Tso(Tso::LAZY),
            MemoryModelName::TsoFlusher => Model::Tso(Tso::WITH_FLUSHERS),
            MemoryModelName::C11 => Model::C11(C11),
        }
    }
}

/// Gives [`Model`] the methods of [`MemoryModel`], without the need to import that.
macro_rules! forward {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        impl Model {
            $(
                #[doc = concat!("[`MemoryModel::", stringify!($name), "`] of this model.")]
                #[inline]
                pub fn $name(self, $($argument: $kind),*) $(-> $result)? {
                    match self {
                        Model::Sc(model) => model.$name($($argument),*),
                        Model::Tso(model) => model.$name($($argument),*),
                        Model::C11(model) => model.$name($($argument),*),
                    }
                }
            )*
        }
    };
}

forward! {
    fn delays() -> bool;
    fn has_store_buffers() -> bool;
    fn has_own_transitions() -> bool;
    fn is_in_flight(machine: &Machine<'_>) -> bool;
    fn have_in_flight(threads: &Threads, history: &HappensBefore) -> bool;
    fn route_of_store(machine: &Machine<'_>, to: Address, bytes: u64, atomic: bool) -> Route;
    fn is_visible(machine: &Machine<'_>, route: Route) -> bool;
    fn meet(machine: &mut Machine<'_>, route: Route, at: (Address, u64), access: Access, atomic: bool) -> Result<()>;
    fn load(machine: &mut Machine<'_>, scalar: Scalar, from: (Address, Spot), order: Option<Order>) -> Result<Value>;
    fn note_load(machine: &mut Machine<'_>, scalar: Scalar, from: (Address, Spot), value: Value);
    fn peek(machine: &mut Machine<'_>, scalar: Scalar, spot: Spot) -> Value;
    fn store(machine: &mut Machine<'_>, scalar: Scalar, to: Word, value: Value, order: StoreOrder) -> Result<()>;
    fn store_bytes(machine: &mut Machine<'_>, to: Spot, bytes: &[u8]) -> Result<()>;
    fn copy(machine: &mut Machine<'_>, route: Route, to: Spot, from: Spot, bytes: usize) -> Result<()>;
    fn fill(machine: &mut Machine<'_>, route: Route, to: Spot, bytes: usize, value: Word) -> Result<()>;
    fn load_to_modify(machine: &mut Machine<'_>, scalar: Scalar, word: Word, modifies: Modifies) -> Result<Loaded>;
    fn store_modified(machine: &mut Machine<'_>, scalar: Scalar, loaded: &Loaded, order: Order, new: Value) -> Result<()>;
    fn read_only(machine: &mut Machine<'_>, scalar: Scalar, loaded: &Loaded, order: Order) -> Result<()>;
    fn fence(machine: &mut Machine<'_>, ordering: Ordering) -> Result<()>;
    fn fence_everywhere(machine: &mut Machine<'_>) -> Result<()>;
    fn begin_large_access(machine: &mut Machine<'_>) -> Result<()>;
    fn fence_before_load(machine: &mut Machine<'_>, address: Address) -> Result<()>;
    fn drain(machine: &mut Machine<'_>) -> Result<()>;
    fn end_object(machine: &mut Machine<'_>, object: ObjectId) -> Result<()>;
    fn leave_alone(machine: &mut Machine<'_>);
    fn take_back(machine: &mut Machine<'_>, halt: &Halt);
    fn own_transitions(threads: &Threads) -> SmallVec<[usize; 8]>;
    fn take_own_transition(machine: &mut Machine<'_>, thread: usize);
    fn full_drain_orders(system: &System, threads: &Threads) -> Vec<DrainOrder>;
    fn drain_in_order(machine: &mut Machine<'_>, order: &DrainOrder);
    fn drained_in_words() -> &'static str;
}

impl Machine<'_> {
    /// Returns the memory model from here on: that of the options, but sequential consistency in a
    /// drained state and its successors.
    #[inline]
    pub fn model(&self) -> Model {
        match self.system.memory_model() {
            delays if delays.delays() && self.in_flight.is_state_drained() => Model::Sc(Sc),
            model => model,
        }
    }

    /// Lets all that the thread has in flight reach memory, as one action with what the present
    /// instruction does next. Fails if the action must wait for a scheduling point.
    #[inline]
    pub fn drain(&mut self) -> Result<()> {
        self.model().drain(self)
    }

    /// Returns whether the search may skip scheduling points before plain accesses because it
    /// reports races: the proof has no transitions besides the steps of threads.
    #[inline]
    pub fn permits_race_freedom(&self) -> bool {
        self.options.uses_race_freedom() && !self.system.memory_model().has_own_transitions()
    }
}

impl System {
    /// Returns the memory model that the options name.
    #[inline]
    pub fn memory_model(&self) -> Model {
        Model::named(self.options.memory_model)
    }

    /// Returns which states get drained successors. Transitions of a model's own are no
    /// non-progress edges. Where nothing is in flight only spurious failures are non-progress
    /// edges.
    pub fn draining(&self) -> Draining {
        let (model, wanted) = (self.memory_model(), self.options.hangs.draining());
        match wanted {
            Draining::Always if !model.delays() && !self.spurious_failures_known => Draining::Never,
            Draining::Candidates
                if !model.delays() && !self.spurious_failure_seen.load(Relaxed) =>
            {
                Draining::Never
            }
            Draining::Candidates if model.has_own_transitions() => Draining::Always,
            draining => draining,
        }
    }

    /// Returns whether a search with [`Draining::Always`] treated spurious failures as edges that
    /// end sections.
    pub fn ignored_spurious_failures(&self) -> bool {
        let always = self.options.hangs.draining() == Draining::Always;
        always
            && !self.memory_model().delays()
            && !self.spurious_failures_known
            && self.spurious_failure_seen.load(Relaxed)
    }
}
