//! How far a search may go.

use std::time::Duration;

/// Bounds on a search; whichever is hit first stops it. None means no bound, but for
/// memory, which is always bounded by what the machine has left.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Distinct states.
    pub states: Option<u64>,
    /// Memory in bytes, of states, bookkeeping and the system together.
    pub memory: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}
