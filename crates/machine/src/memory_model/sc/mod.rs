//! Sequential consistency: a store is in memory at once, and nothing is ever in flight.
//!
//! L. Lamport, *How to Make a Multiprocessor Computer That Correctly Executes Multiprocess
//! Programs*, IEEE Transactions on Computers C-28(9), 1979.

use super::{DrainOrder, Loaded, MemoryModel, Modifies, StoreOrder};
use crate::base::fault::Result;
use crate::machine::Machine;
use crate::state::happens_before::{HappensBefore, Order};
use crate::state::memory::{Access, Spot};
use crate::state::thread::Threads;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;

/// Sequential consistency.
#[derive(Clone, Copy, Debug)]
pub struct Sc;

impl MemoryModel for Sc {
    #[inline]
    fn delays(self) -> bool {
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

    #[inline]
    fn load_to_modify(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        modifies: Modifies,
    ) -> Result<Loaded> {
        let bytes = scalar.bytes() as u64;
        let address = machine.memory.address(word)?;
        match modifies.may_only_read {
            true => machine.observe_comparison(address, bytes)?,
            false => machine.observe(address, bytes, Access::Write, true)?,
        }
        let spot = machine.memory.check(word, address, bytes, Access::Write)?;
        Ok(Loaded {
            address,
            spot,
            value: machine.load_checked(scalar, spot),
            message: 0,
            is_newest: true,
            may_modify: true,
            is_chosen: false,
            is_compared: modifies.may_only_read,
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
        machine.observe_modification(scalar, loaded)?;
        machine.order_update(scalar, loaded.address, order);
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

    fn fence_everywhere(self, _: &mut Machine<'_>) -> Result<()> {
        Ok(())
    }

    fn drain_in_order(self, _: &mut Machine<'_>, _: &DrainOrder) {}

    fn drained_in_words(self) -> &'static str {
        "nothing fails spuriously from here on"
    }
}
