//! The partial order *psc* of sequentially consistent actions (Lahav, Vafeiadis, Kang, Hur and
//! Dreyer, "Repairing sequential consistency in C/C++11", PLDI 2017), as far as future actions can
//! close a cycle in it.
//!
//! An action that reads an older message, or stores before one, comes before the sequentially
//! consistent actions that newer messages stand for ([`Target`]). For each target, [`Exit`]s say
//! which future actions come behind it. There are no nodes for the actions themselves: the exits of
//! a target are those of all that it leads to. `docs/internals/c11.md` has the argument.

use super::Place;
use super::holder::{Holder, Message};
use super::messages::Moved;
use crate::base::codec::{Reader, put};
use impasse_program::address::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// What a message stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// The sequentially consistent store that it is.
    Store,
    /// The sequentially consistent fences that it happens before.
    Known,
    /// The sequentially consistent fences before which it has been seen.
    Seen,
}

/// Sequentially consistent actions: those that a message stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Target {
    place: Place,
    /// The position of the message.
    order: u32,
    kind: Kind,
}

/// What comes behind a sequentially consistent action, which is called *it* here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Exit {
    /// It is an access of this atomic that happens before what the holder orders.
    Before(Holder, Place),
    /// It is an access; an action that follows it in its thread elsewhere happens before what the
    /// holder orders.
    Ripe(Holder),
    /// It is an access of this atomic by this thread, which has done nothing elsewhere since.
    Raw(u32, Place),
    /// As [`Exit::Ripe`] for this thread, which got it by an access of this atomic and has done
    /// nothing elsewhere since.
    Arrived(u32, Place),
    /// It is a fence that happens before what the holder orders.
    Fence(Holder),
    /// It is an access before what is stored in this atomic behind this place in the order.
    AtAccess(Place, Position),
    /// It is a fence, and happens before an access with this place in the order.
    AtFence(Place, Position),
    /// It is a fence, and happens before the store at this place in the order, which may be read.
    Stored(Place, Position),
}

/// The position of a message that an action reads or stores, counted from one. Zero stands for all
/// messages that are gone.
type Position = u32;

type Exits = BTreeSet<Exit>;

impl Exit {
    fn holder(&self) -> Option<Holder> {
        match *self {
            Exit::Before(holder, _) | Exit::Ripe(holder) | Exit::Fence(holder) => Some(holder),
            _ => None,
        }
    }

    /// The same for another holder.
    fn held_by(&self, holder: Holder) -> Exit {
        match *self {
            Exit::Before(_, place) => Exit::Before(holder, place),
            Exit::Ripe(_) => Exit::Ripe(holder),
            Exit::Fence(_) => Exit::Fence(holder),
            other => other,
        }
    }

    fn place(&mut self) -> Option<&mut Place> {
        match self {
            Exit::Before(_, place)
            | Exit::Raw(_, place)
            | Exit::Arrived(_, place)
            | Exit::AtAccess(place, _)
            | Exit::AtFence(place, _)
            | Exit::Stored(place, _) => Some(place),
            Exit::Ripe(_) | Exit::Fence(_) => None,
        }
    }

    fn position(&mut self) -> Option<(Place, &mut Position)> {
        match self {
            Exit::AtAccess(place, position)
            | Exit::AtFence(place, position)
            | Exit::Stored(place, position) => Some((*place, position)),
            _ => None,
        }
    }
}

/// An access of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Acts {
    /// The thread.
    pub thread: u32,
    /// The atomic.
    pub place: Place,
    /// The position of the message that it reads, or directly behind which it stores.
    pub order: u32,
    /// Whether it reads that one.
    pub reads: bool,
    /// Whether it stores.
    pub stores: bool,
    /// Whether it is sequentially consistent.
    pub is_total: bool,
}

impl Acts {
    /// Returns whether this sequentially consistent access comes behind what has these exits.
    fn comes_behind(&self, exits: &Exits) -> bool {
        let (me, place) = (Holder::Thread(self.thread), self.place);
        let message = Holder::Message(place.message(self.order as usize));
        let is_mine = |holder: Holder| holder == me || self.reads && holder == message;
        exits.iter().any(|exit| match *exit {
            Exit::Before(holder, there) => there == place && is_mine(holder),
            Exit::Ripe(holder) => holder == me,
            Exit::Raw(thread, _) => thread == self.thread,
            Exit::Arrived(thread, there) => thread == self.thread && there != place,
            Exit::Fence(holder) => is_mine(holder),
            Exit::AtAccess(there, position) | Exit::AtFence(there, position) => {
                self.stores && there == place && position <= self.order + 1
            }
            Exit::Stored(..) => false,
        })
    }

    /// Returns whether a fence before this access comes behind what has these exits.
    fn fence_comes_behind(&self, exits: &Exits) -> bool {
        exits.contains(&Exit::Fence(Holder::Thread(self.thread)))
    }
}

/// What a thread that executes a fence knows of an atomic, and has seen of it: positions counted
/// from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) place: Place,
    /// The newest message that happens before the fence.
    pub(super) known: Position,
    /// The newest message that has been seen.
    pub(super) seen: Position,
}

/// The targets, with what comes behind them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Psc(BTreeMap<Target, Exits>);

impl Psc {
    /// What comes behind an access, or behind the fences before it, because of newer messages.
    fn targets(&self, acts: &Acts, of_fences: bool) -> impl Iterator<Item = &Exits> {
        let acts = *acts;
        let excluded = match of_fences {
            true => Kind::Known,
            false => Kind::Seen,
        };
        let newer = self.0.iter().filter(move |(target, _)| {
            target.place == acts.place && target.order > acts.order && target.kind != excluded
        });
        newer.map(|(_, exits)| exits)
    }

    /// Returns whether an access would close a cycle.
    pub(super) fn forbids(&self, acts: &Acts) -> bool {
        let behind_itself = |exits| acts.comes_behind(exits);
        let behind_fences = |exits| acts.fence_comes_behind(exits);
        acts.is_total && self.targets(acts, false).any(behind_itself)
            || self.targets(acts, true).any(behind_fences)
    }

    /// An access is made, which closes no cycle. Comes before what the access acquires.
    pub(super) fn act(&mut self, acts: &Acts) {
        let (me, place) = (Holder::Thread(acts.thread), acts.place);
        let own = acts.order + u32::from(acts.stores);
        if acts.stores {
            self.follow(&Moved::Behind(place.message(own as usize)));
        }
        let mut by_itself: Exits = self.targets(acts, false).flatten().copied().collect();
        by_itself.insert(Exit::Raw(acts.thread, place));
        by_itself.insert(Exit::Before(me, place));
        by_itself.insert(Exit::AtAccess(place, own + 1));
        let mut by_fences: Exits = self.targets(acts, true).flatten().copied().collect();
        by_fences.insert(Exit::AtFence(place, own + 1));
        if acts.stores {
            by_fences.insert(Exit::Stored(place, own + 1));
        }
        for exits in self.0.values_mut() {
            let behind_fence = acts.fence_comes_behind(exits);
            if acts.is_total && acts.comes_behind(exits) {
                exits.extend(&by_itself);
            }
            if behind_fence {
                exits.extend(&by_fences);
            }
        }
        if acts.is_total && acts.stores {
            let target = Target {
                place,
                order: own,
                kind: Kind::Store,
            };
            self.0.insert(target, by_itself);
        }
        self.ripen(acts.thread, Some(place));
    }

    /// A thread executes a sequentially consistent fence, after what the fence acquires.
    pub(super) fn fence(&mut self, thread: u32, marks: &[Mark]) {
        self.ripen(thread, None);
        let me = Holder::Thread(thread);
        let mark = |place: Place| {
            let none = Mark {
                place,
                known: 1,
                seen: 1,
            };
            let mut marks = marks.iter();
            marks
                .find(|mark| mark.place == place)
                .copied()
                .unwrap_or(none)
        };
        let comes_behind = |exit: &Exit| match *exit {
            Exit::AtAccess(place, position) => position < mark(place).known,
            Exit::AtFence(place, position) => position < mark(place).seen,
            Exit::Stored(place, position) => position <= mark(place).seen,
            ref exit => exit.holder() == Some(me),
        };
        for exits in self.0.values_mut() {
            if exits.iter().any(comes_behind) {
                exits.insert(Exit::Fence(me));
            }
        }
        for mark in marks {
            for (kind, position) in [(Kind::Known, mark.known), (Kind::Seen, mark.seen)] {
                let target = Target {
                    place: mark.place,
                    order: position - 1,
                    kind,
                };
                self.0.entry(target).or_default().insert(Exit::Fence(me));
            }
        }
    }

    /// A thread has done something, in an atomic or elsewhere.
    fn ripen(&mut self, thread: u32, at: Option<Place>) {
        let ripe = Exit::Ripe(Holder::Thread(thread));
        let is_raw = |exit: &Exit| match *exit {
            Exit::Raw(t, place) | Exit::Arrived(t, place) => t == thread && Some(place) != at,
            _ => false,
        };
        for exits in self.0.values_mut() {
            if exits.iter().any(is_raw) {
                exits.retain(|exit| !is_raw(exit));
                exits.insert(ripe);
            }
        }
    }

    /// Whatever happens before what the first holder orders happens before what the second one
    /// orders too, by an action that is no access of an atomic.
    pub(super) fn spread(&mut self, from: Holder, to: Holder) {
        if let Holder::Thread(thread) = from {
            self.ripen(thread, None);
        }
        for exits in self.0.values_mut() {
            let held = exits.iter().filter(|exit| exit.holder() == Some(from));
            let held: Vec<Exit> = held.map(|exit| exit.held_by(to)).collect();
            exits.extend(held);
        }
    }

    /// As [`Psc::spread`], by an access of an atomic.
    pub(super) fn hand(&mut self, from: Holder, to: Holder, place: Place) {
        for exits in self.0.values_mut() {
            let handed = |exit: &Exit| match (*exit, from, to) {
                (Exit::Arrived(thread, _), Holder::Thread(me), _) if thread == me => {
                    Some(Exit::Ripe(to))
                }
                (Exit::Ripe(holder), _, Holder::Thread(me)) if holder == from => {
                    Some(Exit::Arrived(me, place))
                }
                (exit, _, _) => (exit.holder() == Some(from)).then(|| exit.held_by(to)),
            };
            let handed: Vec<Exit> = exits.iter().filter_map(handed).collect();
            exits.extend(handed);
        }
    }

    /// Replaces holders, or takes them out.
    pub(super) fn change_holders(&mut self, change: &dyn Fn(Holder) -> Option<Holder>) {
        self.change_exits(|exit| match exit.holder() {
            Some(holder) => change(holder).map(|holder| exit.held_by(holder)),
            None => match exit {
                Exit::Raw(thread, _) | Exit::Arrived(thread, _) => {
                    change(Holder::Thread(thread)).map(|_| exit)
                }
                other => Some(other),
            },
        });
    }

    fn change_exits(&mut self, change: impl Fn(Exit) -> Option<Exit>) {
        let stays = |exit: &Exit| change(*exit) == Some(*exit);
        for exits in self.0.values_mut().filter(|exits| !exits.iter().all(stays)) {
            *exits = exits.iter().filter_map(|exit| change(*exit)).collect();
        }
    }

    fn change_targets(&mut self, change: impl Fn(Target) -> Option<Target>) {
        if self.0.keys().all(|target| change(*target) == Some(*target)) {
            return;
        }
        let before = std::mem::take(&mut self.0);
        for (target, exits) in before {
            if let Some(target) = change(target) {
                self.0.entry(target).or_default().extend(exits);
            }
        }
    }

    /// Positions of messages change. Those in holders do not here.
    pub(super) fn follow(&mut self, moved: &Moved) {
        self.change_targets(|target| {
            let order = match moved.is_at(&target.place) {
                true => moved.position(target.order)?,
                false => target.order,
            };
            Some(Target { order, ..target })
        });
        self.change_exits(|mut exit| {
            if let Some((place, position)) = exit.position()
                && moved.is_at(&place)
                && *position > 0
            {
                *position = moved.position(*position - 1).map_or(0, |order| order + 1);
            }
            Some(exit)
        });
    }

    /// Returns the oldest position from which an access comes before fences that get to know newer
    /// messages.
    pub(super) fn oldest_access(&self, place: &Place) -> Option<Position> {
        let exits = self.0.values().flatten();
        let positions = exits.filter_map(|exit| match exit {
            Exit::AtAccess(there, position) if there == place && *position > 0 => Some(*position),
            _ => None,
        });
        positions.min()
    }

    /// Returns whether anything is about an atomic.
    pub(super) fn mentions(&self, place: &Place) -> bool {
        let is_about = |exit: &Exit| ({ *exit }).place().is_some_and(|there| there == place);
        let mut targets = self.0.iter();
        targets.any(|(target, exits)| target.place == *place || exits.iter().any(is_about))
    }

    /// Returns whether a message that a read-modify-write has stored and the one before can be one.
    pub(super) fn can_merge(&self, place: &Place, before: Message, message: Message) -> bool {
        let held = |exits: &Exits, message: Message| -> Exits {
            let by = |exit: &&Exit| exit.holder() == Some(Holder::Message(message));
            let held = exits.iter().filter(by);
            held.map(|exit| exit.held_by(Holder::Sections)).collect()
        };
        let store = |message: Message| Target {
            place: *place,
            order: message.order,
            kind: Kind::Store,
        };
        let position = before.order + 1;
        let is_store = self.0.contains_key(&store(message));
        // What comes behind the later store by reading it comes behind the earlier one as well.
        let stays_behind = |exits: &Exits| {
            let earlier = self.0.get(&store(before));
            let is_oldest = before.order == 0;
            is_oldest || earlier.is_some_and(|e| held(e, before).is_superset(&held(exits, message)))
        };
        self.0.iter().all(|(target, exits)| {
            let hands_over_the_same = match *target == store(message) {
                true => held(exits, before).is_empty() && stays_behind(exits),
                false => held(exits, before) == held(exits, message),
            };
            hands_over_the_same
                && !exits.contains(&Exit::AtFence(*place, position))
                && !exits.contains(&Exit::Stored(*place, message.order + 1))
                && (is_store || !exits.contains(&Exit::AtAccess(*place, position)))
        })
    }

    /// Drops the targets and exits that lie in memory for which `is_it` holds.
    pub(super) fn forget(&mut self, is_it: impl Fn(&Place) -> bool) {
        self.0.retain(|target, _| !is_it(&target.place));
        self.change_exits(|mut exit| match exit.place() {
            Some(place) if is_it(place) => None,
            _ => Some(exit),
        });
    }

    /// Renames objects. Those in holders have other names already.
    pub(super) fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        let rename = |place: Place| {
            Some(Place {
                object: new_name(place.object)?,
                ..place
            })
        };
        self.change_targets(|target| {
            let place = rename(target.place)?;
            Some(Target { place, ..target })
        });
        self.change_exits(|mut exit| {
            if let Some(place) = exit.place() {
                *place = rename(*place)?;
            }
            Some(exit)
        });
    }

    /// Drops what no future action depends on.
    pub(super) fn normalise(&mut self) {
        // Nothing is older than the message at position 0.
        self.0.retain(|target, _| target.order > 0);
        for exits in self.0.values_mut() {
            let all = exits.clone();
            exits.retain(|exit| {
                let smaller = |other: &Exit| match (*exit, *other) {
                    (Exit::AtAccess(place, n), Exit::AtAccess(there, m))
                    | (Exit::AtFence(place, n), Exit::AtFence(there, m))
                    | (Exit::Stored(place, n), Exit::Stored(there, m)) => place == there && m < n,
                    _ => false,
                };
                match *exit {
                    Exit::Raw(thread, _) | Exit::Arrived(thread, _) => {
                        !all.contains(&Exit::Ripe(Holder::Thread(thread)))
                    }
                    Exit::AtAccess(..) | Exit::AtFence(..) | Exit::Stored(..) => {
                        !all.iter().any(smaller)
                    }
                    _ => true,
                }
            });
        }
        self.0.retain(|_, exits| !exits.is_empty());
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.0.len() as u64);
        for (target, exits) in &self.0 {
            target.place.encode(out);
            put(out, (target.order as u64) << 2 | target.kind as u64);
            put(out, exits.len() as u64);
            exits.iter().for_each(|exit| exit.encode(out));
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Psc {
        let targets = (0..reader.small()).map(|_| {
            let place = Place::decode(reader);
            let word = reader.number();
            let kind = [Kind::Store, Kind::Known, Kind::Seen][(word & 3) as usize];
            let order = (word >> 2) as u32;
            let exits = (0..reader.small()).map(|_| Exit::decode(reader)).collect();
            (Target { place, order, kind }, exits)
        });
        Psc(targets.collect())
    }
}

impl Exit {
    fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            Exit::Before(holder, place) => {
                out.push(0);
                holder.encode(out);
                place.encode(out);
            }
            Exit::Ripe(holder) => {
                out.push(1);
                holder.encode(out);
            }
            Exit::Fence(holder) => {
                out.push(2);
                holder.encode(out);
            }
            Exit::Raw(number, place)
            | Exit::Arrived(number, place)
            | Exit::AtAccess(place, number)
            | Exit::AtFence(place, number)
            | Exit::Stored(place, number) => {
                out.push(match self {
                    Exit::Raw(..) => 3,
                    Exit::Arrived(..) => 4,
                    Exit::AtAccess(..) => 5,
                    Exit::AtFence(..) => 6,
                    _ => 7,
                });
                put(out, number.into());
                place.encode(out);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Exit {
        match reader.byte() {
            0 => {
                let holder = Holder::decode(reader);
                Exit::Before(holder, Place::decode(reader))
            }
            1 => Exit::Ripe(Holder::decode(reader)),
            2 => Exit::Fence(Holder::decode(reader)),
            tag => {
                let number = reader.small();
                let place = Place::decode(reader);
                match tag {
                    3 => Exit::Raw(number, place),
                    4 => Exit::Arrived(number, place),
                    5 => Exit::AtAccess(place, number),
                    6 => Exit::AtFence(place, number),
                    _ => Exit::Stored(place, number),
                }
            }
        }
    }
}
