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

mod group;
mod holder;
mod messages;
mod normal;
mod order;
mod place;
mod psc;
#[cfg(test)]
mod reference;
mod spans;
#[cfg(test)]
mod tests;
mod unused;

use group::{Group, add_to_own, conflicting};
pub use holder::{Holder, Message};
pub use messages::{Insertion, Location, Locations};
pub use order::Order;
pub use place::Place;
pub use psc::Acts;
pub use spans::{Kind, Span, Spans};

use crate::base::codec::{Reader, put};
use crate::state::memory::Access;
use holder::{Holders, Knowing, decode_holders, encode_holders, holds, tell};
use impasse_program::address::ObjectId;
use messages::Moved;
use psc::{Mark, Psc};
use smallvec::SmallVec;
use std::sync::Arc;

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
    /// What no thread can read any more is dropped, which changes the positions of messages.
    Settle,
}

/// What an action does to the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// A thread accesses memory.
    Access(u32, Span),
    /// A thread accesses an atomic that is taken to have no plain access which could race with it.
    Use(u32, Span),
    /// A plain store to memory, where accesses are not kept.
    Overwrite(Span),
    /// Whatever the first one knows the second one knows too.
    Spread(Holder, Holder),
    /// Whatever messages the first one has seen the second one has seen too.
    SpreadSeen(Holder, Holder),
    /// As [`Op::Spread`], by an access of an atomic.
    Hand(Holder, Holder, Place),
    /// A thread accesses an atomic, where *psc* is followed.
    Act(Acts),
    /// A thread executes a sequentially consistent fence, where *psc* is followed.
    TotalFence(u32),
    /// A thread reads a message.
    See(u32, Message),
    /// A thread has seen what was stored last in the atomic of a message.
    SeeNewest(u32, Message),
    /// A thread stores in an atomic.
    Insert(u32, Insertion),
    /// What no living thread can read any more is gone.
    Settle,
    /// Of an atomic, or of all, only the newest message can be read.
    KeepNewest(Option<Place>),
    /// A thread makes a sequentially consistent access, or executes such a fence.
    Total(u32),
    /// What came before the next actions of a thread may include sequentially consistent ones that
    /// do not happen before them.
    Loosen(u32),
    /// It knows nothing any more.
    Erase(Holder),
    /// A delayed store has left a thread's buffer: those behind it have smaller indices.
    Shift(u32, u32),
    /// A thread is alive.
    Begin(u32),
    /// It is not any more.
    End(u32),
    /// A thread does nothing until it has joined these.
    Await(u32, SmallVec<[u32; 4]>),
    /// What was accessed is gone.
    Free(ObjectId),
    /// Objects have other names.
    Rename(Names),
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
    /// The accesses of atomics that are taken to race with none. Only threads know of these, and
    /// learn of them only when threads start and are joined.
    uses: Vec<Group>,
    /// The atomics of which older messages can be read.
    locations: Locations,
    /// Which threads do nothing until they have joined which, in ascending order.
    awaits: SmallVec<[(u32, u32); 2]>,
    /// Before what the next actions of these may come sequentially consistent ones that do not
    /// happen before them.
    loose: Holders,
    /// Messages that stand for several ones: whoever reads them may come after sequentially
    /// consistent actions that do not happen before it, even if it has seen them.
    blurred: Holders,
    /// The order of sequentially consistent actions, where it is followed.
    psc: Psc,
}

/// Stands, as an access that never races, for the sequentially consistent actions of a thread.
const TOTAL: Span = Span {
    object: ObjectId::NULL,
    kind: Kind::ATOMIC_READ,
    start: 0,
    end: 1,
};

/// Whether sequentially consistent actions are among the accesses of a group: they come first, as
/// no object has a smaller number.
fn has_total(group: &Group) -> bool {
    group.spans.first() == Some(&TOTAL)
}

impl HappensBefore {
    /// Returns the atomics of which older messages can be read.
    pub fn locations(&self) -> &Locations {
        &self.locations
    }

    /// Returns whether a thread does nothing until it joins another one.
    pub fn awaits(&self, thread: u32) -> bool {
        self.awaits.iter().any(|(waits, _)| *waits == thread)
    }

    /// Returns whether a thread other than this one does nothing until it joins `target`.
    pub fn is_awaited_besides(&self, thread: u32, target: u32) -> bool {
        let mut awaits = self.awaits.iter();
        awaits.any(|&(waits, awaited)| waits != thread && awaited == target)
    }

    /// Returns whether sequentially consistent actions may come before the next ones of a thread
    /// and not happen before them.
    pub fn is_loose(&self, thread: u32) -> bool {
        let me = Holder::Thread(thread);
        holds(&self.loose, me) && self.any_total_unknown_to(me)
    }

    /// Returns whether whoever reads a message may come after sequentially consistent actions that
    /// do not happen before it, even if it has seen the message.
    pub fn is_blurred(&self, message: Message) -> bool {
        let message = Holder::Message(message);
        holds(&self.blurred, message)
    }

    /// Returns whether there are sequentially consistent actions that do not happen before the next
    /// ones of a holder.
    pub fn any_total_unknown_to(&self, holder: Holder) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| has_total(group) && !group.knows(holder))
    }

    /// Returns whether an access is impossible: sequentially consistent actions would come before
    /// themselves.
    pub fn forbids(&self, acts: &Acts) -> bool {
        self.psc.forbids(acts)
    }

    /// Returns whether a message of an atomic hands over nothing that another one does not.
    pub fn hands_over_no_more(&self, place: &Place, message: usize, other: usize) -> bool {
        let of = |order: usize| Holder::Message(place.message(order));
        let (message, other) = (of(message), of(other));
        let is_loose = |holder: Holder| holds(&self.loose, holder);
        let others = self.locations.0.iter().filter(|l| l.place != *place);
        self.groups
            .iter()
            .all(|g| !g.knows(message) || g.knows(other))
            && { others }.all(|l| l.seen_by(message) <= l.seen_by(other))
            && (is_loose(message) || !is_loose(other))
    }

    /// Returns whether a thread does nothing until it has joined all others that are alive.
    pub fn awaits_all_others(&self, thread: u32) -> bool {
        let mut others = self.alive.iter().filter(|other| **other != thread);
        others.all(|other| self.awaits.contains(&(thread, *other)))
    }

    /// Returns the objects that were accessed, each as often as its accesses are kept apart.
    pub fn accessed(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let groups = self.groups.iter().chain(&self.uses);
        groups.flat_map(|group| group.spans.iter().map(|span| span.object))
    }

    /// Returns whether the history stays the same if two threads that are alive change places, and
    /// with them objects get the names that `names` says; but for what was accessed of an object
    /// that has an owner, who knows of the access.
    pub fn is_symmetric_in(
        &self,
        [one, other]: [u32; 2],
        names: &[(ObjectId, Option<ObjectId>)],
        owner: &dyn Fn(ObjectId) -> Option<u32>,
    ) -> bool {
        let exchanged = |thread: u32| match thread {
            thread if thread == one => other,
            thread if thread == other => one,
            thread => thread,
        };
        let mut before = self.clone();
        for group in before.all_groups() {
            let holders = &group.holders;
            let knows = |owner: u32| holds(holders, Holder::Thread(owner));
            group
                .spans
                .forget_all(&|object| owner(object).is_some_and(knows));
        }
        before.normalise();
        let mut after = before.clone();
        after.change_holders(|holder| {
            Some(match holder {
                Holder::Thread(thread) => Holder::Thread(exchanged(thread)),
                Holder::ReleaseFence(thread) => Holder::ReleaseFence(exchanged(thread)),
                Holder::AcquireFence(thread) => Holder::AcquireFence(exchanged(thread)),
                Holder::Ended(thread) => Holder::Ended(exchanged(thread)),
                Holder::Delayed(thread, index) => Holder::Delayed(exchanged(thread), index),
                other => other,
            })
        });
        for (waits, awaited) in &mut after.awaits {
            (*waits, *awaited) = (exchanged(*waits), exchanged(*awaited));
        }
        after.awaits.sort_unstable();
        after.rename(names);
        after.normalise();
        after == before
    }

    /// All sets of accesses.
    fn all_groups(&mut self) -> impl Iterator<Item = &mut Group> {
        self.groups.iter_mut().chain(&mut self.uses)
    }

    /// All sets of holders of what synchronisation passes on.
    fn all_holders(&mut self) -> impl Iterator<Item = &mut Holders> {
        let groups = self.groups.iter_mut().map(|group| &mut group.holders);
        let seen = self.locations.0.iter_mut().flat_map(Location::holders_mut);
        groups.chain(seen).chain([&mut self.loose])
    }

    /// Of each living thread, who knows what it knows before its next action: a thread that joins
    /// another one knows what that one does.
    fn knowing(&self) -> Knowing {
        let mut knowing = Knowing::default();
        for &thread in &self.alive {
            knowing.add(thread, &self.awaits);
        }
        knowing
    }

    /// Positions of messages change.
    fn follow(&mut self, moved: &Moved) {
        self.change_holders(|holder| moved.of(holder));
        // What is stored has made room for itself there.
        if !matches!(moved, Moved::Behind(_)) {
            self.psc.follow(moved);
        }
    }

    /// Whatever the first one knows the second one knows too.
    fn spread(&mut self, from: Holder, to: Holder) {
        let knowing = self.all_holders();
        let knowing = knowing.filter(|holders| holds(holders, from));
        knowing.for_each(|holders| tell(holders, to));
        if from.is_thread() && to.is_thread() {
            let uses = self.uses.iter_mut().filter(|group| group.knows(from));
            uses.for_each(|group| tell(&mut group.holders, to));
        }
    }

    /// What a thread knows of atomics and has seen of them.
    fn marks(&self, thread: u32) -> Vec<Mark> {
        let me = Holder::Thread(thread);
        let mark = |location: &Location| Mark {
            place: location.place,
            known: location.known_by(me) as u32 + 1,
            seen: location.seen_by(me) as u32 + 1,
        };
        self.locations.0.iter().map(mark).collect()
    }

    /// Applies an action. Fails with the race that it is part of.
    pub fn apply(&mut self, op: &Op) -> Result<(), Race> {
        match op {
            Op::Access(thread, span) => {
                if self.racing(*thread, span).is_some() {
                    return Err(Race);
                }
                self.access(*thread, *span);
            }
            Op::Use(thread, span) => {
                if self.racing(*thread, span).is_some() {
                    return Err(Race);
                }
                if self.alive.len() > 1 {
                    add_to_own(&mut self.uses, *thread, *span);
                }
            }
            Op::Overwrite(span) => self.overwrite(span),
            Op::Spread(from, to) => {
                self.spread(*from, *to);
                self.psc.spread(*from, *to);
            }
            Op::Hand(from, to, place) => {
                self.spread(*from, *to);
                self.psc.hand(*from, *to, *place);
            }
            Op::Act(acts) => self.psc.act(acts),
            Op::TotalFence(thread) => {
                let marks = self.marks(*thread);
                self.psc.fence(*thread, &marks);
            }
            Op::SpreadSeen(from, to) => {
                let seen = self.locations.0.iter_mut().flat_map(Location::holders_mut);
                let seen = seen.filter(|holders| holds(holders, *from));
                seen.for_each(|holders| tell(holders, *to));
            }
            Op::See(thread, message) => {
                if let Some(location) = self.locations.find(*message) {
                    location.see(Holder::Thread(*thread), message.order);
                }
            }
            Op::SeeNewest(thread, message) => {
                if let Some(location) = self.locations.find(*message) {
                    location.see(Holder::Thread(*thread), location.newest() as u32);
                }
            }
            Op::Insert(thread, insertion) => {
                let moved = self.locations.insert(Holder::Thread(*thread), insertion);
                self.follow(&moved);
            }
            Op::Settle if self.locations.is_empty() => {}
            Op::Settle => {
                let knowing = self.knowing();
                let psc = &self.psc;
                let settle = |locations: &mut Locations| {
                    locations.settle(&knowing, |place| psc.oldest_access(place))
                };
                let moved = settle(&mut self.locations);
                moved.iter().for_each(|moved| self.follow(moved));
            }
            Op::KeepNewest(place) => {
                let is_it = |other: &Place| place.is_none_or(|place| place == *other);
                let moved = self.locations.keep_newest(is_it);
                moved.iter().for_each(|moved| self.follow(moved));
            }
            Op::Total(thread) => self.access(*thread, TOTAL),
            Op::Loosen(thread) => tell(&mut self.loose, Holder::Thread(*thread)),
            Op::Erase(holder) => {
                self.change_holders(|other| (other != *holder).then_some(other));
            }
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
                self.awaits.retain(|(waits, _)| waits != thread);
                self.change_holders(|holder| match holder {
                    Holder::Thread(t) | Holder::ReleaseFence(t) | Holder::AcquireFence(t)
                        if t == *thread =>
                    {
                        None
                    }
                    other => Some(other),
                });
            }
            Op::Await(thread, targets) => {
                self.awaits.retain(|(waits, _)| waits != thread);
                let awaits = targets.iter().map(|target| (*thread, *target));
                self.awaits.extend(awaits);
                self.awaits.sort_unstable();
            }
            Op::Free(object) => {
                self.all_groups()
                    .for_each(|group| group.spans.forget(*object));
                self.locations.forget_object(*object);
                self.psc.forget(|place| place.object == *object);
                self.change_holders(|holder| match holder {
                    Holder::Message(message) if message.object == *object => None,
                    other => Some(other),
                });
            }
            Op::Rename(names) => self.rename(names),
        }
        Ok(())
    }

    /// Returns whether an access of a thread would race, as far as known.
    pub fn would_race(&self, thread: u32, span: &Span) -> bool {
        self.racing(thread, span).is_some() || self.may_race_with(thread, span).is_some()
    }

    /// An access that one of a thread races with, and its group.
    fn racing(&self, thread: u32, span: &Span) -> Option<(usize, Span)> {
        conflicting(&self.groups, thread, span).next()
    }

    /// Returns the access of an atomic that was taken to race with none, and may race with one of a
    /// thread.
    pub fn may_race_with(&self, thread: u32, span: &Span) -> Option<Span> {
        let mut conflicting = conflicting(&self.uses, thread, span);
        conflicting.next().map(|(_, used)| used)
    }

    /// A thread accesses memory, and races with nothing.
    fn access(&mut self, thread: u32, span: Span) {
        if span.kind == Kind::new(Access::Write, false) {
            self.overwrite(&span);
        }
        if self.alive.len() < 2 {
            return;
        }
        add_to_own(&mut self.groups, thread, span);
    }

    /// What is stored there by a plain access hands nothing over.
    fn overwrite(&mut self, span: &Span) {
        let bytes = span.start..span.end;
        let gone = |holder: &Holder| matches!(holder, Holder::Message(m) if m.object == span.object && bytes.contains(&m.offset));
        let place = Place {
            object: span.object,
            offset: span.start,
            bytes: span.end - span.start,
        };
        self.locations.forget(&place);
        self.psc.forget(|other| other.overlaps(&place));
        self.change_holders(|holder| (!gone(&holder)).then_some(holder));
    }

    /// Replaces holders, or takes them out.
    fn change_holders(&mut self, change: impl Fn(Holder) -> Option<Holder>) {
        let mut blurred = std::mem::take(&mut self.blurred);
        let mut uses = std::mem::take(&mut self.uses);
        let using = uses.iter_mut().map(|group| &mut group.holders);
        for holders in self.all_holders().chain([&mut blurred]).chain(using) {
            if holders
                .iter()
                .all(|holder| change(*holder) == Some(*holder))
            {
                continue;
            }
            *holders = holders.iter().filter_map(|h| change(*h)).collect();
            holders.sort_unstable();
            holders.dedup();
        }
        (self.blurred, self.uses) = (blurred, uses);
        self.psc.change_holders(&change);
    }

    fn rename(&mut self, names: &[(ObjectId, Option<ObjectId>)]) {
        let new_name = |object: ObjectId| match names.binary_search_by_key(&object, |(old, _)| *old)
        {
            Ok(at) => names[at].1,
            Err(_) => Some(object),
        };
        self.all_groups()
            .for_each(|group| group.spans.rename(&new_name));
        self.locations.rename(&new_name);
        self.psc.rename(&new_name);
        self.change_holders(|holder| match holder {
            Holder::Message(message) => new_name(message.object)
                .map(|object| Holder::Message(Message { object, ..message })),
            other => Some(other),
        });
    }

    /// Returns whether nothing can race with what was accessed so far, only the newest messages can
    /// be read, and only one thread is alive.
    pub fn is_over(&self) -> bool {
        let accesses = self.groups.is_empty() && self.uses.is_empty();
        self.alive.len() < 2 && accesses && self.locations.is_empty()
    }

    /// Appends the stored form. Equal ones in normal form have equal stored forms.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.alive.len() as u64);
        self.alive
            .iter()
            .for_each(|&thread| put(out, thread as u64));
        for groups in [&self.groups, &self.uses] {
            put(out, groups.len() as u64);
            for group in groups {
                encode_holders(&group.holders, out);
                group.spans.encode(out);
            }
        }
        self.locations.encode(out);
        encode_holders(&self.loose, out);
        encode_holders(&self.blurred, out);
        self.psc.encode(out);
        put(out, self.awaits.len() as u64);
        for &(thread, target) in &self.awaits {
            put(out, thread.into());
            put(out, target.into());
        }
    }

    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> HappensBefore {
        let mut reader = Reader::new(stored);
        let reader = &mut reader;
        let alive = (0..reader.small()).map(|_| reader.small()).collect();
        let mut groups = || {
            let groups = (0..reader.small()).map(|_| {
                let holders = decode_holders(reader);
                let spans = Spans::decode(reader);
                Group { holders, spans }
            });
            groups.collect()
        };
        let (groups, uses) = (groups(), groups());
        HappensBefore {
            alive,
            groups,
            uses,
            locations: Locations::decode(reader),
            loose: decode_holders(reader),
            blurred: decode_holders(reader),
            psc: Psc::decode(reader),
            awaits: (0..reader.small())
                .map(|_| (reader.small(), reader.small()))
                .collect(),
        }
    }
}

/// Returns the earlier access of the race whose later access is the last of these actions, and the
/// index of its action; `None` if there is no race.
pub fn earlier(ops: &[Op]) -> Option<(usize, Span)> {
    let (Op::Access(thread, last) | Op::Use(thread, last), before) = ops.split_last()? else {
        return None;
    };
    // Each access has a group of its own.
    let mut history = HappensBefore::default();
    let mut made = Vec::new();
    for (n, op) in before.iter().enumerate() {
        match op {
            Op::Access(thread, span) | Op::Use(thread, span) => {
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
