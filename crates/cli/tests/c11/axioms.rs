//! RC11, word for word: all executions of a small program that satisfy the axioms of Lahav,
//! Vafeiadis, Kang, Hur and Dreyer ("Repairing sequential consistency in C/C++11", PLDI 2017), with
//! the release sequences of C++20.
//!
//! Executions are enumerated: what each read reads, and the modification order of each location.

use impasse_program::instruction::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What an operation of a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Loads atomically.
    Load,
    /// Stores atomically.
    Store,
    /// Exchanges.
    Exchange,
    /// Adds.
    Add,
    /// Adds, and does not keep what it has read.
    Count,
    /// Stores atomically the last value that was read.
    StoreLast,
    /// Exchanges if it reads this value; otherwise reads, by this order.
    CompareExchange(u8, Ordering),
    /// Is a fence.
    Fence,
    /// Reads a plain variable.
    Read,
    /// Writes a plain variable.
    Write,
    /// Reads an atomic by a plain access.
    ReadPlainly,
    /// Writes an atomic by a plain access.
    WritePlainly,
    /// Leaves out the next operation if the last value that was read is zero.
    Skip,
    /// Joins the thread whose number is that of the place. Not behind [`Kind::Skip`].
    Join,
}

/// An operation of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// The number of its variable, among the atomic or the plain ones.
    pub place: u8,
    /// Its memory order.
    pub order: Ordering,
    /// What it stores or adds.
    pub value: u8,
}

impl Operation {
    /// Returns one of these parts.
    pub fn of(kind: Kind, place: u8, order: Ordering, value: u8) -> Operation {
        Operation {
            kind,
            place,
            order,
            value,
        }
    }
}

/// What a program can do.
#[derive(PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// Some execution has a data race.
    Races,
    /// The final values of the atomics, and what the operations of each thread read.
    Outcomes(BTreeSet<Outcome>),
}

/// The final values of the atomics, and what each operation has read: its thread, its number, and
/// the value.
pub type Outcome = (Vec<u8>, Vec<(usize, usize, u8)>);

/// A variable: whether it is plain, and its number among the atomic or the plain ones.
type Location = (bool, u8);

/// A set of events.
type Set = u32;

#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    /// The number of the operation.
    operation: usize,
    reads: bool,
    writes: bool,
    /// None for a fence.
    place: Option<Location>,
    order: Ordering,
    value: u8,
    /// Whether it is the write of a read-modify-write, whose read is the event before.
    updates: bool,
}

impl Event {
    fn is_atomic(&self) -> bool {
        self.order.is_atomic()
    }

    fn is_fence(&self) -> bool {
        self.place.is_none()
    }
}

/// The thread that makes the initial values.
const INITIAL: usize = usize::MAX;

/// A relation: of each event the set of those that follow.
#[derive(Clone)]
struct Relation(Vec<Set>);

impl Relation {
    fn of(count: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let after = |a| {
            (0..count)
                .filter(|&b| holds(a, b))
                .fold(0, |s, b| s | 1 << b)
        };
        Relation((0..count).map(after).collect())
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    fn or(&self, other: &Relation) -> Relation {
        let both = self.0.iter().zip(&other.0);
        Relation(both.map(|(a, b)| a | b).collect())
    }

    /// The composition.
    fn then(&self, other: &Relation) -> Relation {
        let after = |set: &Set| {
            let members = (0..other.0.len()).filter(|&b| set >> b & 1 == 1);
            members.fold(0, |s, b| s | other.0[b])
        };
        Relation(self.0.iter().map(after).collect())
    }

    fn reflexive(&self) -> Relation {
        let all = self.0.iter().enumerate();
        Relation(all.map(|(n, set)| set | 1 << n).collect())
    }

    fn closure(&self) -> Relation {
        let mut closed = self.clone();
        for k in 0..closed.0.len() {
            for a in 0..closed.0.len() {
                if closed.has(a, k) {
                    closed.0[a] |= closed.0[k];
                }
            }
        }
        closed
    }

    fn is_irreflexive(&self) -> bool {
        !self.0.iter().enumerate().any(|(n, set)| set >> n & 1 == 1)
    }

    /// Only what leads from one set to another one.
    fn between(&self, from: impl Fn(usize) -> bool, to: impl Fn(usize) -> bool) -> Relation {
        Relation::of(self.0.len(), |a, b| self.has(a, b) && from(a) && to(b))
    }

    fn within(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::of(self.0.len(), |a, b| self.has(a, b) && holds(a, b))
    }
}

/// Returns what a program of these threads can do that has so many atomics.
pub fn behaviour(threads: &[Vec<Operation>], atomics: u8) -> Behaviour {
    let values = Values::of(threads);
    let paths: Vec<Vec<Path>> = (0..threads.len())
        .map(|thread| paths(threads, thread, &values))
        .collect();
    let mut search = Enumeration {
        atomics,
        joins: joins(threads),
        outcomes: BTreeSet::new(),
        races: false,
    };
    search.combine(&paths, &mut Vec::new());
    match search.races {
        true => Behaviour::Races,
        false => Behaviour::Outcomes(search.outcomes),
    }
}

/// A join: the thread that joins, the number of the operation, and the thread that is joined.
type Join = (usize, usize, usize);

fn joins(threads: &[Vec<Operation>]) -> Vec<Join> {
    let of = |(thread, operations)| {
        let all = std::iter::zip(0.., operations);
        let joins = all.filter(|(_, operation): &(usize, &Operation)| operation.kind == Kind::Join);
        joins.map(move |(at, operation)| (thread, at, usize::from(operation.place)))
    };
    std::iter::zip(0.., threads).flat_map(of).collect()
}

/// The events of a thread, for some values that it reads.
type Path = Vec<Event>;

fn paths(threads: &[Vec<Operation>], thread: usize, known: &Values) -> Vec<Path> {
    let mut found = Vec::new();
    let mut pending = vec![(0, Vec::new(), 0)];
    while let Some((at, path, last)) = pending.pop() {
        let Some(&operation) = threads[thread].get(at) else {
            found.push(path);
            continue;
        };
        if operation.kind == Kind::Skip {
            pending.push((at + 1 + usize::from(last == 0), path, last));
            continue;
        }
        if operation.kind == Kind::Join {
            pending.push((at + 1, path, last));
            continue;
        }
        let plain = matches!(operation.kind, Kind::Read | Kind::Write);
        let read = Event {
            thread,
            operation: at,
            reads: true,
            writes: false,
            place: Some((plain, operation.place)),
            order: operation.order,
            value: 0,
            updates: false,
        };
        let write = Event {
            reads: false,
            writes: true,
            value: operation.value,
            ..read
        };
        let values = known.of_place((plain, operation.place));
        let values: BTreeSet<u8> = values.map(|(value, _)| value).collect();
        let mut follow = |events: &[Event], last| {
            let mut path = path.clone();
            path.extend_from_slice(events);
            pending.push((at + 1, path, last));
        };
        match operation.kind {
            Kind::Fence => follow(
                &[Event {
                    reads: false,
                    place: None,
                    ..read
                }],
                last,
            ),
            Kind::Store | Kind::Write | Kind::WritePlainly => follow(&[write], last),
            Kind::StoreLast => follow(
                &[Event {
                    value: last,
                    ..write
                }],
                last,
            ),
            _ => values.into_iter().for_each(|value| {
                let read = Event { value, ..read };
                let updates = Event {
                    updates: true,
                    ..write
                };
                match operation.kind {
                    Kind::Exchange => follow(&[read, updates], value),
                    Kind::Add => {
                        let value = value + operation.value;
                        follow(&[read, Event { value, ..updates }], read.value);
                    }
                    Kind::Count => {
                        let value = value + operation.value;
                        follow(&[read, Event { value, ..updates }], last);
                    }
                    Kind::CompareExchange(expected, _) if expected == value => {
                        follow(&[read, updates], value)
                    }
                    Kind::CompareExchange(_, order) => {
                        follow(&[Event { order, ..read }], value);
                    }
                    _ => follow(&[read], value),
                }
            }),
        }
    }
    found
}

/// The values that the variables of a program may have, or more. With each value, the operations
/// that it has passed: none twice, as that would be a cycle of sb and rf.
struct Values(BTreeMap<Location, BTreeSet<(u8, Set)>>);

impl Values {
    fn of(threads: &[Vec<Operation>]) -> Values {
        let mut values = Values(BTreeMap::new());
        for _ in threads.iter().flatten() {
            let mut number = 0;
            for thread in threads {
                for (at, operation) in thread.iter().enumerate() {
                    values.add(&thread[..at], operation, 1 << number);
                    number += 1;
                }
            }
        }
        values
    }

    /// Adds what an operation, which is this set, can store.
    fn add(&mut self, before: &[Operation], operation: &Operation, itself: Set) {
        let place = (operation.kind == Kind::Write, operation.place);
        let passes =
            |(value, passed): (u8, Set)| (passed & itself == 0).then_some((value, passed | itself));
        let stored: Vec<(u8, Set)> = match operation.kind {
            Kind::Store
            | Kind::Write
            | Kind::WritePlainly
            | Kind::Exchange
            | Kind::CompareExchange(..) => {
                vec![(operation.value, itself)]
            }
            Kind::Add | Kind::Count => {
                let old = self.of_place(place).filter_map(passes);
                old.map(|(old, passed)| (old + operation.value, passed))
                    .collect()
            }
            Kind::StoreLast => {
                let read = before.iter().flat_map(|o| {
                    self.of_place((matches!(o.kind, Kind::Read | Kind::Write), o.place))
                });
                read.chain([(0, 0)]).filter_map(passes).collect()
            }
            Kind::Load | Kind::Read | Kind::ReadPlainly | Kind::Fence | Kind::Skip | Kind::Join => {
                return;
            }
        };
        self.0.entry(place).or_default().extend(stored);
    }

    fn of_place(&self, place: Location) -> impl Iterator<Item = (u8, Set)> {
        let stored = self.0.get(&place).into_iter().flatten().copied();
        stored.chain([(0, 0)])
    }
}

struct Enumeration {
    atomics: u8,
    joins: Vec<Join>,
    outcomes: BTreeSet<Outcome>,
    races: bool,
}

impl Enumeration {
    fn combine(&mut self, paths: &[Vec<Path>], chosen: &mut Vec<Event>) {
        if self.races {
            return;
        }
        let Some((first, rest)) = paths.split_first() else {
            return self.try_events(chosen);
        };
        for path in first {
            let before = chosen.len();
            chosen.extend_from_slice(path);
            self.combine(rest, chosen);
            chosen.truncate(before);
        }
    }

    /// All executions with these events.
    fn try_events(&mut self, events: &[Event]) {
        let mut places: Vec<_> = events.iter().filter_map(|event| event.place).collect();
        places.extend((0..self.atomics).map(|place| (false, place)));
        places.sort_unstable();
        places.dedup();
        let initial = places.iter().map(|&place| Event {
            thread: INITIAL,
            operation: 0,
            reads: false,
            writes: true,
            place: Some(place),
            order: Ordering::NotAtomic,
            value: 0,
            updates: false,
        });
        let all: Vec<Event> = initial.chain(events.iter().copied()).collect();
        self.try_sources(&all, &places, &mut Vec::new());
    }

    /// All writes that each read can read from, behind those that have been chosen.
    fn try_sources(
        &mut self,
        events: &[Event],
        places: &[Location],
        sources: &mut Vec<Option<usize>>,
    ) {
        let Some(event) = events.get(sources.len()) else {
            let execution = Execution::new(events, sources, &self.joins);
            let order = execution.sb.or(&execution.rf).or(&execution.joins);
            if order.closure().is_irreflexive() {
                self.order(&execution, places, &mut Vec::new());
            }
            return;
        };
        let writes = (0..events.len()).map(Some).filter(|write| {
            let write = &events[write.unwrap_or_default()];
            write.writes && write.place == event.place && write.value == event.value
        });
        let choices: Vec<_> = match event.reads {
            true => writes.collect(),
            false => vec![None],
        };
        for source in choices {
            sources.push(source);
            self.try_sources(events, places, sources);
            sources.pop();
        }
    }

    /// All modification orders.
    fn order(&mut self, execution: &Execution, places: &[Location], orders: &mut Vec<usize>) {
        let Some((&place, rest)) = places.split_first() else {
            return self.judge(execution, orders);
        };
        let writes = |n: &usize| {
            let event = &execution.events[*n];
            event.writes && event.place == Some(place) && event.thread != INITIAL
        };
        let mut writes: Vec<usize> = (0..execution.events.len()).filter(writes).collect();
        let initial = execution.events.iter().position(|e| e.place == Some(place));
        orders.push(initial.expect("an initial value"));
        permutations(&mut writes, 0, &mut |order| {
            let before = orders.len();
            orders.extend_from_slice(order);
            self.order(execution, rest, orders);
            orders.truncate(before);
        });
        orders.pop();
    }

    fn judge(&mut self, execution: &Execution, order: &[usize]) {
        if !execution.is_consistent(order) {
            return;
        }
        let events = execution.events;
        self.races |= execution.races();
        let last = |place: u8| {
            let mut writes = order.iter().map(|&n| &events[n]);
            let last = writes.rfind(|event| event.place == Some((false, place)));
            last.map_or(0, |event| event.value)
        };
        let reads = events.iter().filter(|event| event.reads);
        let reads = reads.map(|event| (event.thread, event.operation, event.value));
        let outcome = ((0..self.atomics).map(last).collect(), reads.collect());
        self.outcomes.insert(outcome);
    }
}

fn permutations(items: &mut Vec<usize>, from: usize, f: &mut dyn FnMut(&[usize])) {
    if from >= items.len() {
        return f(items);
    }
    for n in from..items.len() {
        items.swap(from, n);
        permutations(items, from + 1, f);
        items.swap(from, n);
    }
}

/// Events with what happens before what, but for the modification order.
struct Execution<'e> {
    events: &'e [Event],
    sb: Relation,
    rf: Relation,
    /// What a thread has done before another one joins it, and what that one does after.
    joins: Relation,
    hb: Relation,
}

impl<'e> Execution<'e> {
    fn new(events: &'e [Event], sources: &[Option<usize>], joins: &[Join]) -> Execution<'e> {
        let count = events.len();
        let sb = Relation::of(count, |a, b| {
            let (first, second) = (&events[a], &events[b]);
            match first.thread {
                INITIAL => second.thread != INITIAL,
                thread => thread == second.thread && a < b,
            }
        });
        let rf = Relation::of(count, |a, b| sources[b] == Some(a));
        let rmw = Relation::of(count, |a, b| b == a + 1 && events[b].updates);
        let write = |n: usize| events[n].writes && events[n].is_atomic();
        let identity = Relation::of(count, |a, b| a == b && write(a));
        let sequence = identity.then(&rf.then(&rmw).closure().reflexive());
        let fence_before = sb.between(|n| events[n].is_fence(), |_| true).reflexive();
        let fence_behind = sb.between(|_| true, |n| events[n].is_fence()).reflexive();
        let read = rf.between(|_| true, |n| events[n].is_atomic());
        let synchronises = fence_before.then(&sequence).then(&read).then(&fence_behind);
        let sw = synchronises.between(|a| releases(&events[a]), |b| acquires(&events[b]));
        let joins = Relation::of(count, |a, b| {
            let (first, second) = (&events[a], &events[b]);
            joins.iter().any(|&(thread, at, joined)| {
                first.thread == joined && second.thread == thread && second.operation > at
            })
        });
        let hb = sb.or(&sw).or(&joins).closure();
        Execution {
            events,
            sb,
            rf,
            joins,
            hb,
        }
    }

    /// Whether the axioms hold. `order` has the writes of all places, each place's in modification
    /// order.
    fn is_consistent(&self, order: &[usize]) -> bool {
        let count = self.events.len();
        let events = self.events;
        let same_place =
            |a: usize, b: usize| events[a].place.is_some() && events[a].place == events[b].place;
        let position = |n: usize| order.iter().position(|&m| m == n);
        let mo = Relation::of(count, |a, b| {
            events[a].writes && events[b].writes && same_place(a, b) && position(a) < position(b)
        });
        let read_before = Relation::of(count, |a, b| {
            a != b && (0..count).any(|write| self.rf.has(write, a) && mo.has(write, b))
        });
        let eco = self.rf.or(&mo).or(&read_before).closure();
        let coherent = self.hb.then(&eco.reflexive()).is_irreflexive();
        let rmw = |a: usize, b: usize| b == a + 1 && events[b].updates;
        let between = read_before.then(&mo);
        let atomic = !(0..count).any(|a| (0..count).any(|b| rmw(a, b) && between.has(a, b)));
        coherent && atomic && self.psc(&mo, &read_before, &eco).closure().is_irreflexive()
    }

    fn psc(&self, mo: &Relation, read_before: &Relation, eco: &Relation) -> Relation {
        let events = self.events;
        let same_place =
            |a: usize, b: usize| events[a].place.is_some() && events[a].place == events[b].place;
        let elsewhere = self.sb.within(|a, b| !same_place(a, b));
        let detour = elsewhere.then(&self.hb).then(&elsewhere);
        let here = self.hb.within(same_place);
        let scb = self.sb.or(&detour).or(&here).or(mo).or(read_before);
        let total = |n: usize| events[n].order == Ordering::SequentiallyConsistent;
        let fence = |n: usize| total(n) && events[n].is_fence();
        let count = events.len();
        let hb = self.hb.reflexive();
        let from = Relation::of(count, |a, b| total(a) && a == b || fence(a) && hb.has(a, b));
        let to = Relation::of(count, |a, b| total(b) && a == b || fence(b) && hb.has(a, b));
        let base = from.then(&scb).then(&to);
        let through = self.hb.then(eco).then(&self.hb);
        let fences = self.hb.or(&through).between(fence, fence);
        base.or(&fences)
    }

    fn races(&self) -> bool {
        let events = self.events;
        let conflict = |a: usize, b: usize| {
            let (first, second) = (&events[a], &events[b]);
            first.thread != second.thread
                && first.place.is_some()
                && first.place == second.place
                && (first.writes || second.writes)
                && !(first.is_atomic() && second.is_atomic())
                && !self.hb.has(a, b)
                && !self.hb.has(b, a)
        };
        (0..events.len()).any(|a| (0..a).any(|b| conflict(a, b)))
    }
}

fn releases(event: &Event) -> bool {
    use Ordering::{AcquireRelease, Release, SequentiallyConsistent};
    let orders = [Release, AcquireRelease, SequentiallyConsistent];
    (event.writes || event.is_fence()) && orders.contains(&event.order)
}

fn acquires(event: &Event) -> bool {
    use Ordering::{Acquire, AcquireRelease, SequentiallyConsistent};
    let orders = [Acquire, AcquireRelease, SequentiallyConsistent];
    (event.reads || event.is_fence()) && orders.contains(&event.order)
}
