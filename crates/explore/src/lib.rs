//! Searches over transition systems
