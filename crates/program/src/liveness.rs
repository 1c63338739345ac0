//! Which slots are live where.
