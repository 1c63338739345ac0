//! Happens-before, for programs whose threads communicate by accesses that do not synchronise.
//!
//! A [`HappensBefore`] is a part of each state. It has the accesses that can still race and, for
//! each, its *holders*: the threads that it happens before, and what passes it on to others (the
//! message of an atomic or a lock, what a fence releases). An access races with each conflicting
//! access that its thread does not hold.
//!
//! *Claim.* An access is reported exactly if it conflicts with an earlier one that does not happen
//! before it. The argument, and why states with equal histories can be taken for one, is in
//! `docs/internals/races.md`.
//!
//! *Conditions.* Every access while several threads are alive is an [`Op::Access`], also to memory
//! that only one thread can reach: its address may escape by what does not synchronise. Everything
//! that synchronises, and nothing else, is an [`Op::Spread`] from or to a thread.
//!
//! There are no vector clocks: holders are a set, so that executions with the same holders meet in
//! the same state.

mod order;
#[cfg(test)]
mod reference;
mod spans;
#[cfg(test)]
mod tests;

pub use order::Order;
pub use spans::{Kind, Span, Spans};

use crate::base::codec::{Reader, put};
use crate::state::memory::Access;
use impasse_program::address::{Address, ObjectId};
use smallvec::SmallVec;
use std::sync::Arc;

/// What can know of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// A thread: the access happens before all that it does from now on.
    Thread(u32),
    /// What a thread's last release fence released.
    ReleaseFence(u32),
    /// What a thread's next acquire fence acquires.
    AcquireFence(u32),
    /// A thread that has ended: the thread that joins it will know.
    Ended(u32),
    /// The delayed store at an index of a thread's buffer.
    Delayed(u32, u32),
    /// Whoever begins an atomic section next.
    Sections,
    /// Whoever acquires an atomic or a lock next.
    Message(Message),
}

/// What an atomic, a lock, or the like hands over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Message {
    /// The object that it lies in.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: u32,
}

impl Message {
    /// Returns the message of the lock or atomic at an address.
    pub fn at(address: Address) -> Message {
        Message {
            object: address.object,
            offset: address.offset as u32,
        }
    }

    /// Returns a second message of the same lock.
    pub fn second(self) -> Message {
        Message {
            offset: self.offset + 1,
            ..self
        }
    }
}

type Holders = SmallVec<[Holder; 4]>;

/// The new names of objects: those that changed or, without a name, are gone, by their old names in
/// ascending order.
pub type Names = Arc<Vec<(ObjectId, Option<ObjectId>)>>;

/// When in an instruction something is done to the history.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// A delayed store reaches memory, which the instruction asked for.
    Reach,
    /// It acquires what others released.
    Acquire,
    /// It accesses memory.
    Access,
    /// It releases what its thread knows, or does something else that comes last.
    Release,
}

/// What an action does to the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// A thread accesses memory.
    Access(u32, Span),
    /// Whatever the first one knows the second one knows too.
    Spread(Holder, Holder),
    /// It knows nothing any more.
    Erase(Holder),
    /// A delayed store has left a thread's buffer: those behind it have smaller indices.
    Shift(u32, u32),
    /// A thread is alive.
    Begin(u32),
    /// It is not any more.
    End(u32),
    /// What was accessed is gone.
    Free(ObjectId),
    /// Objects have other names.
    Rename(Names),
}

/// Accesses of which the same ones know.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Group {
    holders: Holders,
    spans: Spans,
}

impl Group {
    /// An access that a thread makes now.
    fn new(holder: Holder, span: Span) -> Group {
        let mut spans = Spans::default();
        spans.add(span);
        Group {
            holders: [holder].into_iter().collect(),
            spans,
        }
    }

    fn knows(&self, holder: Holder) -> bool {
        self.holders.binary_search(&holder).is_ok()
    }

    /// Whether whatever knows of the other one's accesses knows of these, now and later. A thread
    /// that knows gets nothing new by its fence.
    fn is_known_to_all_of(&self, other: &Group) -> bool {
        other.holders.iter().all(|holder| match *holder {
            Holder::AcquireFence(thread) => {
                self.knows(*holder) || self.knows(Holder::Thread(thread))
            }
            holder => self.knows(holder),
        })
    }

    fn tell(&mut self, holder: Holder) {
        if let Err(at) = self.holders.binary_search(&holder) {
            self.holders.insert(at, holder);
        }
    }

    fn forget(&mut self, holder: Holder) {
        if let Ok(at) = self.holders.binary_search(&holder) {
            self.holders.remove(at);
        }
    }
}

/// Two accesses that conflict, and that nothing orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race;

/// The accesses that can still race, and who knows of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HappensBefore {
    /// The threads that are alive, in ascending order.
    alive: SmallVec<[u32; 8]>,
    groups: Vec<Group>,
}

impl HappensBefore {
    /// Applies an action. Fails with the race that it is part of.
    pub fn apply(&mut self, op: &Op) -> Result<(), Race> {
        match op {
            Op::Access(thread, span) => {
                if self.racing(*thread, span).is_some() {
                    return Err(Race);
                }
                self.access(*thread, *span);
            }
            Op::Spread(from, to) => {
                let known = self.groups.iter_mut().filter(|group| group.knows(*from));
                known.for_each(|group| group.tell(*to));
            }
            Op::Erase(holder) => self
                .groups
                .iter_mut()
                .for_each(|group| group.forget(*holder)),
            Op::Shift(thread, index) => self.change_holders(|holder| match holder {
                Holder::Delayed(t, n) if t == *thread && n > *index => {
                    Some(Holder::Delayed(t, n - 1))
                }
                other => Some(other),
            }),
            Op::Begin(thread) => {
                if let Err(at) = self.alive.binary_search(thread) {
                    self.alive.insert(at, *thread);
                }
            }
            Op::End(thread) => {
                self.alive.retain(|alive| alive != thread);
                self.change_holders(|holder| match holder {
                    Holder::Thread(t) | Holder::ReleaseFence(t) | Holder::AcquireFence(t)
                        if t == *thread =>
                    {
                        None
                    }
                    other => Some(other),
                });
            }
            Op::Free(object) => {
                self.groups
                    .iter_mut()
                    .for_each(|group| group.spans.forget(*object));
                self.change_holders(|holder| match holder {
                    Holder::Message(message) if message.object == *object => None,
                    other => Some(other),
                });
            }
            Op::Rename(names) => self.rename(names),
        }
        Ok(())
    }

    /// An access that one of a thread races with, and its group.
    fn racing(&self, thread: u32, span: &Span) -> Option<(usize, Span)> {
        let me = Holder::Thread(thread);
        let unknown = self
            .groups
            .iter()
            .enumerate()
            .filter(|(_, group)| !group.knows(me));
        let mut racing =
            unknown.filter_map(|(n, group)| Some((n, group.spans.conflicting_with(span)?)));
        racing.next()
    }

    /// A thread accesses memory, and races with nothing.
    fn access(&mut self, thread: u32, span: Span) {
        if span.kind == Kind::new(Access::Write, false) {
            self.overwrite(&span);
        }
        if self.alive.len() < 2 {
            return;
        }
        let me = Holder::Thread(thread);
        let known_to_me_alone = |group: &Group| group.holders[..] == [me];
        match self
            .groups
            .iter_mut()
            .find(|group| known_to_me_alone(group))
        {
            Some(group) => {
                group.spans.add(span);
            }
            None => self.groups.push(Group::new(me, span)),
        }
    }

    /// What is stored there by a plain access hands nothing over.
    fn overwrite(&mut self, span: &Span) {
        let bytes = span.start..span.end;
        let gone = |holder: &Holder| matches!(holder, Holder::Message(m) if m.object == span.object && bytes.contains(&m.offset));
        self.groups
            .iter_mut()
            .for_each(|group| group.holders.retain(|holder| !gone(holder)));
    }

    /// Replaces holders, or takes them out.
    fn change_holders(&mut self, change: impl Fn(Holder) -> Option<Holder>) {
        for group in &mut self.groups {
            let holders: Holders = group.holders.iter().filter_map(|h| change(*h)).collect();
            group.holders = holders;
            group.holders.sort_unstable();
        }
    }

    fn rename(&mut self, names: &[(ObjectId, Option<ObjectId>)]) {
        let new_name = |object: ObjectId| match names.binary_search_by_key(&object, |(old, _)| *old)
        {
            Ok(at) => names[at].1,
            Err(_) => Some(object),
        };
        self.groups
            .iter_mut()
            .for_each(|group| group.spans.rename(&new_name));
        self.change_holders(|holder| match holder {
            Holder::Message(message) => new_name(message.object)
                .map(|object| Holder::Message(Message { object, ..message })),
            other => Some(other),
        });
    }

    /// Brings the history into its normal form, which is equal for all histories that can race with
    /// the same future accesses.
    pub fn normalise(&mut self) {
        let alive = &self.alive;
        self.groups.retain_mut(|group| {
            let known = group.holders.clone();
            // A thread that knows gets nothing new by its fence.
            group.holders.retain(|holder| match *holder {
                Holder::AcquireFence(thread) => {
                    known.binary_search(&Holder::Thread(thread)).is_err()
                }
                _ => true,
            });
            !group.spans.is_empty() && !alive.iter().all(|t| group.knows(Holder::Thread(*t)))
        });
        self.groups
            .sort_unstable_by(|one, other| one.holders.cmp(&other.holders));
        self.groups.dedup_by(|next, kept| {
            let same = next.holders == kept.holders;
            if same {
                kept.spans.merge(&next.spans);
            }
            same
        });
        for n in 0..self.groups.len() {
            let mut spans = std::mem::take(&mut self.groups[n].spans);
            let known = &self.groups[n];
            let less_known = self
                .groups
                .iter()
                .filter(|group| known.is_known_to_all_of(group));
            less_known.for_each(|group| spans.subtract(&group.spans));
            self.groups[n].spans = spans;
        }
        self.groups.retain(|group| !group.spans.is_empty());
        if self.alive.len() < 2 && self.groups.is_empty() {
            self.alive.clear();
        }
    }

    /// Returns whether nothing can race with what was accessed so far, and only one thread is
    /// alive.
    pub fn is_over(&self) -> bool {
        self.alive.len() < 2 && self.groups.is_empty()
    }

    /// Appends the stored form. Equal ones in normal form have equal stored forms.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.alive.len() as u64);
        self.alive
            .iter()
            .for_each(|&thread| put(out, thread as u64));
        put(out, self.groups.len() as u64);
        for group in &self.groups {
            put(out, group.holders.len() as u64);
            group.holders.iter().for_each(|holder| holder.encode(out));
            group.spans.encode(out);
        }
    }

    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> HappensBefore {
        let mut reader = Reader::new(stored);
        let reader = &mut reader;
        let alive = (0..reader.small()).map(|_| reader.small()).collect();
        let groups = (0..reader.small()).map(|_| {
            let holders = (0..reader.small())
                .map(|_| Holder::decode(reader))
                .collect();
            let spans = Spans::decode(reader);
            Group { holders, spans }
        });
        HappensBefore {
            alive,
            groups: groups.collect(),
        }
    }
}

/// Returns the earlier access of the race whose later access is the last of these actions, and the
/// index of its action; `None` if there is no race.
pub fn earlier(ops: &[Op]) -> Option<(usize, Span)> {
    let (Op::Access(thread, last), before) = ops.split_last()? else {
        return None;
    };
    // Each access has a group of its own.
    let mut history = HappensBefore::default();
    let mut made = Vec::new();
    for (n, op) in before.iter().enumerate() {
        match op {
            Op::Access(thread, span) => {
                if span.kind == Kind::new(Access::Write, false) {
                    history.overwrite(span);
                }
                history
                    .groups
                    .push(Group::new(Holder::Thread(*thread), *span));
                made.push(n);
            }
            op => history.apply(op).ok()?,
        }
    }
    let (group, span) = history.racing(*thread, last)?;
    Some((made[group], span))
}

impl Holder {
    fn encode(self, out: &mut Vec<u8>) {
        let (tag, words): (u8, [u32; 2]) = match self {
            Holder::Thread(thread) => (0, [thread, 0]),
            Holder::ReleaseFence(thread) => (1, [thread, 0]),
            Holder::AcquireFence(thread) => (2, [thread, 0]),
            Holder::Ended(thread) => (3, [thread, 0]),
            Holder::Delayed(thread, index) => (4, [thread, index]),
            Holder::Sections => (5, [0, 0]),
            Holder::Message(Message { object, offset }) => (6, [object.0, offset]),
        };
        put(out, (words[0] as u64) << 3 | tag as u64);
        if tag == 4 || tag == 6 {
            put(out, words[1] as u64);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Holder {
        let first = reader.number();
        let word = (first >> 3) as u32;
        match first & 7 {
            0 => Holder::Thread(word),
            1 => Holder::ReleaseFence(word),
            2 => Holder::AcquireFence(word),
            3 => Holder::Ended(word),
            4 => Holder::Delayed(word, reader.small()),
            5 => Holder::Sections,
            _ => Holder::Message(Message {
                object: ObjectId(word),
                offset: reader.small(),
            }),
        }
    }
}
