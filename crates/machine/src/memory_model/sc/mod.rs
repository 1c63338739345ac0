//! Sequential consistency: a store is in memory at once, and nothing is ever in flight.
//!
//! L. Lamport, *How to Make a Multiprocessor Computer That Correctly Executes Multiprocess
//! Programs*, IEEE Transactions on Computers C-28(9), 1979.

use super::{DrainOrder, Loaded, MemoryModel, Modifies, StoreOrder};
use crate::base::fault::{Halt, Result};
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::machine::system::System;
use crate::state::happens_before::{HappensBefore, Order};
use crate::state::memory::{Access, Spot};
use crate::state::thread::Threads;
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;
use smallvec::SmallVec;

/// Sequential consistency.
#[derive(Clone, Copy, Debug)]
pub struct Sc;

impl MemoryModel for Sc {
    #[inline]
    fn delays(self) -> bool {
        false
    }

    #[inline]
    fn has_store_buffers(self) -> bool {
        false
    }

    #[inline]
    fn has_own_transitions(self) -> bool {
        false
    }

    #[inline]
    fn is_in_flight(self, _: &Machine<'_>) -> bool {
        false
    }

    #[inline]
    fn have_in_flight(self, _: &Threads, _: &HappensBefore) -> bool {
        false
    }

    #[inline]
    fn route_of_store(self, _: &Machine<'_>, _: Address, _: u64, _: bool) -> Route {
        Route::Direct
    }

    #[inline]
    fn is_visible(self, _: &Machine<'_>, _: Route) -> bool {
        true
    }

    #[inline]
    fn meet(
        self,
        _: &mut Machine<'_>,
        _: Route,
        _: (Address, u64),
        _: Access,
        _: bool,
    ) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        (address, spot): (Address, Spot),
        order: Option<Order>,
    ) -> Result<Value> {
        if let Some(order) = order {
            machine.order_load(address, order);
        }
        Ok(machine.load_checked(scalar, spot))
    }

    #[inline]
    fn peek(self, machine: &mut Machine<'_>, scalar: Scalar, spot: Spot) -> Value {
        machine.load_checked(scalar, spot)
    }

    #[inline]
    fn store(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        value: Value,
        order: StoreOrder,
    ) -> Result<()> {
        machine.store(scalar, word, value, order.atomic, order.order)
    }

    fn store_bytes(self, machine: &mut Machine<'_>, to: Spot, bytes: &[u8]) -> Result<()> {
        for (offset, &byte) in (to.offset..).zip(bytes) {
            let word = Word::number(u64::from(byte));
            machine.memory.store(Spot { offset, ..to }, 1, word);
        }
        Ok(())
    }

    #[inline]
    fn copy(
        self,
        machine: &mut Machine<'_>,
        _: Route,
        to: Spot,
        from: Spot,
        bytes: usize,
    ) -> Result<()> {
        machine.memory.copy(to, from, bytes);
        Ok(())
    }

    #[inline]
    fn fill(
        self,
        machine: &mut Machine<'_>,
        _: Route,
        to: Spot,
        bytes: usize,
        value: Word,
    ) -> Result<()> {
        machine.memory.fill(to, bytes, value);
        Ok(())
    }

    #[inline]
    fn load_to_modify(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        _: Modifies,
    ) -> Result<Loaded> {
        let bytes = scalar.bytes() as u64;
        let address = machine.memory.address(word)?;
        machine.observe(address, bytes, Access::Write, true)?;
        let spot = machine.memory.check(word, address, bytes, Access::Write)?;
        Ok(Loaded {
            address,
            spot,
            value: machine.load_checked(scalar, spot),
            message: 0,
            may_modify: true,
        })
    }

    #[inline]
    fn store_modified(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
        new: Value,
    ) -> Result<()> {
        machine.order_update(loaded.address, order);
        if new != loaded.value {
            machine.store_checked(scalar, loaded.spot, new);
        }
        Ok(())
    }

    #[inline]
    fn read_only(
        self,
        machine: &mut Machine<'_>,
        _: Scalar,
        loaded: &Loaded,
        order: Order,
    ) -> Result<()> {
        machine.order_load(loaded.address, order);
        Ok(())
    }

    #[inline]
    fn fence(self, _: &mut Machine<'_>, _: Ordering) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn drain(self, _: &mut Machine<'_>) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn end_object(self, _: &mut Machine<'_>, _: ObjectId) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn leave_alone(self, _: &mut Machine<'_>) {}

    #[inline]
    fn take_back(self, _: &mut Machine<'_>, _: &Halt) {}

    fn own_transitions(self, _: &Threads) -> SmallVec<[usize; 8]> {
        SmallVec::new()
    }

    fn take_own_transition(self, _: &mut Machine<'_>, _: usize) {}

    fn full_drain_orders(self, _: &System, _: &Threads) -> Vec<DrainOrder> {
        vec![DrainOrder::new()]
    }

    fn drain_in_order(self, _: &mut Machine<'_>, _: &DrainOrder) {}

    fn drained_in_words(self) -> &'static str {
        "nothing fails spuriously from here on"
    }
}
