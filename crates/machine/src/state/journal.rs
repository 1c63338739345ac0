//! What a replay knows beyond the states that it passes: which allocation an object is, who freed
//! an object and where, and which of several threads.
//!
//! A state has no past. Objects are renumbered when a state is stored, and a new thread can get the
//! number of a joined one. So a replay keeps a journal beside the states, by their present numbers,
//! and renumbers it with them. The search keeps none, and nothing that a step does depends on one.

use impasse_program::address::ObjectId;
use impasse_program::allocated::UsedAs;
use std::collections::BTreeMap;

/// The journal of a path.
#[derive(Clone, Default, Debug)]
pub struct Journal {
    /// How many objects were allocated so far, by what they are objects of.
    allocations: BTreeMap<String, u32>,
    /// The allocated objects, and the freed ones that something still refers to.
    pub(crate) objects: BTreeMap<ObjectId, Life>,
    /// How many threads were started before each thread, by the number that it has in the state.
    threads: BTreeMap<usize, u32>,
    /// How many threads were started.
    started: u32,
}

/// The past of an object.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    /// Its name, which no other object of the path has, as in `Node#3`.
    pub(crate) name: String,
    /// What it was allocated as, if that is known.
    pub(crate) used_as: Option<UsedAs>,
    /// Who freed it, and where, in words.
    pub(crate) freed: Option<String>,
}

impl Journal {
    /// Returns a journal with the threads of this one and no objects.
    pub fn of_threads(&self) -> Journal {
        Journal {
            threads: self.threads.clone(),
            started: self.started,
            ..Journal::default()
        }
    }

    /// Returns the number of a thread in reports, where each number is used once.
    pub fn thread(&self, number: usize) -> u32 {
        let reported = self.threads.get(&number).copied();
        reported.unwrap_or(number as u32)
    }

    /// Records that a thread is started. A thread that is gone may have had its number.
    pub fn start(&mut self, number: usize) {
        self.started += 1;
        self.threads.insert(number, self.started);
    }

    /// Records that an object was allocated; `kind` is the name of its type, or another one if that
    /// is not known.
    pub fn allocate(&mut self, object: ObjectId, kind: &str, used_as: Option<UsedAs>) {
        let count = self.allocations.entry(kind.to_owned()).or_default();
        *count += 1;
        let life = Life {
            name: format!("{kind}#{count}"),
            used_as,
            freed: None,
        };
        self.objects.insert(object, life);
    }

    /// Records that an object was freed; `how` says by which thread, and where.
    pub fn free(&mut self, object: ObjectId, how: String) {
        if let Some(life) = self.objects.get_mut(&object) {
            life.freed = Some(how);
        }
    }

    /// Renames objects, and drops those that are gone.
    pub fn renumber(&mut self, names: &[(ObjectId, Option<ObjectId>)]) {
        let moved: Vec<(ObjectId, Life)> = names
            .iter()
            .filter_map(|(old, new)| Some((*new, self.objects.remove(old)?)))
            .filter_map(|(new, life)| Some((new?, life)))
            .collect();
        self.objects.extend(moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_names_when_they_are_renumbered() {
        let object = ObjectId::dynamic;
        let mut journal = Journal::default();
        for (number, kind) in [(0, "Node"), (1, "Node"), (2, "object")] {
            journal.allocate(object(number), kind, None);
        }
        let names = [(0, Some(1)), (1, Some(0)), (2, None)];
        journal.renumber(&names.map(|(old, new)| (object(old), new.map(object))));
        journal.allocate(object(2), "Node", None);
        let name = |number| &journal.objects[&object(number)].name;
        assert_eq!([0, 1, 2].map(name), ["Node#2", "Node#1", "Node#3"]);
    }

    #[test]
    fn threads_that_get_the_number_of_another_one_have_their_own_name() {
        let mut journal = Journal::default();
        assert_eq!(journal.thread(0), 0);
        journal.start(1);
        journal.start(2);
        journal.start(1);
        assert_eq!([0, 1, 2].map(|n| journal.thread(n)), [0, 3, 2]);
    }
}
