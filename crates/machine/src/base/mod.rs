//! What all layers of the machine use: errors, options, numbers as bytes.

pub(crate) mod codec;
pub mod fault;
pub mod hangs;
pub mod options;
pub mod section_type;
pub mod suppression;
