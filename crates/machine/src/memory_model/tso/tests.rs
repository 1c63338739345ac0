//! Random litmus programs, through the lazy semantics and through a machine with flushers: equal
//! sets of final states.
//!
//! The toy machines here share [`Buffer`] and [`drain_orders`] with the real one on the lazy side,
//! and nothing at all on the side of the flushers, which keeps queues of bytes and takes one at any
//! time.

use super::DrainOrder;
use super::order::{Requested, drain_orders, full_drain_orders};
use crate::state::memory::Spot;
use crate::state::store_buffer::{Buffer, Bytes, Entry};
use crate::value::Value;
use impasse_limits::Cancel;
use impasse_program::address::ObjectId;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;
use std::collections::{BTreeSet, HashSet, VecDeque};

const SIZE: usize = 4;
const OBJECT: ObjectId = ObjectId(1);

#[derive(Clone, Copy, Debug)]
enum Op {
    Store { at: usize, bytes: usize, value: u32 },
    Load { at: usize, bytes: usize },
    Exchange { at: usize, bytes: usize, value: u32 },
    Fence,
}

type Program = Vec<Vec<Op>>;
/// What each thread loaded, and what memory holds when all have ended.
type Final = (Vec<Vec<u32>>, [u8; SIZE]);

fn entry(at: usize, bytes: usize, value: u32) -> Entry {
    let spot = Spot {
        object: OBJECT,
        offset: at,
    };
    let (scalar, value) = (
        Scalar::Integer(bytes as u8 * 8),
        Value::number(value as u128),
    );
    Entry::of_scalar(scalar, spot, value, true)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | b as u32)
}

/// A machine with flushers: a thread and a step of it, or of its flusher, at any time.
mod flushers {
    use super::*;

    #[derive(Clone, PartialEq, Eq, Hash, Default)]
    struct State {
        memory: [u8; SIZE],
        queues: Vec<VecDeque<(usize, Vec<u8>)>>,
        next: Vec<usize>,
        loaded: Vec<Vec<u32>>,
    }

    pub fn finals(program: &Program, bound: usize) -> BTreeSet<Final> {
        let threads = program.len();
        let start = State {
            queues: vec![VecDeque::new(); threads],
            next: vec![0; threads],
            loaded: vec![Vec::new(); threads],
            ..State::default()
        };
        let mut finals = BTreeSet::new();
        let mut seen = HashSet::from([start.clone()]);
        let mut pending = vec![start];
        while let Some(state) = pending.pop() {
            let mut moved = false;
            for thread in 0..threads {
                let steps = [flush(&state, thread), step(program, &state, thread, bound)];
                for next in steps.into_iter().flatten() {
                    moved = true;
                    if seen.insert(next.clone()) {
                        pending.push(next);
                    }
                }
            }
            if !moved {
                finals.insert((state.loaded, state.memory));
            }
        }
        finals
    }

    fn flush(state: &State, thread: usize) -> Option<State> {
        let mut state = state.clone();
        let (at, bytes) = state.queues[thread].pop_front()?;
        state.memory[at..at + bytes.len()].copy_from_slice(&bytes);
        Some(state)
    }

    fn step(program: &Program, state: &State, thread: usize, bound: usize) -> Option<State> {
        let op = *program[thread].get(state.next[thread])?;
        let mut state = state.clone();
        state.next[thread] += 1;
        let queue = &mut state.queues[thread];
        match op {
            Op::Store { at, bytes, value } if queue.len() < bound => {
                queue.push_back((at, value.to_le_bytes()[..bytes].to_vec()));
            }
            Op::Load { at, bytes } => {
                let mut seen = state.memory;
                for (at, bytes) in queue.iter() {
                    seen[*at..at + bytes.len()].copy_from_slice(bytes);
                }
                state.loaded[thread].push(number(&seen[at..at + bytes]));
            }
            Op::Exchange { at, bytes, value } if queue.is_empty() => {
                let place = &mut state.memory[at..at + bytes];
                state.loaded[thread].push(number(place));
                place.copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
            Op::Fence if queue.is_empty() => {}
            _ => return None,
        }
        Some(state)
    }
}

/// The lazy semantics, with the reduction's steps: a thread asks once, then continues through its
/// stores.
mod lazy {
    use super::*;

    #[derive(Clone, PartialEq, Eq, Default, Debug)]
    struct State {
        memory: [u8; SIZE],
        buffers: Vec<Buffer>,
        next: Vec<usize>,
        loaded: Vec<Vec<u32>>,
        ended: Vec<bool>,
    }

    impl State {
        fn key(&self) -> Vec<u8> {
            let mut key = self.memory.to_vec();
            self.buffers.iter().for_each(|b| b.encode(&mut key));
            key.extend(self.next.iter().map(|&n| n as u8));
            key.extend(self.ended.iter().map(|&e| e as u8));
            for value in self.loaded.iter().flatten() {
                key.extend(value.to_le_bytes());
            }
            key
        }

        /// The states after each drain that the request permits.
        fn after(&self, requested: &Requested) -> Vec<State> {
            let buffers: Vec<&Buffer> = self.buffers.iter().collect();
            let apply = |order: DrainOrder| {
                let mut state = self.clone();
                for thread in order {
                    let entry = state.buffers[thread as usize].remove(0);
                    for piece in entry.pieces {
                        let (at, bytes) = (piece.offset as usize, piece.bytes as usize);
                        let content = &piece.word.bits.to_le_bytes()[..bytes];
                        state.memory[at..at + bytes].copy_from_slice(content);
                    }
                }
                state
            };
            let orders =
                drain_orders(&buffers, requested, &Cancel::new()).expect("nothing cancels");
            orders.into_iter().map(apply).collect()
        }
    }

    pub fn finals(program: &Program, bound: usize) -> (BTreeSet<Final>, usize) {
        let threads = program.len();
        let mut start = State {
            buffers: vec![Buffer::default(); threads],
            next: vec![0; threads],
            loaded: vec![Vec::new(); threads],
            ended: vec![false; threads],
            ..State::default()
        };
        (0..threads).for_each(|t| run_on(program, &mut start, t, bound));
        let mut finals = BTreeSet::new();
        let mut seen = HashSet::from([start.key()]);
        let mut pending = vec![start];
        while let Some(state) = pending.pop() {
            if state.ended.iter().all(|&e| e) {
                assert!(state.buffers.iter().all(Buffer::is_empty));
                finals.insert((state.loaded.clone(), state.memory));
            }
            for thread in (0..threads).filter(|&t| !state.ended[t]) {
                for mut next in step(program, &state, thread, bound) {
                    run_on(program, &mut next, thread, bound);
                    if seen.insert(next.key()) {
                        pending.push(next);
                    }
                }
            }
        }
        (finals, seen.len())
    }

    /// Delays stores while there is room.
    fn run_on(program: &Program, state: &mut State, thread: usize, bound: usize) {
        while let Some(&Op::Store { at, bytes, value }) = program[thread].get(state.next[thread])
            && state.buffers[thread].entries().len() < bound
        {
            state.buffers[thread].push(entry(at, bytes, value));
            state.next[thread] += 1;
        }
    }

    fn step(program: &Program, state: &State, thread: usize, bound: usize) -> Vec<State> {
        let all = state.buffers[thread].entries().len();
        let requested = |load: Option<(usize, usize)>, own| Requested {
            thread,
            load: load.map(|(at, bytes)| Bytes::new(OBJECT, at, bytes)),
            own,
        };
        let Some(&op) = program[thread].get(state.next[thread]) else {
            let mut states = state.after(&requested(None, all));
            states.iter_mut().for_each(|s| s.ended[thread] = true);
            return states;
        };
        let mut states = match op {
            Op::Store { .. } if all < bound => return vec![state.clone()],
            Op::Store { .. } => return state.after(&requested(None, 1)),
            Op::Load { at, bytes } => state.after(&requested(Some((at, bytes)), 0)),
            Op::Fence => state.after(&requested(None, all)),
            Op::Exchange { at, bytes, .. } => {
                let drained = state.after(&requested(None, all)).into_iter();
                drained
                    .flat_map(|s| s.after(&requested(Some((at, bytes)), 0)))
                    .collect()
            }
        };
        for state in &mut states {
            state.next[thread] += 1;
            match op {
                Op::Load { at, bytes } => {
                    let spot = Spot {
                        object: OBJECT,
                        offset: at,
                    };
                    let below = Word::number(number(&state.memory[at..at + bytes]) as u64);
                    let seen = state.buffers[thread].forward(spot, bytes, below);
                    assert!(seen.broken.is_empty() && seen.terms.is_empty());
                    state.loaded[thread].push(seen.word.bits as u32);
                }
                Op::Exchange { at, bytes, value } => {
                    let place = &mut state.memory[at..at + bytes];
                    state.loaded[thread].push(number(place));
                    place.copy_from_slice(&value.to_le_bytes()[..bytes]);
                }
                _ => {}
            }
        }
        states
    }
}

/// A place of one, two or four bytes, not always aligned.
fn place(random: &mut fastrand::Rng, mixed: bool) -> (usize, usize) {
    if !mixed {
        return (random.usize(0..2) * 2, 2);
    }
    let bytes = [1, 1, 2, 2, 4][random.usize(0..5)];
    (random.usize(0..=SIZE - bytes), bytes)
}

fn program(random: &mut fastrand::Rng) -> Program {
    let threads = random.usize(2..=3);
    let mixed = random.bool();
    let most = if threads == 2 { 5 } else { 3 };
    let mut value = 0;
    let mut op = |random: &mut fastrand::Rng| {
        let (at, bytes) = place(random, mixed);
        value += 1;
        let value = value * 0x0101_0101;
        match random.usize(0..12) {
            0..6 => Op::Store { at, bytes, value },
            6..10 => Op::Load { at, bytes },
            10 => Op::Exchange { at, bytes, value },
            _ => Op::Fence,
        }
    };
    let mut thread = |random: &mut fastrand::Rng| {
        let count = random.usize(1..=most);
        (0..count).map(|_| op(random)).collect()
    };
    (0..threads).map(|_| thread(random)).collect()
}

/// What memory can hold when all buffers are empty: once by taking the oldest entry of any buffer
/// at a time, once by the orders that are claimed to suffice.
#[test]
fn buffers_become_empty_in_all_ways() {
    fn at_any_time(buffers: &[Vec<Op>], memory: [u8; SIZE], found: &mut BTreeSet<[u8; SIZE]>) {
        let mut any = false;
        for n in 0..buffers.len() {
            let Some(&Op::Store { at, bytes, value }) = buffers[n].first() else {
                continue;
            };
            any = true;
            let (mut rest, mut memory) = (buffers.to_vec(), memory);
            rest[n].remove(0);
            memory[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
            at_any_time(&rest, memory, found);
        }
        if !any {
            found.insert(memory);
        }
    }
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..1000 {
        let stores: Vec<Vec<Op>> = (1..=3)
            .map(|thread| {
                let count = random.usize(0..=3);
                let store = |n| {
                    let (at, bytes) = place(&mut random, true);
                    let value = (thread * 16 + n as u32) * 0x0101_0101;
                    Op::Store { at, bytes, value }
                };
                (0..count).map(store).collect()
            })
            .collect();
        let mut expected = BTreeSet::new();
        at_any_time(&stores, [0; SIZE], &mut expected);
        let buffer = |ops: &Vec<Op>| {
            let mut buffer = Buffer::default();
            for op in ops {
                if let Op::Store { at, bytes, value } = *op {
                    buffer.push(entry(at, bytes, value));
                }
            }
            buffer
        };
        let buffers: Vec<Buffer> = stores.iter().map(buffer).collect();
        let buffers: Vec<&Buffer> = buffers.iter().collect();
        let content = |order: DrainOrder| {
            let mut rest = stores.clone();
            let mut memory = [0; SIZE];
            for thread in order {
                if let Op::Store { at, bytes, value } = rest[thread as usize].remove(0) {
                    memory[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                }
            }
            assert!(rest.iter().all(Vec::is_empty));
            memory
        };
        let found: BTreeSet<_> = full_drain_orders(&buffers, &Cancel::new())
            .into_iter()
            .flatten()
            .map(content)
            .collect();
        assert_eq!(expected, found, "{stores:?}");
    }
}

const PROGRAMS: usize = 6000;

#[test]
fn lazy_equals_flushers() {
    let mut random = fastrand::Rng::with_seed(5);
    for n in 0..PROGRAMS {
        let program = program(&mut random);
        let bound = [1, 2, usize::MAX][random.usize(0..3)];
        let expected = flushers::finals(&program, bound);
        let (found, _) = lazy::finals(&program, bound);
        assert!(
            expected == found,
            "program {n}, bound {bound}: {program:?}\nmissing: {:?}\ntoo many: {:?}",
            expected.difference(&found).collect::<Vec<_>>(),
            found.difference(&expected).collect::<Vec<_>>(),
        );
    }
}
