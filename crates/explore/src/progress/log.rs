//! The log of edges: for each expanded state with open sections, what leaves it.
//!
//! It is a sequence of segments, each written in one go by one thread. A segment is a sequence of
//! records: the state's id, the number of emissions, and for each a note and, but for omissions, the id of the target.
//! All are numbers of seven bits a byte.

use crate::progress::Sections;
use crate::system::{Branch, Ends, Key};
use impasse_store::Id;

/// What leaves the states that one thread expanded, in the order in which it did.
pub(super) type Log = Vec<Segment>;
pub(super) type Segment = Vec<u8>;

/// Bytes that a segment is made for, and after which it is closed, so that it seldom has to be moved.
const SEGMENT: usize = 1 << 14;
const CLOSED: usize = SEGMENT - SEGMENT / 16;

/// What is said of an emission beside its target: zero is an omission; else, less one, twice the number
/// of what it ends, and one more if an input chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Note(u32);

impl Note {
    const OMISSION: Note = Note(0);

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
    states: Vec<Expanded>,
    notes: Vec<Note>,
    targets: Vec<Id>,
    log: Log,
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
        sections.expanded(id, &self.open);
        self.states.push(Expanded {
            id,
            logged: !self.open.is_empty(),
            emissions: 0,
        });
    }

    /// An edge leaves it.
    pub(crate) fn edge(&mut self, sections: &Sections, branch: Branch, ends: Ends<'_>) {
        let ends = match ends {
            Ends::Sections([]) => Ended::Nothing,
            Ends::Sections(keys) => Ended::List(sections.list(keys)),
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
            self.log.push(Segment::with_capacity(SEGMENT));
        }
        let segment = self.log.last_mut().expect("one was just made");
        let before = segment.len();
        let mut notes = self.notes.drain(..);
        let mut targets = self.targets.drain(..);
        for state in self.states.drain(..) {
            let emissions = notes.by_ref().take(state.emissions as usize);
            let emissions = emissions.map(|note| Emission {
                note,
                target: note.ends().and_then(|_| targets.next()),
            });
            if state.logged {
                write_record(segment, state.id, state.emissions, emissions);
            } else {
                emissions.for_each(drop);
            }
        }
        segment.len() - before
    }

    /// The log since the last time.
    pub(crate) fn take_log(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }
}

/// What leaves a state: an edge to its target, or an omission.
#[derive(Clone, Copy)]
pub(super) struct Emission {
    pub(super) note: Note,
    pub(super) target: Option<Id>,
}

pub(super) fn write_record(
    segment: &mut Segment,
    state: Id,
    count: u32,
    emissions: impl Iterator<Item = Emission>,
) {
    write_number(segment, state.0);
    write_number(segment, count);
    for emission in emissions {
        write_number(segment, emission.note.0);
        if let Some(target) = emission.target {
            write_number(segment, target.0);
        }
    }
}

/// Reads the records of a segment one by one.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(segment: &'a Segment) -> Self {
        Reader {
            bytes: segment.iter(),
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

fn write_number(segment: &mut Segment, mut number: u32) {
    while number >= 0x80 {
        segment.push(number as u8 | 0x80);
        number >>= 7;
    }
    segment.push(number as u8);
}
