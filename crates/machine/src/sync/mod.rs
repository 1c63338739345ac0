//! Threads and synchronisation: the builtins for mutexes, condition variables, barriers, latches,
//! semaphores, signals, sections.

pub(crate) mod both;
pub(crate) mod condition;
pub(crate) mod coordination;
pub(crate) mod lock;
pub(crate) mod mutex;
pub mod object;
pub(crate) mod section;
pub(crate) mod semaphore;
pub(crate) mod shared;
pub(crate) mod signal;
pub(crate) mod threads;
pub(crate) mod watch;
