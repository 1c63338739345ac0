//! Which messages an access need not read: those for which older ones stand.
//!
//! *Claim.* If an access reads an older message of the same value, which hands over no more, and
//! stores nothing that tells the two apart, its thread can do afterwards all that it could have
//! done otherwise. The argument is in `docs/internals/c11.md`, section "Older messages that stand
//! for newer ones".

use super::message::{Messages, Read};
use crate::base::fault::{Halt, Result};
use crate::machine::Machine;
use crate::memory_model::Loaded;
use crate::state::happens_before::{Holder, Location, Order, Place};
use crate::value::Value;
use impasse_program::instruction::Scalar;
use smallvec::SmallVec;

/// What an access stores in the atomic that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stores {
    /// Nothing.
    Nothing,
    /// The value that it reads.
    TheSame,
    /// Another value.
    Another,
}

/// An access that reads an atomic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) place: Place,
    pub(super) order: Order,
    pub(super) stores: Stores,
    /// The newest value.
    pub(super) newest: Value,
}

/// How a message that an access may read compares with the others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Standing {
    /// Whether an older one stands for it.
    is_covered: bool,
    /// Whether it stands for the newest one.
    covers_newest: bool,
    /// Whether it stands for one that makes the thread loose.
    loosens: bool,
}

impl Machine<'_> {
    /// Returns how a message that an access may read compares with the others.
    fn standing(&self, reading: &Reading, message: usize) -> Standing {
        let location = self.messages().at(&reading.place).ok().flatten();
        let location = location.filter(|l| !l.is_unread() && !self.system.follows_psc);
        let Some(location) = location.filter(|_| self.may_stand(reading)) else {
            return Standing::default();
        };
        let value = |order| location.value(order).unwrap_or(reading.newest);
        let (seen, _) = location.oldest_for(Holder::Thread(self.running as u32));
        let alike = (seen..=location.newest()).filter(|&other| {
            other != message
                && value(other) == value(message)
                && (reading.stores == Stores::Nothing || is_repeated(location, other))
        });
        let mut standing = Standing::default();
        for other in alike {
            match other < message {
                true => standing.is_covered |= self.covers(reading, other, message),
                false if self.covers(reading, message, other) => {
                    standing.covers_newest |= other == location.newest();
                    let synchronises = reading.order.acquires && location.releases(other);
                    standing.loosens |= !synchronises;
                }
                false => {}
            }
        }
        standing
    }

    /// Returns whether any message may stand for another one. What a read-modify-write stores must
    /// hand over nothing of its own thread.
    fn may_stand(&self, reading: &Reading) -> bool {
        match reading.stores {
            Stores::Nothing => true,
            Stores::TheSame => !reading.order.releases && !self.system.has_fences(),
            Stores::Another => false,
        }
    }

    /// Returns whether a message stands for a newer one of the same value.
    fn covers(&self, reading: &Reading, message: usize, newer: usize) -> bool {
        let is_handed_over = reading.order.acquires || self.system.has_fences();
        let history = self.history.accesses();
        !is_handed_over || history.hands_over_no_more(&reading.place, message, newer)
    }

    /// Chooses which message a load of the running thread reads.
    pub(super) fn choose_to_load(
        &mut self,
        reading: &Reading,
        mut readable: Messages,
    ) -> Result<Read> {
        if readable.len() == 1 {
            return self.choose_message(&reading.place, &readable);
        }
        let mut standings: SmallVec<[Standing; 8]> = SmallVec::new();
        readable.retain(|&mut message| {
            let standing = self.standing(reading, message);
            if !standing.is_covered {
                standings.push(standing);
            }
            !standing.is_covered
        });
        let chosen = self.choose_among(&readable)?;
        let read = self.message_chosen(&reading.place, &readable, chosen);
        Ok(self.take(read, standings[chosen]))
    }

    /// Returns the message that a read-modify-write has read, now that it is known what it stores.
    /// Fails as infeasible if it need not read it.
    pub(super) fn message_to_modify(
        &mut self,
        scalar: Scalar,
        (loaded, place): (&Loaded, Place),
        order: Order,
        stores: Stores,
    ) -> Result<Read> {
        let read = self.message_at(&place, loaded.message);
        if !loaded.is_chosen {
            return Ok(self.take(read, Standing::default()));
        }
        let newest = self.load_checked(scalar, loaded.spot);
        let reading = Reading {
            place,
            order,
            stores,
            newest,
        };
        let standing = self.standing(&reading, loaded.message);
        match standing.is_covered {
            true => Err(Box::new(Halt::Infeasible)),
            false => Ok(self.take(read, standing)),
        }
    }

    /// Notes what follows from reading a message.
    fn take(&mut self, read: Read, standing: Standing) -> Read {
        if !read.is_newest && !standing.covers_newest {
            self.choices.provenance().chose_old();
        }
        Read {
            loosens: standing.loosens,
            ..read
        }
    }
}

/// Returns whether a read-modify-write that stores the same value behind a message leaves nothing
/// that tells the two apart.
fn is_repeated(location: &Location, message: usize) -> bool {
    !location.is_updated(message) && !location.releases(message)
}
