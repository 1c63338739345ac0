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
    /// It writes to memory itself what no thread can see before a later store.
    Bypassing,
    /// It frees the memory; no store waits for that.
    Freed,
}
