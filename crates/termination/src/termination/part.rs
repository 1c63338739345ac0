//! What the header of a loop names: parts of the state that iterations change, and objects.

use super::Key;
use super::shape::Fact;
use super::state::Object;
use impasse_solver::Symbol;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A part of the state that may be different each time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// A slot of the frame.
    Slot(u32),
    /// A cell of memory.
    Cell(Object, u32),
    /// How far objects of a summary have not been freed.
    Freed(u32),
    /// How far their links go in their direction.
    Turned(u32),
    /// What an object holds at an offset that is no number, by which of those on entry it is.
    Spot(Object, u32),
}

/// What an object at the header of a loop is named by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Root {
    /// A part of the state that iterations change.
    Part(Part),
    /// A variable from before the loop.
    Before(Key),
}

impl Fact<Root> {
    /// The same of variables.
    pub fn of_variables(self, of: &BTreeMap<Root, Symbol>) -> Option<Fact<Symbol>> {
        let get = |root: Root| of.get(&root).copied();
        Some(match self {
            Fact::There(a) => Fact::There(get(a)?),
            Fact::Whole(a) => Fact::Whole(get(a)?),
            Fact::Apart(a, b) => Fact::Apart(get(a)?, get(b)?),
            Fact::Disjoint(a, b) => Fact::Disjoint(get(a)?, get(b)?),
            Fact::Own(a) => Fact::Own(get(a)?),
            Fact::Framed => Fact::Framed,
            Fact::Kept => Fact::Kept,
            Fact::Ranked(_) => return None,
        })
    }
}
