//! What one worker sends to another: transitions to states that the other one owns.
//!
//! Transitions go in batches. A batch is a sequence of records: by how much the rank of the source
//! exceeds that of the record before, the ordinal, and the target in its portable form.
//!
//! Where the search looks for hangs, the owner of a target must know of all transitions to it. A
//! record then has a slot before the target: the receiver remembers the target there, and the
//! sender refers to the slot instead of sending the state again. After the target, it has the list
//! of the keys that are open in the source, whole the first time and afterwards as a number.

use crate::recorder::{self, Recorder};
use crate::store::Place;
use impasse_store::{Id, hash_of};
use impasse_transition_system::{Key, Malformed, Portable};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Bytes after which a batch is sent.
const BATCH: usize = 1 << 15;

/// A batch on its way.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Its number among those with the same ends, from 1: portable forms must be read in order. 0
    /// if it is no batch of transitions.
    number: u32,
    #[serde(with = "serde_bytes")]
    pub(crate) bytes: Vec<u8>,
}

/// A transition to a state of another worker.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub(crate) place: Place,
    pub(crate) target: &'a [u8],
    /// If the receiver keeps the transition, and not only its target: the list of the keys that are
    /// open in the source.
    pub(crate) open: Option<u32>,
}

/// The sending end of a link.
pub(crate) struct Outgoing<S: Portable> {
    sender: S::Sender,
    bytes: Vec<u8>,
    last_rank: u32,
    sent: u32,
    /// The lists of keys that the receiver knows.
    lists: FxHashSet<u32>,
    /// The keys that it knows, with their numbers.
    keys: FxHashMap<Key, u32>,
}

impl<S: Portable> Default for Outgoing<S> {
    fn default() -> Self {
        Outgoing {
            sender: S::Sender::default(),
            bytes: Vec::new(),
            last_rank: 0,
            sent: 0,
            lists: FxHashSet::default(),
            keys: FxHashMap::default(),
        }
    }
}

impl<S: Portable> Outgoing<S> {
    /// Appends a transition. The ranks of sources must not decrease.
    pub(crate) fn push(&mut self, system: &S, record: Record<'_>) {
        self.head(record.place);
        system.export(&mut self.sender, record.target, &mut self.bytes);
    }

    /// Appends a transition to a state that the receiver is to remember in a slot, or does.
    pub(crate) fn push_with_slot(
        &mut self,
        system: &S,
        record: Record<'_>,
        slot: Slot,
        recorder: &Recorder,
    ) {
        self.head(record.place);
        let flags = u32::from(slot.is_new) << 1 | u32::from(record.open.is_some());
        put(&mut self.bytes, slot.number << 2 | flags);
        if slot.is_new {
            system.export(&mut self.sender, record.target, &mut self.bytes);
        }
        let Some(list) = record.open else {
            return;
        };
        put(&mut self.bytes, list);
        if self.lists.insert(list) {
            let keys = recorder.keys(list);
            put(&mut self.bytes, keys.len() as u32);
            for &key in keys {
                self.key(key);
            }
        }
    }

    fn key(&mut self, key: Key) {
        let next = self.keys.len() as u32;
        match self.keys.get(&key) {
            Some(&number) => put(&mut self.bytes, number + 1),
            None => {
                put(&mut self.bytes, 0);
                self.bytes.extend_from_slice(&key.0.to_le_bytes());
                self.keys.insert(key, next);
            }
        }
    }

    fn head(&mut self, place: Place) {
        // After a batch, ranks are counted from 0 again.
        put(&mut self.bytes, place.rank - self.last_rank);
        put(&mut self.bytes, place.ordinal);
        self.last_rank = place.rank;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() >= BATCH
    }

    /// Returns the batch that these two workers exchange next, unless it is empty.
    pub(crate) fn take(&mut self, from: u32, to: u32) -> Option<Message> {
        if self.bytes.is_empty() {
            return None;
        }
        self.sent += 1;
        self.last_rank = 0;
        Some(Message {
            from,
            to,
            number: self.sent,
            bytes: std::mem::take(&mut self.bytes),
        })
    }
}

impl Message {
    /// Returns one that is no batch of transitions.
    pub(crate) fn other(from: u32, to: u32, bytes: Vec<u8>) -> Self {
        Message {
            from,
            to,
            number: 0,
            bytes,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The receiving end of a link.
pub(crate) struct Incoming<S: Portable> {
    receiver: S::Receiver,
    received: u32,
    /// The states that the sender may refer to.
    slots: Vec<Id>,
    /// Its lists of keys, as numbers of lists here.
    lists: FxHashMap<u32, u32>,
    /// The keys in these, by their numbers.
    keys: Vec<Key>,
}

impl<S: Portable> Default for Incoming<S> {
    fn default() -> Self {
        Incoming {
            receiver: S::Receiver::default(),
            received: 0,
            slots: Vec::new(),
            lists: FxHashMap::default(),
            keys: Vec::new(),
        }
    }
}

impl<S: Portable> Incoming<S> {
    /// Passes each transition of a batch on to `store`, which returns the id of its target. With a
    /// recorder, records have slots, and it gets the transitions that are kept. Fails if the batch
    /// is damaged, or one is missing before it.
    pub(crate) fn read(
        &mut self,
        system: &S,
        message: &Message,
        state: &mut Vec<u8>,
        mut store: impl FnMut(Place, &[u8]) -> Id,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<(), Malformed> {
        self.received += 1;
        if message.number != self.received {
            return Err(Malformed);
        }
        let (mut rank, mut bytes) = (0, message.bytes.as_slice());
        while !bytes.is_empty() {
            rank += take(&mut bytes)?;
            let place = Place {
                worker: message.from,
                rank,
                ordinal: take(&mut bytes)?,
            };
            let Some(recorder) = &mut recorder else {
                system.import(&mut self.receiver, &mut bytes, state)?;
                store(place, state);
                continue;
            };
            let word = take(&mut bytes)?;
            let slot = (word >> 2) as usize;
            if word & 2 != 0 {
                system.import(&mut self.receiver, &mut bytes, state)?;
                if self.slots.len() <= slot {
                    self.slots.resize(slot + 1, Id(u32::MAX));
                }
                self.slots[slot] = store(place, state);
            }
            let target = *self.slots.get(slot).ok_or(Malformed)?;
            if word & 1 != 0 {
                let open = self.list(&mut bytes, recorder)?;
                recorder.incoming.push(recorder::Incoming {
                    target,
                    place,
                    open,
                });
            }
        }
        Ok(())
    }

    fn list(&mut self, bytes: &mut &[u8], recorder: &mut Recorder) -> Result<u32, Malformed> {
        let number = take(bytes)?;
        if let Some(&list) = self.lists.get(&number) {
            return Ok(list);
        }
        let mut keys = Vec::new();
        for _ in 0..take(bytes)? {
            let key = match take(bytes)?.checked_sub(1) {
                Some(number) => *self.keys.get(number as usize).ok_or(Malformed)?,
                None => {
                    let (key, rest) = bytes.split_first_chunk().ok_or(Malformed)?;
                    *bytes = rest;
                    let key = Key(u64::from_le_bytes(*key));
                    self.keys.push(key);
                    key
                }
            };
            keys.push(key);
        }
        let list = recorder.list(&keys);
        self.lists.insert(number, list);
        Ok(list)
    }
}

/// Appends a number, in as many bytes as it needs.
fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes off what [`put`] appended.
fn take(bytes: &mut &[u8]) -> Result<u32, Malformed> {
    let mut number = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Malformed)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Malformed)
}

/// How many states are remembered that were sent lately.
const REMEMBERED: usize = 1 << 15;

/// States that were sent lately, as this worker encodes them, with their owners: few are sent
/// twice.
///
/// The transition that was sent with a state is the least one of this worker, since ranks increase.
pub(crate) struct Sent(Vec<(Vec<u8>, u32)>);

impl Default for Sent {
    fn default() -> Self {
        Sent(vec![(Vec::new(), 0); REMEMBERED])
    }
}

/// Where a receiver remembers a state.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    number: u32,
    /// Whether the state is not there yet.
    pub(crate) is_new: bool,
}

impl Sent {
    /// Returns the owner and the slot of a state that was sent lately.
    pub(crate) fn find(&self, state: &[u8]) -> Option<(u32, Slot)> {
        let number = hash_of(state) as usize % REMEMBERED;
        let (known, owner) = &self.0[number];
        let slot = Slot {
            number: number as u32,
            is_new: false,
        };
        (known == state && !state.is_empty()).then_some((*owner, slot))
    }

    /// Notes that a state is sent to its owner, and returns its slot.
    pub(crate) fn add(&mut self, state: &[u8], owner: u32) -> Slot {
        let number = hash_of(state) as usize % REMEMBERED;
        let (known, owned_by) = &mut self.0[number];
        known.clear();
        known.extend_from_slice(state);
        *owned_by = owner;
        Slot {
            number: number as u32,
            is_new: true,
        }
    }
}
