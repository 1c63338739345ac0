//! Partial-order reduction: where a step ends, which accesses race, and which steps are known from
//! other states.

mod counting;
pub(crate) mod observe;
pub(crate) mod step_cache;
pub(crate) mod track;
