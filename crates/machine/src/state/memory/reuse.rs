//! Which objects may have, or have, the address of an object that was freed before they were made.
//!
//! Every object has a number of its own, also where an allocator would have given it a freed
//! address. What a program could observe of that is kept here: two addresses that a program
//! compares are equal as well if the objects *share* an address. Whether two objects share one is
//! decided when it first matters: both outcomes are explored. The argument is in
//! `docs/internals/reuse.md`.

use super::object::{Class, Flags};
use super::{Entry, Memory};
use crate::base::codec::{Reader, put};
use impasse_program::address::{Address, ObjectId};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether two objects have the same address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// They have.
    Shared,
    /// They may: nothing has been decided.
    Open,
    /// They have not: they existed at the same time, or it was decided so.
    Apart,
}

/// Stands for objects that nothing refers to any more, in groups whose address they keep.
const LEAKED: ObjectId = ObjectId::NULL;

type Pair = (ObjectId, ObjectId);
type Group = SmallVec<[ObjectId; 4]>;

/// What is decided of addresses that objects may share, and what is open.
///
/// *Invariant.* If one member of a group may share its address with an object, all may: what is
/// open is a question between addresses.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reuse {
    /// Pairs of which it is open, the lesser number first.
    open: BTreeSet<Pair>,
    /// Objects that share an address: disjoint, each and all in ascending order, of two at least.
    groups: Vec<Group>,
    /// Which thread freed an object, until another one has found that an object has its address.
    freed_by: BTreeMap<ObjectId, u32>,
}

fn pair(a: ObjectId, b: ObjectId) -> Pair {
    if a < b { (a, b) } else { (b, a) }
}

impl Reuse {
    /// Returns whether two objects have the same address, or may have.
    pub fn sharing(&self, a: ObjectId, b: ObjectId) -> Sharing {
        if a == b || self.group(a).contains(&b) {
            Sharing::Shared
        } else if self.open.contains(&pair(a, b)) {
            Sharing::Open
        } else {
            Sharing::Apart
        }
    }

    /// Returns all objects that have the address of an object.
    pub fn group(&self, object: ObjectId) -> Group {
        let found = self.groups.iter().find(|group| group.contains(&object));
        found
            .cloned()
            .unwrap_or_else(|| Group::from_slice(&[object]))
    }

    /// Returns whether an object shares an address, or may do so.
    pub fn concerns(&self, object: ObjectId) -> bool {
        self.group(object).len() > 1 || self.open.iter().any(|&(a, b)| a == object || b == object)
    }

    /// Notes that an object is made while `freed`, and no others of its kind, have been freed.
    pub fn make(&mut self, object: ObjectId, freed: &[ObjectId]) {
        let vacant = |other: &ObjectId| self.group(*other).iter().all(|o| freed.contains(o));
        let open: Vec<Pair> = freed
            .iter()
            .filter(|other| vacant(other))
            .map(|&other| pair(object, other))
            .collect();
        self.open.extend(open);
    }

    /// Decides that two objects share an address. It must have been open.
    pub fn share(&mut self, a: ObjectId, b: ObjectId) {
        debug_assert_eq!(self.sharing(a, b), Sharing::Open);
        let (mut group, other) = (self.group(a), self.group(b));
        let others_of = |member: ObjectId| -> BTreeSet<ObjectId> {
            let others = self.open.iter().filter_map(|&(x, y)| match member {
                m if m == x => Some(y),
                m if m == y => Some(x),
                _ => None,
            });
            others.collect()
        };
        let common = &others_of(a) & &others_of(b);
        self.groups
            .retain(|known| !known.contains(&a) && !known.contains(&b));
        group.extend(other);
        group.sort_unstable();
        self.open
            .retain(|(x, y)| !group.contains(x) && !group.contains(y));
        let open = common
            .iter()
            .flat_map(|&c| group.iter().map(move |&member| pair(c, member)));
        self.open.extend(open);
        self.groups.push(group);
        self.groups.sort_unstable();
    }

    /// Decides that two objects do not share an address. It must have been open.
    pub fn part(&mut self, a: ObjectId, b: ObjectId) {
        debug_assert_eq!(self.sharing(a, b), Sharing::Open);
        for &x in &self.group(a) {
            for &y in &self.group(b) {
                self.open.remove(&pair(x, y));
            }
        }
    }

    /// Notes that a thread has found that two objects have the same address.
    pub fn find(&mut self, a: ObjectId, b: ObjectId, thread: u32) {
        let others = |object: &ObjectId| {
            self.freed_by
                .get(object)
                .is_some_and(|&freer| freer != thread)
        };
        let found: SmallVec<[ObjectId; 2]> = [a, b].into_iter().filter(others).collect();
        for object in found {
            self.freed_by.remove(&object);
        }
    }

    /// Renames objects; those without a name are gone. No later object gets the address of a leaked
    /// one.
    pub fn rename(
        &mut self,
        new_name: impl Fn(ObjectId) -> Option<ObjectId>,
        leaked: impl Fn(ObjectId) -> bool,
    ) {
        let open = self.open.iter();
        let open = open.filter_map(|&(a, b)| Some(pair(new_name(a)?, new_name(b)?)));
        self.open = open.collect();
        let stays = |object| new_name(object).or(leaked(object).then_some(LEAKED));
        let renamed = |group: &Group| {
            let mut group: Group = group.iter().filter_map(|&o| stays(o)).collect();
            group.sort_unstable();
            group
        };
        self.groups = self
            .groups
            .iter()
            .map(renamed)
            .filter(|g| g.len() > 1)
            .collect();
        self.groups.sort_unstable();
        let freed = self.freed_by.iter();
        let freed = freed.filter_map(|(&o, &thread)| Some((new_name(o)?, thread)));
        self.freed_by = freed.collect();
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.open.len() as u64);
        for (a, b) in &self.open {
            put(out, a.0.into());
            put(out, b.0.into());
        }
        put(out, self.freed_by.len() as u64);
        for (object, thread) in &self.freed_by {
            put(out, object.0.into());
            put(out, (*thread).into());
        }
        for group in &self.groups {
            put(out, group.len() as u64);
            group.iter().for_each(|object| put(out, object.0.into()));
        }
    }

    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> Reuse {
        let mut reader = Reader::new(stored);
        let mut reuse = Reuse::default();
        for _ in 0..reader.number() {
            let a = ObjectId(reader.small());
            reuse.open.insert((a, ObjectId(reader.small())));
        }
        for _ in 0..reader.number() {
            let object = ObjectId(reader.small());
            reuse.freed_by.insert(object, reader.small());
        }
        while !reader.is_empty() {
            let count = reader.number();
            let group = (0..count).map(|_| ObjectId(reader.small()));
            reuse.groups.push(group.collect());
        }
        reuse
    }
}

impl Memory<'_> {
    /// Returns the freed objects of a class that something still refers to.
    pub fn freed(&self, class: Class) -> Vec<ObjectId> {
        let all = (0..self.dynamic.len() as u32).map(ObjectId::dynamic);
        let freed = |object: &ObjectId| {
            let object = self.get(*object);
            object.is_some_and(|o| o.class().shares_addresses(class) && o.flags().has(Flags::FREED))
        };
        all.filter(freed).collect()
    }

    /// An object is made, which may have the address of one that was freed.
    pub(super) fn make_reusable(&mut self, object: ObjectId, class: Class) {
        if self.reuse.is_none() || !is_reused(class) {
            return;
        }
        let freed = self.freed(class);
        if let Some(reuse) = self.reuse_mut()
            && !freed.is_empty()
        {
            reuse.make(object, &freed);
        }
    }

    /// Gives a new object the number of a freed one, which the program has seen, when the heap is
    /// canonicalised next.
    pub fn take_number(&mut self, object: ObjectId, freed: ObjectId) {
        self.get_mut(object).flags.set(Flags::EXPOSED, true);
        self.get_mut(freed).flags.set(Flags::EXPOSED, false);
        self.takes_number = Some((object, freed));
        self.regrouped = true;
    }

    /// Where an address leads: if another thread than the one that freed the object has found that
    /// a living object has its address, there.
    #[cold]
    pub(super) fn in_use(&self, address: Address) -> Address {
        let object = self.successor(address.object).unwrap_or(address.object);
        Address { object, ..address }
    }

    fn successor(&self, object: ObjectId) -> Option<ObjectId> {
        match self.reuse.as_ref()?.freed_by.contains_key(&object) {
            true => None,
            false => self.has_address_of(object),
        }
    }

    /// Returns the living object that is known to have the address of a freed one, or `None`.
    pub fn has_address_of(&self, freed: ObjectId) -> Option<ObjectId> {
        let group = self.reuse.as_ref()?.group(freed);
        let alive = |object: &ObjectId| *object != LEAKED && !self.is_freed(*object);
        group.into_iter().find(alive)
    }

    /// An object is freed.
    pub(super) fn note_freed(&mut self, object: ObjectId) {
        let thread = self.running;
        let reused = self.get(object).is_some_and(|o| is_reused(o.class()));
        if reused && let Some(reuse) = self.reuse_mut() {
            reuse.freed_by.insert(object, thread);
        }
    }

    /// Returns what is known of freed addresses, to change it, or `None` if addresses are not
    /// reused.
    pub fn reuse_mut(&mut self) -> Option<&mut Reuse> {
        self.reuse.as_mut().map(Arc::make_mut)
    }

    /// The number of an object is about to be seen. Where the object was freed, others may have its
    /// address, whose numbers were perhaps seen as other ones.
    pub(super) fn look_at_stale_number(&mut self, object: ObjectId) {
        if !self.is_freed(object) {
            return;
        }
        match &self.reuse {
            Some(reuse) => self.sees_stale_number |= reuse.concerns(object),
            None => self.note_seen_and_freed(),
        }
    }

    /// The number of a freed object is seen, or an object freed whose number was seen. Without
    /// reuse, whatever follows is left to the next search.
    pub(super) fn note_seen_and_freed(&mut self) {
        if self.reuse.is_none() && self.stale.matters() {
            self.stale.note();
            self.sees_stale_number = true;
        }
    }

    /// Returns whether the program has seen the number of an object.
    pub fn is_exposed(&self, object: ObjectId) -> bool {
        self.get(object)
            .is_some_and(|o| o.flags().has(Flags::EXPOSED))
    }

    fn is_freed(&self, object: ObjectId) -> bool {
        self.get(object)
            .is_some_and(|o| o.flags().has(Flags::FREED))
    }

    /// Returns whether two objects exist, or existed, of which one may get the address of the
    /// other.
    pub fn may_share(&self, a: ObjectId, b: ObjectId) -> bool {
        let classes = [a, b].map(|object| self.get(object).map(|object| object.class()));
        matches!(classes, [Some(a), Some(b)] if a.shares_addresses(b) && is_reused(a))
    }

    /// Notes that addresses of two objects are compared while the reuse of addresses is not
    /// explored, if it could matter: one of the objects was freed, or one is new and other threads
    /// may free the other one before it is made.
    pub fn note_compared(&self, a: ObjectId, b: ObjectId) {
        if !self.may_share(a, b) {
            return;
        }
        let flags = |object| self.get(object).map_or(Flags::default(), |it| it.flags());
        let (first, second) = (flags(a), flags(b));
        let others_free = |other: Flags| self.concurrent && other.has(Flags::SHARED);
        let is_new =
            |object: ObjectId, flags: Flags| !flags.has(Flags::SHARED) || self.is_new(object);
        if (first | second).has(Flags::FREED)
            || is_new(a, first) && others_free(second)
            || is_new(b, second) && others_free(first)
        {
            self.stale.note();
        }
    }

    /// Whether the step has made the object.
    fn is_new(&self, object: ObjectId) -> bool {
        matches!(self.entry(object), Entry::Copied(n) if self.copies[n as usize].original.is_none())
    }

    /// Renames the objects in what is known of freed addresses, and drops those that are gone.
    pub fn rename_reuse(
        &mut self,
        names: &[(ObjectId, Option<ObjectId>)],
        is_leak: impl Fn(ObjectId) -> bool,
    ) {
        let Some(reuse) = &mut self.reuse else {
            return;
        };
        let new_name = |object| match names.binary_search_by_key(&object, |&(old, _)| old) {
            Ok(at) => names[at].1,
            Err(_) => (object != LEAKED).then_some(object),
        };
        let leaked = |object| object == LEAKED || is_leak(object);
        Arc::make_mut(reuse).rename(new_name, leaked);
    }
}

/// Whether addresses of such objects are used again: those of allocations, and the ids of threads.
fn is_reused(class: Class) -> bool {
    class.is_allocated() || class == Class::Machine
}

#[cfg(test)]
mod tests {
    use super::Sharing::{Apart, Open, Shared};
    use super::*;

    fn object(n: u32) -> ObjectId {
        ObjectId::dynamic(n)
    }

    fn objects<const N: usize>(numbers: [u32; N]) -> [ObjectId; N] {
        numbers.map(object)
    }

    #[test]
    fn only_what_was_freed_before_can_be_shared() {
        let [a, b, c] = objects([0, 1, 2]);
        let mut reuse = Reuse::default();
        reuse.make(a, &[]);
        reuse.make(b, &[]);
        reuse.make(c, &[a]);
        assert_eq!(reuse.sharing(a, c), Open);
        assert_eq!(reuse.sharing(c, b), Apart);
        assert_eq!(reuse.sharing(a, b), Apart);
        reuse.share(a, c);
        assert_eq!(reuse.sharing(c, a), Shared);
    }

    #[test]
    fn an_address_has_one_living_object() {
        let [a, b, c] = objects([0, 1, 2]);
        let mut reuse = Reuse::default();
        reuse.make(b, &[a]);
        reuse.make(c, &[a]);
        reuse.share(a, b);
        assert_eq!(reuse.sharing(a, c), Apart);
        let mut vacant = reuse.clone();
        reuse.make(object(3), &[a]);
        assert_eq!(reuse.sharing(a, object(3)), Apart);
        vacant.make(object(3), &[a, b]);
        assert_eq!(vacant.sharing(a, object(3)), Open);
        vacant.share(object(3), b);
        assert_eq!(vacant.sharing(a, object(3)), Shared);
    }

    #[test]
    fn what_is_decided_stays() {
        let [a, b] = objects([0, 1]);
        let mut reuse = Reuse::default();
        reuse.make(b, &[a]);
        reuse.part(b, a);
        assert_eq!(reuse.sharing(a, b), Apart);
        assert_eq!(reuse, Reuse::default());
    }

    /// Decides at random, and compares with all assignments of addresses.
    #[test]
    fn decisions_are_those_of_some_allocator() {
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % below
        };
        for _ in 0..2000 {
            let mut run = Run::default();
            for _ in 0..14 {
                run.step(&mut next);
            }
        }
    }

    /// Lifetimes of objects, what was decided, and the assignments of addresses that agree with it.
    #[derive(Default)]
    struct Run {
        reuse: Reuse,
        alive: Vec<bool>,
        assignments: Vec<Vec<usize>>,
    }

    impl Run {
        fn step(&mut self, next: &mut impl FnMut(u64) -> u64) {
            let count = self.alive.len();
            match next(3) {
                0 if count < 6 => self.make(),
                1 if count > 0 => self.alive[next(count as u64) as usize] = false,
                _ if count > 1 => {
                    let (a, b) = (next(count as u64) as usize, next(count as u64) as usize);
                    self.ask(a, b, next(2) == 0);
                }
                _ => {}
            }
        }

        fn make(&mut self) {
            let new = self.alive.len();
            let freed: Vec<ObjectId> = (0..new)
                .filter(|&n| !self.alive[n])
                .map(|n| object(n as u32))
                .collect();
            self.reuse.make(object(new as u32), &freed);
            if new == 0 {
                self.assignments.push(Vec::new());
            }
            let all = std::mem::take(&mut self.assignments);
            for assignment in all {
                let taken = |place| (0..new).any(|n| self.alive[n] && assignment[n] == place);
                for place in (0..=new).filter(|&place| !taken(place)) {
                    let is_new = (0..new).all(|n| assignment[n] != place);
                    if is_new && place != new {
                        continue;
                    }
                    let mut longer = assignment.clone();
                    longer.push(place);
                    self.assignments.push(longer);
                }
            }
            self.alive.push(true);
        }

        fn ask(&mut self, a: usize, b: usize, share: bool) {
            let (x, y) = (object(a as u32), object(b as u32));
            let shared = self.assignments.iter().any(|places| places[a] == places[b]);
            let apart = self.assignments.iter().any(|places| places[a] != places[b]);
            let expected = match (shared, apart) {
                (true, true) => Open,
                (true, false) => Shared,
                _ => Apart,
            };
            assert_eq!(self.reuse.sharing(x, y), expected);
            if expected == Open {
                match share {
                    true => self.reuse.share(x, y),
                    false => self.reuse.part(x, y),
                }
                self.assignments
                    .retain(|places| (places[a] == places[b]) == share);
            }
        }
    }
}
