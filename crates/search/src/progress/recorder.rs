//! Picks a witness of each state that is expanded: one of the groups that leave it.
//!
//! Which one does not matter for what is found, only for how many states must be expanded once more
//! (see `sections`). Witnesses lead from level to level, where the state has such groups, and of several one is
//! picked at random, by the state's rank: so they lead on, past the ends of what is open, rather than
//! around in a circle in which one thread moves alone.

use super::divergence::Batch;
use super::keys::KnownLists;
use super::sections::{Sections, Witness};
use impasse_store::Id;
use impasse_transition_system::{Branch, Edge, Ends, Key};

/// Notes what leaves the states that one thread expands.
///
/// Emissions come with the expansion of a state, the ids of their targets later, many together.
#[derive(Default)]
pub(crate) struct Recorder {
    open: Vec<Key>,
    lists: KnownLists,
    states: Vec<Expanded>,
    emissions: Vec<Emission>,
    targets: Vec<Target>,
    /// Whether anything ended, or may have.
    some_end: bool,
    /// Whether everything ended, or may have.
    all_end: bool,
    silent: Batch,
}

struct Expanded {
    id: Id,
    rank: u32,
    /// Whether it has open sections; others need no witness.
    has_open: bool,
    emissions: usize,
}

#[derive(Clone, Copy)]
struct Emission {
    branch: Branch,
    /// Whether an edge was emitted, else an omission.
    edge: bool,
    /// Whether everything ends, or may end for all that is known.
    ends_all: bool,
    /// Whether it changes nothing that others could observe.
    silent: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy)]
struct Target {
    id: Id,
    /// Whether that is a state of the next level.
    deeper: bool,
}

impl Recorder {
    /// Where the keys open in the next state are put; empty.
    pub(crate) fn open_keys(&mut self) -> &mut Vec<Key> {
        self.open.clear();
        &mut self.open
    }

    /// The next state is being expanded.
    pub(crate) fn begin(&mut self, sections: &Sections, id: Id, rank: u32) {
        let list = self.lists.list(&sections.lists, &self.open);
        sections.expanded(id, list);
        self.states.push(Expanded {
            id,
            rank,
            has_open: !self.open.is_empty(),
            emissions: 0,
        });
    }

    /// An edge leaves it.
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

    /// Something that leaves it was left out.
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

    /// The target of the next edge is known.
    pub(crate) fn target(&mut self, id: Id, deeper: bool) {
        self.targets.push(Target { id, deeper });
    }

    /// Picks witnesses for the states expanded since the last time, all of whose targets are known.
    pub(crate) fn pick(&mut self, sections: &Sections) {
        if self.some_end {
            sections.note_end();
        }
        if self.all_end {
            sections.note_end_of_all();
        }
        let mut emissions = self.emissions.drain(..);
        let mut targets = self.targets.drain(..);
        let mut leaving: Vec<(Branch, Option<Target>)> = Vec::new();
        for state in self.states.drain(..) {
            leaving.clear();
            let mut silent = true;
            for emission in emissions.by_ref().take(state.emissions) {
                let target = if emission.edge { targets.next() } else { None };
                if emission.branch != Branch::NonProgress {
                    leaving.push((emission.branch, target.filter(|_| !emission.ends_all)));
                    silent &= emission.silent;
                }
            }
            if silent && !leaving.is_empty() {
                let targets = leaving.iter().filter_map(|(_, target)| *target);
                self.silent.add(state.id, targets.map(|target| target.id));
            }
            if state.has_open {
                witness(sections, &state, &leaving);
            }
        }
        sections.silent.take(&mut self.silent);
    }
}

/// Notes the witness of a state, given where its emissions lead; nowhere if everything ends there.
fn witness(sections: &Sections, state: &Expanded, leaving: &[(Branch, Option<Target>)]) {
    let groups = || leaving.chunk_by(|_, (branch, _)| *branch == Branch::Input);
    // How good a group is: that of its worst edge.
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
    let turn = (u64::from(state.rank.wrapping_mul(0x9e37_79b9)) * count as u64) >> 32;
    let group = groups()
        .filter(|group| grade(group) == best)
        .nth(turn as usize);
    let group = group.expect("it is one of so many");
    let targets = group.iter().filter_map(|(_, target)| *target);
    let mut targets: Vec<Id> = targets.map(|target| target.id).collect();
    targets.sort_unstable();
    targets.dedup();
    sections.witnessed(
        state.id,
        match targets.as_slice() {
            [] => Witness::Ends,
            &[target] => Witness::To(target),
            _ => Witness::ToAll(targets),
        },
    );
}

/// How good an edge is as a witness; the best last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It leads back to the state itself.
    Stays,
    /// To a state of this level or one before.
    Elsewhere,
    Deeper,
    /// Everything ends.
    Ends,
}
