//! The backward fixpoint over the states of all workers: from which states each section can end.
//!
//! The definition is in `docs/internals/liveness.md`. A *pair* is a state and a key that is open in
//! it. Once a pair is known to be in the fixpoint, the owner of the state tells the source of each
//! transition to it, which adds its own pair if every transition of a group ends the section or
//! leads to a pair that was added. Each pair is added once, so nothing is ever taken back.
//!
//! One more bit for each state says whether it may still reach a state that is not silent.

use crate::recorder::{Incoming, Recorder};
use crate::store::Store;
use impasse_transition_system::{Key, Malformed};
use rustc_hash::FxHashMap;

/// What the owner of a target sends to the source of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum News {
    /// Everything can end: the state is not expanded yet.
    Anything,
    /// A state that is not silent can be reached.
    Change,
    /// This section can end.
    End(Key),
}

/// One worker's share of a fixpoint.
pub(crate) struct Fixpoint<'a> {
    own: u32,
    recorder: &'a Recorder,
    store: &'a Store,
    /// By rank, from 1: the number of its first bit. A state has a bit for each open key, in order,
    /// and one for whether a change can be reached.
    first: Vec<usize>,
    added: Vec<u64>,
    /// By the number of the target: where its transitions begin.
    begins: Vec<u32>,
    /// How many transitions of a group do not lead to the end of a section yet, by the rank of the
    /// source, the group, and the bit of the section.
    missing: FxHashMap<(u32, u32, usize), u32>,
    /// Pairs whose transitions were not followed yet.
    work: Vec<(u32, u32)>,
    outbox: Vec<Vec<u8>>,
}

impl<'a> Fixpoint<'a> {
    /// Begins a fixpoint. States that are not expanded count as ones from which everything can end.
    /// The transitions of the recorder must be [sorted](sort).
    pub(crate) fn new(own: u32, peers: usize, recorder: &'a Recorder, store: &'a Store) -> Self {
        let mut first = Vec::with_capacity(recorder.states.len() + 1);
        let mut bits = 0;
        for rank in 1..=recorder.states.len() as u32 {
            first.push(bits);
            bits += recorder.open(rank).len() + 1;
        }
        first.push(bits);
        let mut fixpoint = Fixpoint {
            own,
            recorder,
            store,
            first,
            added: vec![0; bits.div_ceil(64)],
            begins: begins(&recorder.incoming),
            missing: FxHashMap::default(),
            work: Vec::new(),
            outbox: vec![Vec::new(); peers],
        };
        fixpoint.begin();
        fixpoint
    }

    fn begin(&mut self) {
        let recorder = self.recorder;
        for (rank, state) in (1..).zip(&recorder.states) {
            let count = recorder.open(rank).len() as u32;
            if !state.silent {
                self.add(rank, count);
            }
            if state.ends_all {
                (0..count).for_each(|position| self.add(rank, position));
            }
        }
        for (rank, ordinal, keys) in recorder.endings() {
            for &key in keys {
                self.satisfy(rank, ordinal, key);
            }
        }
        for incoming in &recorder.incoming {
            let rank = self.store.rank(incoming.target);
            if rank as usize > recorder.states.len() {
                self.tell(incoming, News::Anything);
                continue;
            }
            let open = recorder.open(rank);
            for &key in recorder.keys(incoming.open) {
                if !open.contains(&key) {
                    self.tell(incoming, News::End(key));
                }
            }
        }
    }

    /// Follows transitions back until no more can be added from what is known here.
    pub(crate) fn run(&mut self) {
        while let Some((rank, position)) = self.work.pop() {
            let recorder = self.recorder;
            let news = match recorder.open(rank).get(position as usize) {
                Some(&key) => News::End(key),
                None => News::Change,
            };
            let target = self.store.id(rank).0 as usize;
            let transitions = match self.begins.get(target..target + 2) {
                Some(range) => range[0] as usize..range[1] as usize,
                None => continue,
            };
            for incoming in &recorder.incoming[transitions] {
                self.tell(incoming, news);
            }
        }
    }

    /// Returns what the other workers must hear, by worker.
    pub(crate) fn take_outbox(&mut self) -> impl Iterator<Item = (u32, Vec<u8>)> {
        let outbox = self.outbox.iter_mut().map(std::mem::take);
        let outbox: Vec<Vec<u8>> = outbox.collect();
        (0..).zip(outbox).filter(|(_, bytes)| !bytes.is_empty())
    }

    /// Takes in what another worker has told. Fails if it is damaged.
    pub(crate) fn hear(&mut self, mut bytes: &[u8]) -> Result<(), Malformed> {
        while let Some((head, rest)) = bytes.split_first_chunk::<9>() {
            let number = |from: usize| {
                let number = head[from..from + 4].try_into().expect("four bytes");
                u32::from_le_bytes(number)
            };
            let (rank, ordinal) = (number(0), number(4));
            if rank == 0 || rank as usize > self.recorder.states.len() {
                return Err(Malformed);
            }
            bytes = rest;
            let news = match head[8] {
                0 => News::Anything,
                1 => News::Change,
                _ => {
                    let (key, rest) = bytes.split_first_chunk().ok_or(Malformed)?;
                    bytes = rest;
                    News::End(Key(u64::from_le_bytes(*key)))
                }
            };
            self.arrive(rank, ordinal, news);
        }
        match bytes.is_empty() {
            true => Ok(()),
            false => Err(Malformed),
        }
    }

    fn tell(&mut self, incoming: &Incoming, news: News) {
        let place = incoming.place;
        if place.worker == self.own {
            return self.arrive(place.rank, place.ordinal, news);
        }
        let out = &mut self.outbox[place.worker as usize];
        out.extend_from_slice(&place.rank.to_le_bytes());
        out.extend_from_slice(&place.ordinal.to_le_bytes());
        match news {
            News::Anything => out.push(0),
            News::Change => out.push(1),
            News::End(key) => {
                out.push(2);
                out.extend_from_slice(&key.0.to_le_bytes());
            }
        }
    }

    /// Takes in news about the target of a transition of this worker's.
    fn arrive(&mut self, rank: u32, ordinal: u32, news: News) {
        let open = self.recorder.open(rank);
        match news {
            News::Change => self.add(rank, open.len() as u32),
            News::End(key) => self.lead_to(rank, ordinal, key),
            News::Anything => {
                self.add(rank, open.len() as u32);
                open.iter()
                    .for_each(|&key| self.lead_to(rank, ordinal, key));
            }
        }
    }

    /// A transition leads to a state from which a section can end.
    fn lead_to(&mut self, rank: u32, ordinal: u32, key: Key) {
        let open = self.recorder.open(rank);
        let position = open.iter().position(|it| *it == key);
        let is_new = position.is_some_and(|position| !self.is_added(rank, position));
        // If it ends the section itself, that was taken in, and the key means another one there.
        if is_new && !self.recorder.ends(rank, ordinal, key) {
            self.satisfy(rank, ordinal, key);
        }
    }

    /// A transition ends a section, or leads to its end.
    fn satisfy(&mut self, rank: u32, ordinal: u32, key: Key) {
        let open = self.recorder.open(rank);
        let Some(position) = open.iter().position(|it| *it == key) else {
            return;
        };
        if let Some(member) = self.recorder.member(rank, ordinal) {
            let left = self.missing.entry((rank, member.group, position));
            let left = left.or_insert(member.size);
            *left -= 1;
            if *left > 0 {
                return;
            }
        }
        self.add(rank, position as u32);
    }

    fn add(&mut self, rank: u32, position: u32) {
        let bit = self.first[rank as usize - 1] + position as usize;
        let word = &mut self.added[bit / 64];
        if *word >> (bit % 64) & 1 == 0 {
            *word |= 1 << (bit % 64);
            self.work.push((rank, position));
        }
    }

    fn is_added(&self, rank: u32, position: usize) -> bool {
        let bit = self.first[rank as usize - 1] + position;
        self.added[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether something is left to follow.
    pub(crate) fn has_work(&self) -> bool {
        !self.work.is_empty()
    }

    /// Returns the states with pairs outside of the fixpoint, in order of rank.
    pub(crate) fn outside(&self, noted: Option<Key>) -> Vec<Outside> {
        let mut outside = Vec::new();
        for (rank, state) in (1..).zip(&self.recorder.states) {
            let open = self.recorder.open(rank);
            let missing = |&(position, _): &(usize, &Key)| !self.is_added(rank, position);
            let mut missing = open.iter().enumerate().filter(missing);
            let section = missing.clone().find(|(_, key)| Some(**key) != noted);
            let found = Outside {
                rank,
                section: section.map(|(_, key)| *key),
                noted: missing.any(|(_, key)| Some(*key) == noted),
                diverges: state.silent
                    && open.contains(&Key::PROGRAM)
                    && !self.is_added(rank, open.len()),
            };
            if found.section.is_some() || found.noted || found.diverges {
                outside.push(found);
            }
        }
        outside
    }
}

/// A state with pairs outside of a fixpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    pub(crate) rank: u32,
    /// The first section that cannot end, but for the noted one.
    pub(crate) section: Option<Key>,
    /// Whether the noted section cannot end.
    pub(crate) noted: bool,
    /// Whether only silent transitions can ever be taken, while the program must be able to end.
    pub(crate) diverges: bool,
}

/// Sorts transitions by target, as a fixpoint needs them.
pub(crate) fn sort(recorder: &mut Recorder) {
    recorder.incoming.sort_by_key(|incoming| incoming.target);
}

/// Where the transitions to each target begin, and after the last one where they end.
fn begins(incoming: &[Incoming]) -> Vec<u32> {
    let count = incoming.last().map_or(0, |last| last.target.0 as usize + 1);
    let mut begins = vec![0; count + 1];
    for transition in incoming {
        begins[transition.target.0 as usize + 1] += 1;
    }
    for target in 0..count {
        begins[target + 1] += begins[target];
    }
    begins
}
