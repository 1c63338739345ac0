//! C11: the memory model of C and C++, as RC11 repairs it.
//!
//! A load of an atomic may read each message ([`crate::state::happens_before::Locations`]) that is
//! not older than one which its thread has seen; a store enters the modification order anywhere
//! behind what its thread has seen; a read-modify-write stores directly behind what it reads. What
//! is not atomic has one value, since races are errors.
//!
//! *Claim.* Unless [`crate::state::undecided::Undecided`] notes something, the executions are those
//! of RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential consistency in C/C++11",
//! PLDI 2017), with the release sequences of C++20. All of them are executions of RC11 in any case.
//!
//! *Conditions.* States have a happens-before history, and races are errors.
//!
//! The argument is in `docs/internals/c11.md`.

mod counts;
mod message;
mod standing;

use super::sc::Sc;
use super::{DrainOrder, Loaded, MemoryModel, Modifies, StoreOrder};
use crate::base::fault::{Halt, Result, unsupported};
use crate::machine::Machine;
use crate::state::happens_before::{HappensBefore, Holder, Op, Order, Place, Stage};
use crate::state::memory::{Access, Spot};
use crate::state::thread::Threads;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;
use standing::{Reading, Stores};

/// The size of a futex, in bytes.
const FUTEX: u64 = 4;

/// The memory model of C and C++.
#[derive(Clone, Copy, Debug)]
pub struct C11;

impl MemoryModel for C11 {
    #[inline]
    fn delays(self) -> bool {
        true
    }

    fn is_in_flight(self, machine: &Machine<'_>) -> bool {
        !machine.messages().is_empty()
    }

    fn have_in_flight(self, _: &Threads, history: &HappensBefore) -> bool {
        !history.locations().is_empty()
    }

    fn load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        (address, spot): (Address, Spot),
        order: Option<Order>,
    ) -> Result<Value> {
        let Some(order) = order.filter(|_| machine.tracks()) else {
            return Ok(machine.load_checked(scalar, spot));
        };
        let place = Place::at(address, scalar.bytes().into());
        machine.note_order(address, order.is_total);
        let newest_alone = machine.is_newest_alone(order.is_total) || machine.is_guard(address);
        let readable = machine.readable(&place, newest_alone, order.is_total, |_| true)?;
        let reading = Reading {
            place,
            order,
            stores: Stores::Nothing,
            newest: machine.load_checked(scalar, spot),
        };
        let message = machine.choose_to_load(&reading, readable)?;
        let value = machine.load_message(scalar, spot, &place, message);
        machine.note_count_read(&place, order);
        machine.read_message(&place, message, order)?;
        Ok(value)
    }

    /// A value that memory does not hold is an older one.
    fn note_load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        (address, spot): (Address, Spot),
        value: Value,
    ) {
        let newest = machine.load_checked(scalar, spot);
        match newest == value {
            true => machine.note_access(address, scalar, None, value),
            false => machine.note_old(scalar, address, value, newest),
        }
    }

    fn store(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        value: Value,
        order: StoreOrder,
    ) -> Result<()> {
        if !order.atomic || !machine.tracks() {
            return Sc.store(machine, scalar, word, value, order);
        }
        let bytes = scalar.bytes() as u64;
        machine.check_pointer32(scalar, value)?;
        let address = machine.memory.address(word)?;
        let unordered = machine.leaves_unordered(address, order.order);
        machine.in_manner(unordered, |machine| {
            machine.observe(address, bytes, Access::Write, true)?;
            let spot = machine.memory.check(word, address, bytes, Access::Write)?;
            let place = Place::at(address, bytes);
            machine.note_order(address, order.order.is_total);
            let at = machine.choose_position(&place, order.order)?;
            machine.insert_message(scalar, (spot, &place), at, value, order.order)
        })
    }

    fn load_to_modify(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        modifies: Modifies,
    ) -> Result<Loaded> {
        let loaded = Sc.load_to_modify(machine, scalar, word, modifies)?;
        if !machine.tracks() {
            return Ok(loaded);
        }
        let place = Place::at(loaded.address, scalar.bytes().into());
        machine.note_order(loaded.address, modifies.is_total);
        let newest_alone = machine.is_newest_alone(modifies.is_total);
        let is_total = modifies.is_total && !modifies.may_only_read;
        let readable = machine.readable(&place, newest_alone, is_total, |is_updated| {
            !is_updated || modifies.may_only_read
        })?;
        let message = machine.choose_message(&place, &readable)?;
        Ok(Loaded {
            value: machine.load_message(scalar, loaded.spot, &place, message),
            message: message.order,
            is_newest: message.is_newest,
            may_modify: !message.is_updated,
            is_chosen: message.is_chosen,
            ..loaded
        })
    }

    fn store_modified(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
        new: Value,
    ) -> Result<()> {
        if !machine.tracks() {
            return Sc.store_modified(machine, scalar, loaded, order, new);
        }
        if !loaded.may_modify {
            return Err(Box::new(Halt::Infeasible));
        }
        let place = Place::at(loaded.address, scalar.bytes().into());
        let stores = match new == loaded.value {
            true => Stores::TheSame,
            false => Stores::Another,
        };
        let message = machine.message_to_modify(scalar, (loaded, place), order, stores)?;
        machine.observe_modification(scalar, loaded)?;
        machine.update_message(scalar, (loaded, message), order, new)
    }

    fn read_only(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
    ) -> Result<()> {
        if machine.tracks() {
            machine.note_order(loaded.address, order.is_total);
            let place = Place::at(loaded.address, scalar.bytes().into());
            let stores = Stores::Nothing;
            let message = machine.message_to_modify(scalar, (loaded, place), order, stores)?;
            machine.read_message(&place, message, order)?;
        }
        Ok(())
    }

    fn fence_everywhere(self, _: &mut Machine<'_>) -> Result<()> {
        unsupported("a barrier of all threads (membarrier), except under --memory-model sc")
    }

    /// A sequentially consistent fence sees what the threads had seen that executed one before.
    fn fence(self, machine: &mut Machine<'_>, ordering: Ordering) -> Result<()> {
        if ordering != Ordering::SequentiallyConsistent || !machine.tracks() {
            return Ok(());
        }
        machine.act()?;
        let me = machine.running as u32;
        let thread = Holder::Thread(me);
        if machine.system.follows_psc {
            let acquire = Op::Spread(Holder::AcquireFence(me), thread);
            machine.stage(Stage::Acquire, acquire);
            machine.stage(Stage::Acquire, Op::TotalFence(me));
            return Ok(());
        }
        machine.note_total();
        let acquire = Op::Spread(Holder::AcquireFence(me), thread);
        machine.stage(Stage::Release, acquire);
        machine.see_total_order();
        Ok(())
    }

    /// What accesses a large atomic in the library reads the newest messages and stores behind all
    /// others, which is right where sequentially consistent actions are ordered as executed.
    fn begin_large_access(self, machine: &mut Machine<'_>) -> Result<()> {
        if !machine.tracks() {
            return Ok(());
        }
        if machine.system.follows_psc {
            return unsupported(
                "operations on atomics that no instruction covers, in a program whose \
                 sequentially consistent operations need not be ordered as they are executed",
            );
        }
        machine.note_total_of_program();
        Ok(())
    }

    fn fence_before_load(self, machine: &mut Machine<'_>, address: Address) -> Result<()> {
        let follows_psc = machine.system.follows_psc;
        if !machine.tracks() || !(follows_psc || machine.system.has_fences()) {
            return Ok(());
        }
        if follows_psc {
            let me = machine.running as u32;
            machine.stage(Stage::Reach, Op::TotalFence(me));
            return machine.read_newest_in_psc(&Place::at(address, FUTEX));
        }
        machine.see_total_order();
        Ok(())
    }

    fn drain_in_order(self, machine: &mut Machine<'_>, _: &DrainOrder) {
        machine.track(Op::KeepNewest(None));
    }

    fn drained_in_words(self) -> &'static str {
        "each load reads the newest store from here on"
    }
}
