//! What is shown of the states on the path to an error.

use crate::model::{Frame, Step};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The states on the path to an error, and those that a hang passes through.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Exploration {
    /// What differs in the state after each transition of the path from the one before; then the
    /// same of the transitions of `cycle`.
    pub snapshots: Vec<Snapshot>,
    /// What the threads do after the path to a hang, if they do anything: its transitions are
    /// numbered on from those of the path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<Step>,
    /// The transition to whose beginning the last one of `cycle` leads back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<u32>,
}

/// What differs in a state from the one before.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Threads that are new or changed, by number; null for one that has ended.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub threads: BTreeMap<u32, Option<ThreadState>>,
    /// Objects that are new or changed, by a name that stays the same; null for one that is gone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<String, Option<ObjectState>>,
}

/// A thread in a state.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ThreadState {
    /// Its stack in the program's own code, innermost frame first.
    pub stack: Vec<Frame>,
    /// What it waits for, if it cannot continue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Wait>,
    /// The locks that it holds, and where it has locked them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// Its delayed stores, the oldest first: what is written, and the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delayed: Vec<(String, String)>,
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wait {
    /// In words, as in "to lock m, which thread 1 holds".
    pub text: String,
    /// What it waits for, by name.
    pub resource: String,
    /// The threads that would have to act, as far as the operation determines them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<u32>,
}

/// An object in a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectState {
    /// `global`, `heap` or `thread-local`.
    pub kind: String,
    /// How the program can refer to it, if that is another name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where it was allocated, as `file:line`; empty if it was not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub allocated: String,
    /// What it holds: the part, as written after its name, and the value.
    pub cells: Vec<(String, String)>,
}
