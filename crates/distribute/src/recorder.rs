//! What a worker keeps of the states that it expands, to decide which sections can end.
//!
//! The transitions that count are those that are no non-progress edges. Each is kept where its
//! target is, so that the fixpoint can follow it backwards; the source keeps what is particular
//! about it: which sections it ends, and which others form a group with it.

use crate::homes::Homes;
use crate::store::Place;
use impasse_store::Id;
use impasse_transition_system::{Branch, Edge, Ends, Key};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The list of keys that stands for all that are open in a state.
const ALL: u32 = u32::MAX;

/// A transition, at the owner of its target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    pub(crate) target: Id,
    pub(crate) place: Place,
    /// The list of the keys that are open in its source.
    pub(crate) open: u32,
}

/// A transition, at the owner of its source: its rank and ordinal.
type Transition = (u32, u32);

/// A transition that forms a group with others.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    transition: Transition,
    /// The ordinal of the first one of the group.
    pub(crate) group: u32,
    /// How many transitions must lead to the end of a section.
    pub(crate) size: u32,
}

/// An expanded state.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Expanded {
    /// The list of its open keys.
    list: u32,
    /// Whether all its transitions are silent, and there is one.
    pub(crate) silent: bool,
    /// Whether every section may end, by a transition that was left out.
    pub(crate) ends_all: bool,
}

/// A recorder in a checkpoint.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    lists: Vec<Vec<u64>>,
    states: Vec<Expanded>,
    ends: Vec<(Transition, u32)>,
    members: Vec<Member>,
    /// With the ranks of targets.
    incoming: Vec<(u32, Place, u32)>,
    noted_may_end: bool,
    stuck: bool,
}

/// The expanded states of one worker.
#[derive(Default)]
pub(crate) struct Recorder {
    numbers: FxHashMap<Box<[Key]>, u32>,
    lists: Vec<Box<[Key]>>,
    /// By rank, from 1.
    pub(crate) states: Vec<Expanded>,
    /// Which keys transitions end, in the order of transitions.
    ends: Vec<(Transition, u32)>,
    /// The transitions that are in groups of several, in order.
    members: Vec<Member>,
    /// Those that lead to states of this worker.
    pub(crate) incoming: Vec<Incoming>,
    /// A section whose nontermination is no violation.
    noted: Option<Key>,
    /// Whether some state does not have it, or some transition may end all sections.
    noted_may_end: bool,
    /// Whether a state with open sections had no transitions since that was asked last.
    stuck: bool,
    /// The state that is being expanded.
    rank: u32,
    open: u32,
    silent: bool,
    any: bool,
    ends_all: bool,
    /// The last group: its transitions, and whether one of it was left out.
    group: Vec<u32>,
    omitted: bool,
}

impl Recorder {
    /// Returns a recorder of no states yet.
    pub(crate) fn new(noted: Option<Key>) -> Self {
        Recorder {
            noted,
            ..Recorder::default()
        }
    }

    /// Returns what is put into a checkpoint, between two states. `rank` gives the rank of a state.
    pub(crate) fn save(&self, rank: impl Fn(Id) -> u32) -> Saved {
        let numbers = |keys: &[Key]| keys.iter().map(|key| key.0).collect();
        let incoming = self.incoming.iter();
        Saved {
            lists: self.lists.iter().map(|keys| numbers(keys)).collect(),
            states: self.states.clone(),
            ends: self.ends.clone(),
            members: self.members.clone(),
            incoming: incoming
                .map(|it| (rank(it.target), it.place, it.open))
                .collect(),
            noted_may_end: self.noted_may_end,
            stuck: self.stuck,
        }
    }

    /// Takes over what [`save`](Self::save) returned. `id` gives the state with a rank.
    pub(crate) fn restore(&mut self, saved: Saved, id: impl Fn(u32) -> Id) {
        for keys in saved.lists {
            let keys: Vec<Key> = keys.into_iter().map(Key).collect();
            self.list(&keys);
        }
        let incoming = saved.incoming.into_iter();
        let incoming = incoming.map(|(rank, place, open)| Incoming {
            target: id(rank),
            place,
            open,
        });
        self.incoming = incoming.collect();
        self.states = saved.states;
        self.ends = saved.ends;
        self.members = saved.members;
        self.noted_may_end = saved.noted_may_end;
        self.stuck = saved.stuck;
    }

    /// Takes over what the recorder of a former worker has saved, as far as it is about states that
    /// this worker owns now: `workers` are these two. `id` gives the state with a rank. Returns
    /// nothing if what was saved is damaged. [`sort`](Self::sort) must follow.
    pub(crate) fn absorb(
        &mut self,
        saved: Saved,
        workers: (usize, u32),
        homes: &Homes,
        id: impl Fn(u32) -> Id,
    ) -> Option<()> {
        let (former, own) = workers;
        // The rank that a state has here, if it is here.
        let here = |rank| {
            let home = homes.of(former, rank)?;
            Some((home.worker == own).then_some(home.rank))
        };
        let mut lists = Renaming::new(&saved.lists);
        for (former_rank, state) in (1..).zip(saved.states) {
            if let Some(rank) = here(former_rank)? {
                let list = lists.rename(self, state.list)?;
                let length = self.states.len().max(rank as usize);
                self.states.resize(length, Expanded::default());
                self.states[rank as usize - 1] = Expanded { list, ..state };
            }
        }
        for ((rank, ordinal), ended) in saved.ends {
            if let Some(rank) = here(rank)? {
                let ended = lists.rename(self, ended)?;
                self.ends.push(((rank, ordinal), ended));
            }
        }
        for member in saved.members {
            let (rank, ordinal) = member.transition;
            self.members.extend(here(rank)?.map(|rank| Member {
                transition: (rank, ordinal),
                ..member
            }));
        }
        for (rank, place, open) in saved.incoming {
            if let Some(rank) = here(rank)? {
                let open = lists.rename(self, open)?;
                self.incoming.push(Incoming {
                    target: id(rank),
                    place: homes.rename(place)?,
                    open,
                });
            }
        }
        self.noted_may_end |= saved.noted_may_end;
        self.stuck |= saved.stuck;
        Some(())
    }

    /// Brings what was taken over into order.
    pub(crate) fn sort(&mut self) {
        self.ends
            .sort_unstable_by_key(|&(transition, _)| transition);
        self.members
            .sort_unstable_by_key(|member| member.transition);
    }

    /// Returns whether the noted section may end somewhere: some state does not have it, or some
    /// transition may end all sections.
    pub(crate) fn noted_may_end(&self) -> bool {
        self.noted_may_end
    }

    /// Begins the state with the next rank, in which these keys are open.
    pub(crate) fn begin(&mut self, rank: u32, open: &[Key]) {
        self.rank = rank;
        self.open = self.list(open);
        self.noted_may_end |= self.noted.is_some_and(|noted| !open.contains(&noted));
        (self.silent, self.any, self.ends_all) = (true, false, false);
    }

    /// Records a transition. If its target must know of it, returns the list of the keys that are
    /// open in its source.
    pub(crate) fn edge(&mut self, ordinal: u32, edge: &Edge<'_>) -> Option<u32> {
        self.noted_may_end |= match edge.ends {
            Ends::Program => true,
            Ends::Sections(keys) => self.noted.is_some_and(|noted| keys.contains(&noted)),
        };
        if edge.branch == Branch::NonProgress {
            return None;
        }
        if edge.branch == Branch::Schedule {
            self.close_group();
        }
        self.group.push(ordinal);
        self.any = true;
        self.silent &= edge.silent && edge.ends != Ends::Program;
        let ended = match edge.ends {
            Ends::Program => Some(ALL),
            Ends::Sections(keys) => {
                let open = &self.lists[self.open as usize];
                let keys = keys.iter().copied().filter(|key| open.contains(key));
                let keys: Vec<Key> = keys.collect();
                (!keys.is_empty()).then(|| self.list(&keys))
            }
        };
        if let Some(list) = ended {
            self.ends.push(((self.rank, ordinal), list));
        }
        (edge.ends != Ends::Program).then_some(self.open)
    }

    /// Records a transition that was left out.
    pub(crate) fn omission(&mut self) {
        self.close_group();
        self.omitted = true;
        (self.any, self.silent) = (true, false);
        self.noted_may_end = true;
    }

    /// Ends the state.
    pub(crate) fn end(&mut self) {
        self.close_group();
        self.stuck |= !self.any && !self.keys(self.open).is_empty();
        self.states.push(Expanded {
            list: self.open,
            silent: self.silent && self.any,
            ends_all: self.ends_all,
        });
        debug_assert_eq!(self.states.len(), self.rank as usize);
    }

    /// Returns whether a state with open sections had no transitions since the last call.
    pub(crate) fn take_stuck(&mut self) -> bool {
        std::mem::take(&mut self.stuck)
    }

    fn close_group(&mut self) {
        self.ends_all |= self.omitted && self.group.is_empty();
        self.omitted = false;
        let size = self.group.len() as u32;
        let rank = self.rank;
        if let (Some(&group), 2..) = (self.group.first(), size) {
            self.members
                .extend(self.group.iter().map(|&ordinal| Member {
                    transition: (rank, ordinal),
                    group,
                    size,
                }));
        }
        self.group.clear();
    }

    /// Returns the number of a list of keys, by which [`keys`](Self::keys) finds it.
    pub(crate) fn list(&mut self, keys: &[Key]) -> u32 {
        if let Some(&number) = self.numbers.get(keys) {
            return number;
        }
        let number = self.lists.len() as u32;
        self.lists.push(keys.into());
        self.numbers.insert(keys.into(), number);
        number
    }

    /// Returns the list of keys with a number.
    pub(crate) fn keys(&self, list: u32) -> &[Key] {
        &self.lists[list as usize]
    }

    /// The keys that are open in an expanded state.
    pub(crate) fn open(&self, rank: u32) -> &[Key] {
        self.keys(self.states[rank as usize - 1].list)
    }

    /// Whether a transition ends a section.
    pub(crate) fn ends(&self, rank: u32, ordinal: u32, key: Key) -> bool {
        let found = self
            .ends
            .binary_search_by_key(&(rank, ordinal), |(transition, _)| *transition);
        found.is_ok_and(|index| match self.ends[index].1 {
            ALL => true,
            list => self.keys(list).contains(&key),
        })
    }

    /// The transitions that end sections, each with the keys of these.
    pub(crate) fn endings(&self) -> impl Iterator<Item = (u32, u32, &[Key])> {
        self.ends.iter().map(|&((rank, ordinal), list)| {
            let keys = match list {
                ALL => self.open(rank),
                list => self.keys(list),
            };
            (rank, ordinal, keys)
        })
    }

    /// The group of a transition, if it is not alone in it.
    pub(crate) fn member(&self, rank: u32, ordinal: u32) -> Option<Member> {
        let found = self
            .members
            .binary_search_by_key(&(rank, ordinal), |member| member.transition);
        found.ok().map(|index| self.members[index])
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = self.states.capacity() * size_of::<Expanded>()
            + self.ends.capacity() * size_of::<(Transition, u32)>()
            + self.members.capacity() * size_of::<Member>()
            + self.incoming.capacity() * size_of::<Incoming>();
        bytes as u64
    }
}

/// The numbers that the lists of a former worker have here, once they are needed.
struct Renaming<'s> {
    saved: &'s [Vec<u64>],
    numbers: Vec<Option<u32>>,
}

impl<'s> Renaming<'s> {
    fn new(saved: &'s [Vec<u64>]) -> Self {
        Renaming {
            saved,
            numbers: vec![None; saved.len()],
        }
    }

    fn rename(&mut self, recorder: &mut Recorder, list: u32) -> Option<u32> {
        if list == ALL {
            return Some(ALL);
        }
        let number = self.numbers.get_mut(list as usize)?;
        let keys = &self.saved[list as usize];
        Some(*number.get_or_insert_with(|| {
            let keys: Vec<Key> = keys.iter().copied().map(Key).collect();
            recorder.list(&keys)
        }))
    }
}
