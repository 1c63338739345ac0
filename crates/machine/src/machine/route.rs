//! How an access deals with store buffers.

/// How an access deals with store buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// It reads or writes memory itself.
    Direct,
    /// It reads what its own buffer holds, and memory where that holds nothing.
    Forwarded,
    /// It writes to its own buffer.
    Delayed,
    /// It writes to memory itself what nobody can see before a store that comes later.
    Bypassing,
    /// It frees the memory; nobody's stores wait for that.
    Freed,
}
