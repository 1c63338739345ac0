//! The SHIM language and its deadlocks
