//! States that go from one copy of a system to another.

use crate::system::TransitionSystem;

/// A system of which each worker of a search has a copy of its own. States go from copy to copy in
/// a *portable* form, which means the same to all of them.
///
/// The portable form may refer to what was sent before: a [`Sender`](Portable::Sender) and the
/// [`Receiver`](Portable::Receiver) at the other end must see the same states in the same order.
pub trait Portable: TransitionSystem {
    /// What is known of the hashes of states.
    type Hashes: Default;
    /// What one copy has sent to another one.
    type Sender: Default;
    /// What one copy has received from another one.
    type Receiver: Default;

    /// Returns the hash of a state, which is the same for equal states of all copies.
    fn portable_hash(&self, hashes: &mut Self::Hashes, state: &[u8]) -> u64;

    /// Returns whether this copy has met what all copies must know of before
    /// [`drain`](TransitionSystem::drain) is called.
    fn noted(&self) -> bool {
        false
    }

    /// Notes that some copy has met it.
    fn note(&self) {}

    /// Appends the portable form of a state.
    fn export(&self, sender: &mut Self::Sender, state: &[u8], out: &mut Vec<u8>);

    /// Reads the portable form of a state at the beginning of `bytes`, which become what follows
    /// it, and sets `state` to the state as this copy encodes it. Fails if there is no such form.
    fn import(
        &self,
        receiver: &mut Self::Receiver,
        bytes: &mut &[u8],
        state: &mut Vec<u8>,
    ) -> Result<(), Malformed>;
}

/// The error that bytes are no portable form of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a message between workers is damaged")]
pub struct Malformed;
