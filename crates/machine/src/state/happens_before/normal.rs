//! The normal form of a history: without what no future access depends on.

use super::group::drop_known;
use super::holder::{Holders, holds, holds_the_same, tell};
use super::messages::Location;
use super::{HappensBefore, Holder, Message, has_total};

impl HappensBefore {
    /// Brings the history into its normal form, which is equal for all histories that can race with
    /// the same future accesses.
    pub fn normalise(&mut self) {
        self.anticipate_joins();
        self.drop_superfluous();
        while let Some(message) = self.repetition() {
            self.merge(message);
            self.drop_superfluous();
        }
        if self.is_over() {
            self.alive.clear();
        }
    }

    /// A thread that does nothing until it has joined others will know what they do: it counts as
    /// if it knew already, and what those that have ended know reaches no one else.
    fn anticipate_joins(&mut self) {
        if self.awaits.is_empty() {
            return;
        }
        let awaits = self.awaits.clone();
        let groups = self.groups.iter_mut().chain(&mut self.uses);
        let groups = groups.map(|group| &mut group.holders);
        let seen = self.locations.0.iter_mut().flat_map(Location::holders_mut);
        for holders in groups.chain(seen) {
            // Who joins may be awaited as well.
            let mut before = 0;
            while holders.len() > before {
                before = holders.len();
                for &(waits, target) in &awaits {
                    let knows = |holder| holds(holders, holder);
                    if knows(Holder::Thread(target)) || knows(Holder::Ended(target)) {
                        tell(holders, Holder::Thread(waits));
                    }
                }
            }
            holders.retain(|holder| !is_joined(*holder, &awaits));
        }
        for &(waits, target) in &awaits {
            if holds(&self.loose, Holder::Ended(target)) {
                tell(&mut self.loose, Holder::Thread(waits));
            }
        }
        self.loose.retain(|holder| !is_joined(*holder, &awaits));
    }

    /// Returns a message that nothing distinguishes from the one before: a read-modify-write has
    /// stored the same value, and it hands over the same.
    fn repetition(&self) -> Option<Message> {
        let locations = self.locations.0.iter();
        let mut repetitions = locations.flat_map(|location| {
            let repetitions = location.repetitions();
            repetitions.map(move |order| (location, order))
        });
        let found =
            repetitions.find(|&(location, order)| self.hands_over_the_same(location, order));
        found.map(|(location, order)| location.place.message(order))
    }

    /// Returns whether nothing but its value can distinguish a message from the one before.
    pub(super) fn hands_over_the_same(&self, location: &Location, order: usize) -> bool {
        let place = location.place;
        let (before, message) = (place.message(order - 1), place.message(order));
        let groups = self.groups.iter().map(|group| &group.holders);
        let seen = self.locations.0.iter().flat_map(Location::seen);
        let others = self.locations.0.iter().filter(|other| other.place != place);
        let known = others.flat_map(Location::holders);
        let mut sets = groups.chain(seen).chain(known).chain([&self.loose]);
        let (older, newer) = (Holder::Message(before), Holder::Message(message));
        sets.all(|holders: &Holders| holds_the_same(holders, older, newer))
            && location.tell_the_same(order)
            && self.psc.can_merge(&place, before, message)
    }

    /// Takes a message and the one before for one. Sequentially consistent actions may come before
    /// the one by reads that do not synchronise, and not before the other one.
    pub(super) fn merge(&mut self, message: Message) {
        let mut locations = self.locations.0.iter();
        let is_read = locations.any(|l| l.has(message) && !l.is_passed(message.order as usize));
        let before = Holder::Message(Message {
            order: message.order - 1,
            ..message
        });
        if is_read && self.any_total_unknown_to(before) {
            tell(&mut self.blurred, before);
        }
        let moved = self.locations.merge(message);
        self.follow(&moved);
    }

    /// Drops who would get to know what from messages that nothing reads.
    fn drop_unread(&mut self) {
        let unread = |location: &Location| {
            let place = location.place;
            let orders: Vec<usize> = location.unread().collect();
            orders.into_iter().map(move |order| place.message(order))
        };
        let unread: Vec<Message> = self.locations.0.iter().flat_map(unread).collect();
        if unread.is_empty() {
            return;
        }
        self.change_holders(|holder| match holder {
            Holder::Message(message) if unread.contains(&message) => None,
            other => Some(other),
        });
    }

    /// Drops what no future access depends on.
    fn drop_superfluous(&mut self) {
        self.psc.normalise();
        self.locations.normalise();
        self.drop_unread();
        let knowing = self.knowing();
        drop_known(&mut self.groups, &knowing);
        drop_known(&mut self.uses, &knowing);
        let mut loose = std::mem::take(&mut self.loose);
        let any_total = self.groups.iter().any(has_total);
        loose.retain(|holder| match holder {
            Holder::Thread(_) => self.any_total_unknown_to(*holder),
            _ => any_total,
        });
        self.loose = loose;
        let may_become_loose = |&thread: &u32| {
            !self.is_loose(thread) && self.any_total_unknown_to(Holder::Thread(thread))
        };
        if !self.alive.iter().any(may_become_loose) {
            self.blurred.clear();
        }
    }
}

/// Whether a holder is a thread that has ended and that another one is about to join.
fn is_joined(holder: Holder, awaits: &[(u32, u32)]) -> bool {
    matches!(holder, Holder::Ended(ended) if awaits.iter().any(|(_, target)| *target == ended))
}
