//! Partial-order reduction: where a step ends, which accesses race, and which steps are known from other states.

pub(crate) mod memo;
pub(crate) mod observe;
pub(crate) mod track;
