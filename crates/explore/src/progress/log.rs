//! The log of edges: for each expanded state with open sections, what leaves it.
//!
//! It consists of segments, each written by one thread. A segment is a stack of records, which
//! is read from its end: as most edges lead to later states, that is the order in which they are
//! wanted. A record is, in the order of reading, the state's id, the number of emissions, and for
//! each a note and, but for omissions, the id of the target. Numbers are written seven bits a byte;
//! the byte read first holds the low bits, and the top bit says that more follow.

use crate::progress::Sections;
use crate::system::{Branch, Ends, Key};
use impasse_store::Id;

/// What leaves the states that one thread expanded, in the order in which it did; a part at a time,
/// each a stack of records.
pub(crate) type Log = Vec<Vec<u8>>;

/// Bytes that a segment is made for, and after which it is closed, so that it seldom has to be
/// moved.
const SEGMENT: usize = 1 << 14;
const CLOSED: usize = SEGMENT - SEGMENT / 16;

/// What is said of an emission beside its target: zero is an omission; else, less one, twice the
/// number of what it ends, and one more if an input chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Note(u32);

impl Note {
    const OMISSION: Note = Note(0);
    /// A transition of chance; not logged.
    const CHANCE: Note = Note(u32::MAX);

    fn new(branch: Branch, ends: Ended) -> Self {
        let ends = match ends {
            Ended::Nothing => 0,
            Ended::Program => 1,
            Ended::List(list) => list.0 + 2,
        };
        Note(1 + (ends << 1 | u32::from(branch == Branch::Input)))
    }

    pub(super) fn branch(self) -> Branch {
        if self.0 > 0 && (self.0 - 1) & 1 == 1 {
            Branch::Input
        } else {
            Branch::Schedule
        }
    }

    /// What the edge ends; none for an omission.
    pub(super) fn ends(self) -> Option<Ended> {
        match self.0.checked_sub(1)? >> 1 {
            0 => Some(Ended::Nothing),
            1 => Some(Ended::Program),
            list => Some(Ended::List(Id(list - 2))),
        }
    }
}

/// What an edge ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    Nothing,
    /// The keys of a list.
    List(Id),
    Program,
}

/// Writes the log of one thread.
///
/// Emissions come with the expansion of a state, the ids of their targets later, many together.
#[derive(Default)]
pub(crate) struct Recorder {
    open: Vec<Key>,
    last_open: KnownList,
    last_ended: KnownList,
    states: Vec<Expanded>,
    notes: Vec<Note>,
    targets: Vec<Id>,
    log: Log,
}

/// The list of keys that was needed last; the next one is often the same.
#[derive(Default)]
struct KnownList {
    keys: Vec<Key>,
    id: Option<Id>,
}

impl KnownList {
    fn id(&mut self, sections: &Sections, keys: &[Key]) -> Id {
        match self.id {
            Some(id) if self.keys == keys => id,
            _ => {
                self.keys.clear();
                self.keys.extend_from_slice(keys);
                let bytes: Vec<u8> = keys.iter().flat_map(|key| key.0.to_le_bytes()).collect();
                *self.id.insert(sections.list(&bytes))
            }
        }
    }
}

struct Expanded {
    id: Id,
    /// Whether it has open sections; others are not logged.
    logged: bool,
    emissions: u32,
}

impl Recorder {
    /// Where the keys open in the next state are put; empty.
    pub(crate) fn open_keys(&mut self) -> &mut Vec<Key> {
        self.open.clear();
        &mut self.open
    }

    /// The next state is being expanded.
    pub(crate) fn begin(&mut self, sections: &Sections, id: Id) {
        let list = self.last_open.id(sections, &self.open);
        sections.expanded(id, list, self.open.len());
        self.states.push(Expanded {
            id,
            logged: !self.open.is_empty(),
            emissions: 0,
        });
    }

    /// An edge leaves it.
    pub(crate) fn edge(&mut self, sections: &Sections, branch: Branch, ends: Ends<'_>) {
        if branch == Branch::Chance {
            return self.note(Note::CHANCE);
        }
        let ends = match ends {
            Ends::Sections([]) => Ended::Nothing,
            Ends::Sections(keys) => Ended::List(self.last_ended.id(sections, keys)),
            Ends::Program => Ended::Program,
        };
        self.note(Note::new(branch, ends));
    }

    /// Something that leaves it was left out.
    pub(crate) fn omission(&mut self) {
        self.note(Note::OMISSION);
    }

    fn note(&mut self, note: Note) {
        self.notes.push(note);
        let state = self
            .states
            .last_mut()
            .expect("emissions follow the beginning of a state");
        state.emissions += 1;
    }

    /// The target of the next edge is known.
    pub(crate) fn target(&mut self, id: Id) {
        self.targets.push(id);
    }

    /// Logs the states expanded since the last time, all of whose targets are known, and returns
    /// by how many bytes the log has grown.
    pub(crate) fn write(&mut self) -> usize {
        if self
            .log
            .last()
            .is_none_or(|segment| segment.len() >= CLOSED)
        {
            self.log.push(Vec::with_capacity(SEGMENT));
        }
        let segment = self.log.last_mut().expect("one was just made");
        let before = segment.len();
        // Backwards as well: what is read first is written last.
        for state in self.states.drain(..).rev() {
            let mut emissions = 0;
            for _ in 0..state.emissions {
                let note = self.notes.pop().expect("each emission has a note");
                let target = note.ends().and_then(|_| self.targets.pop());
                if state.logged && note != Note::CHANCE {
                    emissions += 1;
                    target
                        .into_iter()
                        .for_each(|target| write_number(segment, target.0));
                    write_number(segment, note.0);
                }
            }
            if state.logged {
                write_number(segment, emissions);
                write_number(segment, state.id.0);
            }
        }
        self.targets.clear();
        segment.len() - before
    }

    /// The log since the last time.
    pub(crate) fn take_log(&mut self) -> Log {
        let mut log = std::mem::take(&mut self.log);
        if let Some(last) = log.last_mut() {
            last.shrink_to_fit();
        }
        log
    }
}

/// What leaves a state: an edge to its target, or an omission.
#[derive(Clone, Copy)]
pub(super) struct Emission {
    pub(super) note: Note,
    pub(super) target: Option<Id>,
}

/// Reads the records of a segment, the one written last first.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: std::iter::Rev<std::slice::Iter<'a, u8>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(segment: &'a [u8]) -> Self {
        Reader {
            bytes: segment.iter().rev(),
        }
    }

    /// The next record: its state, with its emissions put into `emissions`.
    pub(super) fn next(&mut self, emissions: &mut Vec<Emission>) -> Option<Id> {
        emissions.clear();
        let state = Id(self.number()?);
        let count = self.number()?;
        for _ in 0..count {
            let note = Note(self.number()?);
            let target = if note == Note::OMISSION {
                None
            } else {
                Some(Id(self.number()?))
            };
            emissions.push(Emission { note, target });
        }
        Some(state)
    }

    /// Readers that are about to read each record, in the order of writing.
    pub(super) fn records_forwards(mut self) -> impl Iterator<Item = Reader<'a>> {
        let mut records = vec![self.clone()];
        let mut emissions = Vec::new();
        while self.next(&mut emissions).is_some() {
            records.push(self.clone());
        }
        records.pop();
        records.into_iter().rev()
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = *self.bytes.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    }
}

fn write_number(segment: &mut Vec<u8>, number: u32) {
    if number < 0x80 {
        segment.push(number as u8);
    } else {
        write_number(segment, number >> 7);
        segment.push(number as u8 | 0x80);
    }
}
