//! What one worker sends to another: transitions to states that the other one owns.
//!
//! Transitions go in batches. A batch is a sequence of records: by how much the rank of the source
//! exceeds that of the record before, the ordinal, and the target in its portable form.

use crate::store::Place;
use impasse_store::hash_of;
use impasse_transition_system::{Malformed, Portable};
use serde::{Deserialize, Serialize};

/// Bytes after which a batch is sent.
const BATCH: usize = 1 << 15;

/// A batch on its way.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Its number among those with the same ends: portable forms must be read in order.
    number: u32,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

/// The sending end of a link.
pub(crate) struct Outgoing<S: Portable> {
    sender: S::Sender,
    bytes: Vec<u8>,
    last_rank: u32,
    sent: u32,
}

impl<S: Portable> Default for Outgoing<S> {
    fn default() -> Self {
        Outgoing {
            sender: S::Sender::default(),
            bytes: Vec::new(),
            last_rank: 0,
            sent: 0,
        }
    }
}

impl<S: Portable> Outgoing<S> {
    /// Appends a transition. The ranks of sources must not decrease.
    pub(crate) fn push(&mut self, system: &S, place: Place, target: &[u8]) {
        put(&mut self.bytes, place.rank - self.last_rank);
        put(&mut self.bytes, place.ordinal);
        self.last_rank = place.rank;
        system.export(&mut self.sender, target, &mut self.bytes);
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
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The receiving end of a link.
pub(crate) struct Incoming<S: Portable> {
    receiver: S::Receiver,
    received: u32,
}

impl<S: Portable> Default for Incoming<S> {
    fn default() -> Self {
        Incoming {
            receiver: S::Receiver::default(),
            received: 0,
        }
    }
}

impl<S: Portable> Incoming<S> {
    /// Passes each transition of a batch on. Fails if the batch is damaged, or one is missing before
    /// it.
    pub(crate) fn read(
        &mut self,
        system: &S,
        message: &Message,
        state: &mut Vec<u8>,
        mut each: impl FnMut(Place, &[u8]),
    ) -> Result<(), Malformed> {
        self.received += 1;
        if message.number != self.received {
            return Err(Malformed);
        }
        let (mut rank, mut bytes) = (0, message.bytes.as_slice());
        while !bytes.is_empty() {
            rank += take(&mut bytes)?;
            let ordinal = take(&mut bytes)?;
            system.import(&mut self.receiver, &mut bytes, state)?;
            let worker = message.from;
            let place = Place {
                worker,
                rank,
                ordinal,
            };
            each(place, state);
        }
        Ok(())
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

/// States that were sent lately, as this worker encodes them: few are sent twice.
///
/// The transition that was sent with a state is the least one of this worker, since ranks increase.
pub(crate) struct Sent(Vec<Vec<u8>>);

impl Default for Sent {
    fn default() -> Self {
        Sent(vec![Vec::new(); REMEMBERED])
    }
}

impl Sent {
    /// Notes that a state is sent. Returns whether it is not known that it was before.
    pub(crate) fn is_new(&mut self, state: &[u8]) -> bool {
        let known = &mut self.0[hash_of(state) as usize % REMEMBERED];
        if known == state && !state.is_empty() {
            return false;
        }
        known.clear();
        known.extend_from_slice(state);
        true
    }
}
