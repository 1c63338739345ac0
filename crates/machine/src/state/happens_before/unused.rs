//! Drops what can be read in atomics, but will not be: no thread accesses them any more, or all who
//! will have seen newer messages.

use super::messages::Location;
use super::{HappensBefore, Holder, Message, Place};
use crate::state::memory::Access;
use impasse_program::address::ObjectId;

/// Whether a thread will not access an atomic, or not store there ([`Access::Read`]), before
/// another one has ended; ever, if that is the thread itself.
type IsUnused<'a> = &'a mut dyn FnMut(u32, &Place, Access, u32) -> bool;

impl HappensBefore {
    /// Drops what no thread will read in atomics. Returns whether there was any such thing.
    pub fn drop_unused(&mut self, is_unused: IsUnused<'_>) -> bool {
        let mut dropped = false;
        let places: Vec<Place> = self.locations.0.iter().map(|l| l.place).collect();
        for place in &places {
            let oldest = self.least_seen(place, Access::Write, is_unused);
            if oldest > 0 {
                let moved = self.locations.drop_before(place.message(oldest));
                self.follow(&moved);
                dropped = true;
            }
        }
        self.normalise();
        for place in &places {
            while let Some(message) = self.stored_again(place, is_unused) {
                self.merge(message);
                self.normalise();
                dropped = true;
            }
        }
        dropped
    }

    /// Takes all who will access an atomic that one thread alone can reach, by `owner`, to have
    /// seen what this thread has seen of it. Returns the new history, or `None` if it stays as it
    /// is.
    pub fn outdated(&self, owner: &dyn Fn(ObjectId) -> Option<u32>) -> Option<HappensBefore> {
        let seen = self.locations.0.iter().filter_map(|location| {
            if location.is_unread() || self.psc.mentions(&location.place) {
                return None;
            }
            let owner = owner(location.place.object).filter(|it| self.alive.contains(it))?;
            let seen = location.seen_by(Holder::Thread(owner));
            location.is_new(seen).then(|| location.place.message(seen))
        });
        let seen: Vec<Message> = seen.collect();
        if seen.is_empty() {
            return None;
        }
        let mut shorter = self.clone();
        for message in seen {
            for moved in shorter.locations.outdate(message) {
                shorter.follow(&moved);
            }
        }
        shorter.normalise();
        Some(shorter)
    }

    /// Returns the oldest message such that each thread that will access an atomic has seen it
    /// before it does, or a newer one; of threads that will store there, for [`Access::Read`].
    fn least_seen(&self, place: &Place, access: Access, is_unused: IsUnused<'_>) -> usize {
        let Some(location) = self.locations.0.iter().find(|l| l.place == *place) else {
            return 0;
        };
        let views = location.views();
        let least = self.alive.iter().map(|&thread| {
            if is_unused(thread, place, access, thread) {
                return location.newest();
            }
            let seen = location.seen_by(Holder::Thread(thread));
            let joined = views.iter().filter_map(|&(holder, order)| match holder {
                Holder::Thread(t) | Holder::Ended(t) if t != thread && order > seen => {
                    Some((t, order))
                }
                _ => None,
            });
            let joined = joined.filter(|&(t, _)| is_unused(thread, place, access, t));
            joined.map(|(_, order)| order).max().unwrap_or(seen)
        });
        least.min().unwrap_or(0)
    }

    /// Returns a message that nothing distinguishes from the one before, between which no thread
    /// will store.
    fn stored_again(&self, place: &Place, is_unused: IsUnused<'_>) -> Option<Message> {
        let location = self.locations.0.iter().find(|l| l.place == *place)?;
        Location::stored_again(location).next()?;
        let least = self.least_seen(place, Access::Read, is_unused);
        let mut orders = Location::stored_again(location).filter(|&order| order <= least);
        let found = orders.find(|&order| self.hands_over_the_same(location, order));
        found.map(|order| place.message(order))
    }
}
