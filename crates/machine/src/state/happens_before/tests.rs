//! The history against the definition of happens-before, on random executions.

use super::reference::{Action, Event, first_race};
use super::{HappensBefore, Kind, Message, Op, Order, Span, earlier};
use crate::state::memory::Access;
use impasse_program::address::ObjectId;
use proptest::prelude::*;
use std::collections::HashMap;

const THREADS: usize = 4;

fn action() -> impl Strategy<Value = Action> {
    let (place, mutex, thread) = (0..3usize, 0..2usize, 1..THREADS);
    let flag = any::<bool>;
    let orders = (place.clone(), flag(), flag());
    prop_oneof![
        6 => (place, flag()).prop_map(|(place, writes)| Action::Plain { place, writes }),
        4 => orders.clone().prop_map(|(place, acquires, _)| Action::Load { place: place + 3, acquires }),
        4 => orders.clone().prop_map(|(place, releases, _)| Action::Store { place: place + 3, releases }),
        3 => orders.clone().prop_map(|(place, acquires, releases)| Action::Update {
            place: place + 3,
            acquires,
            releases,
        }),
        1 => orders.clone().prop_map(|(place, writes, _)| Action::Plain { place: place + 3, writes }),
        2 => orders.clone().prop_map(|(place, releases, _)| Action::Delay { place: place + 3, releases }),
        2 => Just(Action::Reach),
        2 => orders.prop_map(|(_, acquires, releases)| Action::Fence { acquires, releases }),
        1 => mutex.clone().prop_map(|mutex| Action::Lock { mutex }),
        1 => mutex.prop_map(|mutex| Action::Unlock { mutex }),
        4 => thread.clone().prop_map(|thread| Action::Start { thread }),
        1 => thread.prop_map(|thread| Action::Join { thread }),
    ]
}

/// Leaves out what cannot happen, and lets threads drain their buffers where a processor would.
fn legal(actions: Vec<Event>) -> Vec<Event> {
    let mut legal = Vec::new();
    let (mut alive, mut started) = (vec![0], vec![0]);
    let mut holders: HashMap<usize, usize> = HashMap::new();
    let mut delayed: HashMap<usize, usize> = HashMap::new();
    for (thread, action) in actions {
        let thread = alive[thread % alive.len()];
        let happens = match action {
            Action::Start { thread } => !started.contains(&thread),
            Action::Join { thread: ended } => ended != thread && alive.contains(&ended),
            Action::Lock { mutex } => !holders.contains_key(&mutex),
            Action::Unlock { mutex } => holders.get(&mutex) == Some(&thread),
            Action::Reach => delayed.get(&thread).is_some_and(|&count| count > 0),
            _ => true,
        };
        if !happens {
            continue;
        }
        let keeps = matches!(
            action,
            Action::Plain { .. } | Action::Load { .. } | Action::Delay { .. } | Action::Reach
        );
        let drained = match action {
            Action::Join { thread: ended } => vec![thread, ended],
            _ if keeps => Vec::new(),
            _ => vec![thread],
        };
        for thread in drained {
            let count = delayed.remove(&thread).unwrap_or(0);
            legal.extend((0..count).map(|_| (thread, Action::Reach)));
        }
        match action {
            Action::Start { thread } => {
                alive.push(thread);
                started.push(thread);
            }
            Action::Join { thread: ended } => alive.retain(|&thread| thread != ended),
            Action::Lock { mutex } => drop(holders.insert(mutex, thread)),
            Action::Unlock { mutex } => drop(holders.remove(&mutex)),
            Action::Delay { .. } => *delayed.entry(thread).or_default() += 1,
            Action::Reach => *delayed.entry(thread).or_default() -= 1,
            _ => {}
        }
        legal.push((thread, action));
    }
    legal
}

fn at(place: usize) -> Message {
    Message {
        object: ObjectId::global(0),
        offset: 4 * place as u32,
        order: 0,
    }
}

fn lock(mutex: usize) -> Message {
    Message {
        object: ObjectId::global(1),
        offset: 4 * mutex as u32,
        order: 0,
    }
}

/// What events do to a history, as the machine has it.
#[derive(Default)]
struct Translation {
    /// Each with the event that it belongs to.
    ops: Vec<(usize, Op)>,
    delayed: HashMap<usize, Vec<usize>>,
}

impl Translation {
    /// Whether an op is the last one of its event.
    fn completes(&self, step: usize) -> bool {
        let next = self.ops.get(step + 1);
        next.is_none_or(|(event, _)| *event != self.ops[step].0)
    }

    fn add(&mut self, n: usize, (thread, action): Event) {
        let me = thread as u32;
        let both = Order::BOTH;
        let order = |acquires, releases| Order {
            acquires,
            releases,
            is_total: false,
        };
        let ops: Vec<Op> = match action {
            Action::Plain { place, writes } => vec![access(me, place, writes, false)],
            Action::Load { place, acquires } => {
                let forwarded = self
                    .delayed
                    .get(&thread)
                    .is_some_and(|d| d.contains(&place));
                let read = (!forwarded).then(|| Op::read(me, at(place), order(acquires, false)));
                read.into_iter()
                    .chain([access(me, place, false, true)])
                    .collect()
            }
            Action::Store { place, releases } => {
                let write = Op::write(me, at(place), order(false, releases), false);
                [access(me, place, true, true)]
                    .into_iter()
                    .chain(write)
                    .collect()
            }
            Action::Update {
                place,
                acquires,
                releases,
            } => {
                let order = order(acquires, releases);
                let read = [
                    Op::read(me, at(place), order),
                    access(me, place, true, true),
                ];
                read.into_iter()
                    .chain(Op::write(me, at(place), order, true))
                    .collect()
            }
            Action::Delay { place, releases } => {
                let delayed = self.delayed.entry(thread).or_default();
                delayed.push(place);
                let index = delayed.len() as u32 - 1;
                vec![
                    access(me, place, true, true),
                    Op::delay(me, index, order(false, releases)),
                ]
            }
            Action::Reach => {
                let place = self
                    .delayed
                    .get_mut(&thread)
                    .expect("a delayed store")
                    .remove(0);
                Op::reach(me, 0, Some(at(place))).collect()
            }
            Action::Fence { acquires, releases } => {
                Op::fence(me, order(acquires, releases)).collect()
            }
            Action::Lock { mutex } => vec![Op::read(me, lock(mutex), both)],
            Action::Unlock { mutex } => Op::write(me, lock(mutex), both, false).collect(),
            Action::Start { thread } => Op::start(me, thread as u32).into(),
            Action::Join { thread: ended } => {
                let ended = ended as u32;
                Op::end(ended)
                    .into_iter()
                    .chain(Op::join(me, ended))
                    .collect()
            }
        };
        self.ops.extend(ops.into_iter().map(|op| (n, op)));
    }
}

fn access(thread: u32, place: usize, writes: bool, atomic: bool) -> Op {
    let access = if writes { Access::Write } else { Access::Read };
    let start = at(place).offset;
    let span = Span {
        object: at(place).object,
        kind: Kind::new(access, atomic),
        start,
        end: start + 4,
    };
    Op::Access(thread, span)
}

fn stored(happens_before: &HappensBefore) -> Vec<u8> {
    let mut stored = Vec::new();
    happens_before.encode(&mut stored);
    stored
}

proptest! {
    /// A race is reported exactly where the definition has one, wherever the history is stored in
    /// between.
    #[test]
    fn races_are_those_of_the_definition(
        actions in prop::collection::vec((0..THREADS, action()), 0..40),
        rests: u64,
    ) {
        let events = legal(actions);
        let mut translation = Translation::default();
        events.iter().enumerate().for_each(|(n, event)| translation.add(n, *event));
        let mut history = HappensBefore::default();
        let mut found = None;
        for (step, (n, op)) in translation.ops.iter().enumerate() {
            if history.apply(op).is_err() {
                let before: Vec<Op> = translation.ops[..=step].iter().map(|(_, op)| op.clone()).collect();
                let (earlier, _) = earlier(&before).expect("the earlier access");
                found = Some((*n, translation.ops[earlier].0));
                break;
            }
            if rests >> (step % 64) & 1 == 1 && translation.completes(step) {
                history.normalise();
                let read = HappensBefore::decode(&stored(&history));
                prop_assert_eq!(&read, &history);
                history = read;
            }
        }
        let expected = first_race(&events);
        prop_assert_eq!(found.map(|(n, _)| n), expected.as_ref().map(|(n, _)| *n));
        if let (Some((_, earlier)), Some((_, racing))) = (found, expected) {
            prop_assert!(racing.contains(&earlier));
        }
    }

    /// Normal forms do not depend on where the history is brought into one.
    #[test]
    fn equal_histories_have_one_normal_form(
        actions in prop::collection::vec((0..THREADS, action()), 0..30),
        rests: u64,
    ) {
        let events = legal(actions);
        let mut translation = Translation::default();
        events.iter().enumerate().for_each(|(n, event)| translation.add(n, *event));
        let (mut often, mut once) = (HappensBefore::default(), HappensBefore::default());
        for (step, (_, op)) in translation.ops.iter().enumerate() {
            let races = once.apply(op).is_err();
            prop_assert_eq!(often.apply(op).is_err(), races);
            if races {
                break;
            }
            if rests >> (step % 64) & 1 == 1 && translation.completes(step) {
                often.normalise();
            }
        }
        often.normalise();
        once.normalise();
        prop_assert_eq!(often, once);
    }

    /// Where two threads may change places, a continuation races if and only if it does with the
    /// two exchanged.
    #[test]
    fn threads_change_places_where_the_history_is_symmetric(
        before in prop::collection::vec((0..2usize, action()), 0..4),
        after in prop::collection::vec((0..4usize, action()), 0..12),
    ) {
        let starts = [1, 2].map(|thread| (0, Action::Start { thread }));
        // Before, a thread acts, or both of the others do the same.
        let before = before.into_iter().flat_map(|(who, action)| match who {
            0 => vec![(0, action)],
            _ => vec![(1, action), (2, action)],
        });
        let before: Vec<Event> = starts.into_iter().chain(before).collect();
        let exchanged = |thread: usize| match thread {
            1 => 2,
            2 => 1,
            thread => thread,
        };
        let exchange = |(thread, action): Event| (exchanged(thread), match action {
            Action::Start { thread } => Action::Start { thread: exchanged(thread) },
            Action::Join { thread } => Action::Join { thread: exchanged(thread) },
            action => action,
        });
        let all: Vec<Event> = before.iter().copied().chain(after).collect();
        let events = legal(all);
        let length = legal(before).len();
        prop_assume!(events.len() >= length);
        let (first, rest) = events.split_at(length);
        let races = |rest: &mut dyn Iterator<Item = Event>| {
            let mut translation = Translation::default();
            let all = first.iter().copied().chain(rest);
            all.enumerate().for_each(|(n, event)| translation.add(n, event));
            let mut history = HappensBefore::default();
            let mut symmetric = false;
            for (n, op) in &translation.ops {
                if *n == length && !symmetric {
                    history.normalise();
                    symmetric = history.is_symmetric_in([1, 2], &[], &|_| None);
                    if !symmetric {
                        return None;
                    }
                }
                if history.apply(op).is_err() {
                    return Some(Some(*n));
                }
            }
            Some(None)
        };
        let as_it_is = races(&mut rest.iter().copied());
        if as_it_is.is_some() {
            let other_way_round = races(&mut rest.iter().copied().map(exchange));
            prop_assert_eq!(as_it_is, other_way_round);
        }
    }
}
