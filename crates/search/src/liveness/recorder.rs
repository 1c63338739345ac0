//! Chooses the successor hint of each expanded state: one of the groups of its transitions.
//!
//! The choice does not affect the result, only how many states must be expanded again (see
//! `open_sections`). A hint leads to the next level if the state has such a group, and of several
//! groups the rank of the state selects a random one. So hints lead on, past the ends of the open
//! sections, rather than into a cycle in which one thread moves alone.

use super::divergence;
use super::key_lists::ListWriter;
use super::open_sections::OpenSections;
use super::successor_hints::SuccessorHint;
use impasse_store::{Batch, Id};
use impasse_transition_system::{Branch, Edge, Ends, Key};

/// Records the transitions of the states that one thread expands.
///
/// Emissions come with the expansion of a state, the ids of their targets later, in batches.
#[derive(Default)]
pub(crate) struct Recorder {
    open: Vec<Key>,
    writer: ListWriter,
    /// The lists of `states`.
    lists: Batch,
    states: Vec<Expanded>,
    emissions: Vec<Emission>,
    targets: Vec<Target>,
    /// Whether a transition has ended a section, or may have.
    some_end: bool,
    /// Whether a transition has ended every section, or may have.
    all_end: bool,
    silent: divergence::Batch,
}

struct Expanded {
    id: Id,
    rank: u32,
    /// Whether it has open sections; other states need no hint.
    has_open: bool,
    emissions: usize,
}

#[derive(Clone, Copy)]
struct Emission {
    branch: Branch,
    /// Whether this is an edge, else an omission.
    edge: bool,
    /// Whether it ends every section, or may.
    ends_all: bool,
    /// Whether it changes nothing that another thread could observe.
    silent: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy)]
struct Target {
    id: Id,
    /// Whether that state is on the next level.
    deeper: bool,
}

impl Recorder {
    /// The empty list for the keys open in the next state.
    pub(crate) fn open_keys(&mut self) -> &mut Vec<Key> {
        self.open.clear();
        &mut self.open
    }

    /// Begins the next state.
    pub(crate) fn begin(&mut self, sections: &OpenSections, id: Id, rank: u32) {
        let lists = &sections.hints.lists;
        self.writer.push(lists, &self.open, &mut self.lists);
        self.states.push(Expanded {
            id,
            rank,
            has_open: !self.open.is_empty(),
            emissions: 0,
        });
    }

    /// Records one of its edges.
    pub(crate) fn edge(&mut self, edge: &Edge<'_>) {
        let Edge {
            branch,
            ends,
            silent,
            ..
        } = *edge;
        self.all_end |= ends == Ends::Program;
        self.some_end = self.some_end
            || match ends {
                Ends::Program => true,
                Ends::Sections(keys) => keys.iter().any(|key| self.open.contains(key)),
            };
        self.emission(Emission {
            branch,
            edge: true,
            ends_all: ends == Ends::Program,
            silent: silent && ends != Ends::Program,
        });
    }

    /// Records an omitted transition.
    pub(crate) fn omission(&mut self) {
        (self.some_end, self.all_end) = (true, true);
        self.emission(Emission {
            branch: Branch::Schedule,
            edge: false,
            ends_all: true,
            silent: false,
        });
    }

    fn emission(&mut self, emission: Emission) {
        self.emissions.push(emission);
        let state = self
            .states
            .last_mut()
            .expect("emissions follow the beginning of a state");
        state.emissions += 1;
    }

    /// Records the target of the next edge.
    pub(crate) fn target(&mut self, id: Id, deeper: bool) {
        self.targets.push(Target { id, deeper });
    }

    /// Stores the lists of the states expanded since the last call, and chooses their hints. All
    /// their targets must be recorded.
    pub(crate) fn choose_hints(&mut self, sections: &OpenSections) {
        if self.some_end {
            sections.note_end();
        }
        if self.all_end {
            sections.note_end_of_all();
        }
        let mut states = self.states.iter();
        sections.hints.lists.intern(&mut self.lists, |list| {
            let state = states.next().expect("each list is of a state");
            sections.hints.expand(state.id, list);
        });
        let mut emissions = self.emissions.drain(..);
        let mut targets = self.targets.drain(..);
        let mut outgoing: Vec<(Branch, Option<Target>)> = Vec::new();
        for state in self.states.drain(..) {
            outgoing.clear();
            let mut silent = true;
            for emission in emissions.by_ref().take(state.emissions) {
                let target = if emission.edge { targets.next() } else { None };
                if emission.branch != Branch::NonProgress {
                    outgoing.push((emission.branch, target.filter(|_| !emission.ends_all)));
                    silent &= emission.silent;
                }
            }
            if silent && !outgoing.is_empty() {
                let targets = outgoing.iter().filter_map(|(_, target)| *target);
                self.silent.add(state.id, targets.map(|target| target.id));
            }
            if state.has_open {
                choose_hint(sections, &state, &outgoing);
            }
        }
        sections.silent.take(&mut self.silent);
    }
}

/// Stores the hint of a state, given the targets of its transitions; `None` if every section ends.
fn choose_hint(sections: &OpenSections, state: &Expanded, outgoing: &[(Branch, Option<Target>)]) {
    let groups = || outgoing.chunk_by(|_, (branch, _)| *branch == Branch::Input);
    // A group is as good as its worst transition.
    let grade = |group: &[(Branch, Option<Target>)]| {
        let grades = group.iter().map(|(_, target)| match target {
            None => Grade::Ends,
            Some(target) if target.deeper => Grade::Deeper,
            Some(target) if target.id != state.id => Grade::Elsewhere,
            Some(_) => Grade::Stays,
        });
        grades.min().unwrap_or(Grade::Stays)
    };
    let Some(best) = groups().map(grade).max() else {
        return;
    };
    let count = groups().filter(|group| grade(group) == best).count();
    // The high bits of a product are as good as random.
    let index = (u64::from(state.rank.wrapping_mul(0x9e37_79b9)) * count as u64) >> 32;
    let group = groups()
        .filter(|group| grade(group) == best)
        .nth(index as usize);
    let group = group.expect("it is one of so many");
    let targets = group.iter().filter_map(|(_, target)| *target);
    let mut targets: Vec<Id> = targets.map(|target| target.id).collect();
    targets.sort_unstable();
    targets.dedup();
    sections.hints.set_hint(
        state.id,
        match targets.as_slice() {
            [] => SuccessorHint::Ends,
            &[target] => SuccessorHint::To(target),
            _ => SuccessorHint::ToAll(targets),
        },
    );
}

/// How good a transition is as a hint; the best is last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It leads to the state itself.
    Stays,
    /// It leads to a state on this level or an earlier one.
    Elsewhere,
    /// It leads to the next level.
    Deeper,
    /// Every section ends.
    Ends,
}
