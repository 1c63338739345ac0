//! What the present instruction asks of store buffers.

use crate::state::access_history::OtherAccesses;
use crate::state::memory::Memory;
use crate::state::thread::Threads;

/// The machine before an instruction made delayed stores reach memory.
pub(crate) struct Before<'s> {
    /// Which instruction of the step it is.
    pub(crate) instruction: u64,
    pub(crate) memory: Memory<'s>,
    pub(crate) threads: Threads,
    pub(crate) others: OtherAccesses,
    /// How many events were noted.
    pub(crate) events: usize,
}

/// What the present instruction has made reach memory, in case it halts after all.
#[derive(Default)]
pub struct FlushRequest<'s> {
    /// The machine before it did.
    pub(crate) before: Option<Before<'s>>,
    /// The instruction of the step that has emptied its buffer, which is one action with what it
    /// does next.
    pub(crate) emptied: Option<u64>,
    /// The instruction that chose a drain order.
    pub(crate) chosen_at: Option<u64>,
}

impl FlushRequest<'_> {
    /// Whether the instruction with this number in the step has drained its thread's buffer: acting
    /// again is the same action.
    #[inline]
    pub fn has_drained(&self, instruction: u64) -> bool {
        self.emptied == Some(instruction)
    }

    /// Nothing was requested.
    pub fn forget(&mut self) {
        *self = FlushRequest::default();
    }
}
