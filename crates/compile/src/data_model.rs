//! The data models for which programs are compiled.

use serde::{Deserialize, Serialize};

/// The sizes of C's types: those of a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `long` and pointers have 64 bits: x86-64.
    #[default]
    Lp64,
    /// `long` and pointers have 32 bits: i386. Numbers of floating-point types have the precision
    /// of their types, as with SSE2.
    Ilp32,
}

impl DataModel {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }
}
