//! What can know of an access, or have seen a message.

use crate::base::codec::{Reader, put};
use impasse_program::address::{Address, ObjectId};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// What can know of an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// A thread: the access happens before all that it does from now on.
    Thread(u32),
    /// What a thread's last release fence released.
    ReleaseFence(u32),
    /// What a thread's next acquire fence acquires.
    AcquireFence(u32),
    /// A thread that has ended: the thread that joins it will know.
    Ended(u32),
    /// The delayed store at an index of a thread's buffer.
    Delayed(u32, u32),
    /// Whoever begins an atomic section next.
    Sections,
    /// Whoever executes a sequentially consistent fence next.
    TotalOrder,
    /// Whoever acquires an atomic or a lock next.
    Message(Message),
}

/// What an atomic, a lock, or the like hands over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Message {
    /// The object that it lies in.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: u32,
    /// The position in the modification order, among the messages that can still be read.
    pub order: u32,
}

impl Message {
    /// Returns the message of the lock or atomic at an address.
    pub fn at(address: Address) -> Message {
        Message {
            object: address.object,
            offset: address.offset as u32,
            order: 0,
        }
    }

    /// Returns a second message of the same lock.
    pub fn second(self) -> Message {
        Message {
            offset: self.offset + 1,
            ..self
        }
    }
}

/// Some holders, in ascending order.
pub(super) type Holders = SmallVec<[Holder; 4]>;

/// Of each living thread, the holders of which each knows only what the thread will know.
#[derive(Default)]
pub(super) struct Knowing {
    /// Those of one thread after those of another.
    holders: SmallVec<[Holder; 8]>,
    /// Where those of each thread end.
    ends: SmallVec<[usize; 8]>,
}

impl Knowing {
    /// Adds a thread that joins others before it does anything else.
    pub(super) fn add(&mut self, thread: u32, awaits: &[(u32, u32)]) {
        let first = self.holders.len();
        self.holders.push(Holder::Thread(thread));
        let mut followed = first;
        while let Some(&holder) = self.holders.get(followed) {
            followed += 1;
            let joined = awaits
                .iter()
                .filter(|(waits, _)| holder == Holder::Thread(*waits));
            for (_, target) in joined {
                if !holds(&self.holders[first..], Holder::Thread(*target)) {
                    self.holders.push(Holder::Thread(*target));
                    self.holders.push(Holder::Ended(*target));
                }
            }
        }
        self.ends.push(self.holders.len());
    }

    /// Returns the holders for each thread.
    pub(super) fn of_each(&self) -> impl Iterator<Item = &[Holder]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(start, &end)| &self.holders[start..end])
    }
}

/// Returns whether a holder is among some. These are so few that a search from one end is fastest.
#[inline]
pub(super) fn holds(holders: &[Holder], holder: Holder) -> bool {
    holders.contains(&holder)
}

/// Returns whether two messages that follow each other are both among some holders, or neither.
#[inline]
pub(super) fn holds_the_same(holders: &[Holder], older: Holder, newer: Holder) -> bool {
    match holders.iter().position(|holder| *holder == older) {
        // No other holder comes between the two.
        Some(at) => holders.get(at + 1) == Some(&newer),
        None => !holds(holders, newer),
    }
}

/// Adds a holder.
pub(super) fn tell(holders: &mut Holders, holder: Holder) {
    if let Err(at) = holders.binary_search(&holder) {
        holders.insert(at, holder);
    }
}

/// Appends the stored form.
pub(super) fn encode_holders(holders: &Holders, out: &mut Vec<u8>) {
    put(out, holders.len() as u64);
    holders.iter().for_each(|holder| holder.encode(out));
}

/// Reads a stored form.
pub(super) fn decode_holders(reader: &mut Reader<'_>) -> Holders {
    (0..reader.small())
        .map(|_| Holder::decode(reader))
        .collect()
}

impl Ord for Holder {
    #[inline]
    fn cmp(&self, other: &Holder) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Holder {
    #[inline]
    fn partial_cmp(&self, other: &Holder) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Holder {
    /// Returns whether it is a thread, which may have ended.
    pub(super) fn is_thread(self) -> bool {
        matches!(self, Holder::Thread(_) | Holder::Ended(_))
    }

    /// A number of its own, in ascending order, which is fast to compare.
    #[inline]
    fn key(self) -> u128 {
        let (tag, words): (u128, [u32; 3]) = match self {
            Holder::Thread(thread) => (0, [thread, 0, 0]),
            Holder::ReleaseFence(thread) => (1, [thread, 0, 0]),
            Holder::AcquireFence(thread) => (2, [thread, 0, 0]),
            Holder::Ended(thread) => (3, [thread, 0, 0]),
            Holder::Delayed(thread, index) => (4, [thread, index, 0]),
            Holder::Sections => (5, [0; 3]),
            Holder::TotalOrder => (6, [0; 3]),
            Holder::Message(m) => (7, [m.object.0, m.offset, m.order]),
        };
        words
            .iter()
            .fold(tag, |key, &word| key << 32 | word as u128)
    }

    pub(super) fn encode(self, out: &mut Vec<u8>) {
        let (tag, words): (u8, &[u32]) = match &self {
            Holder::Thread(thread) => (0, &[*thread]),
            Holder::ReleaseFence(thread) => (1, &[*thread]),
            Holder::AcquireFence(thread) => (2, &[*thread]),
            Holder::Ended(thread) => (3, &[*thread]),
            Holder::Delayed(thread, index) => (4, &[*thread, *index]),
            Holder::Sections => (5, &[0]),
            Holder::TotalOrder => (5, &[1]),
            Holder::Message(m) if m.order == 0 => (6, &[m.object.0, m.offset]),
            Holder::Message(m) => (7, &[m.object.0, m.offset, m.order]),
        };
        put(out, (words[0] as u64) << 3 | tag as u64);
        words[1..].iter().for_each(|&word| put(out, word as u64));
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Holder {
        let first = reader.number();
        let word = (first >> 3) as u32;
        match first & 7 {
            0 => Holder::Thread(word),
            1 => Holder::ReleaseFence(word),
            2 => Holder::AcquireFence(word),
            3 => Holder::Ended(word),
            4 => Holder::Delayed(word, reader.small()),
            5 if word == 0 => Holder::Sections,
            5 => Holder::TotalOrder,
            tag => Holder::Message(Message {
                object: ObjectId(word),
                offset: reader.small(),
                order: match tag {
                    6 => 0,
                    _ => reader.small(),
                },
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holder() -> impl Strategy<Value = Holder> {
        let message = (1..3u32, 0..2u32, 0..4u32).prop_map(|(object, offset, order)| {
            let object = ObjectId(object);
            Holder::Message(Message {
                object,
                offset,
                order,
            })
        });
        prop_oneof![
            1 => (0..3u32).prop_map(Holder::Thread),
            1 => (0..3u32).prop_map(Holder::AcquireFence),
            6 => message,
        ]
    }

    proptest! {
        /// One search tells what two searches tell.
        #[test]
        fn messages_that_follow_each_other_are_held_alike(
            all in prop::collection::vec(holder(), 0..12),
            order in 0..3u32,
        ) {
            let mut holders = Holders::new();
            all.iter().for_each(|holder| tell(&mut holders, *holder));
            let message = Message { object: ObjectId(1), offset: 1, order };
            let older = Holder::Message(message);
            let newer = Holder::Message(Message { order: order + 1, ..message });
            let alike = all.contains(&older) == all.contains(&newer);
            prop_assert_eq!(holds_the_same(&holders, older, newer), alike);
        }

        /// Each thread will know what those will know that it joins, directly or not.
        #[test]
        fn who_joins_will_know(awaits in prop::collection::vec((0..4u32, 0..4u32), 0..5)) {
            let mut knowing = Knowing::default();
            (0..4).for_each(|thread| knowing.add(thread, &awaits));
            for (thread, known) in (0..4).zip(knowing.of_each()) {
                let mut joins = vec![thread];
                for _ in 0..4 {
                    let next = awaits.iter().filter(|(waits, _)| joins.contains(waits));
                    let next: Vec<u32> = next.map(|(_, target)| *target).collect();
                    joins.extend(next);
                }
                for other in 0..4 {
                    let holder = Holder::Thread(other);
                    prop_assert_eq!(known.contains(&holder), joins.contains(&other));
                }
            }
            prop_assert_eq!(knowing.of_each().count(), 4);
        }
    }
}
