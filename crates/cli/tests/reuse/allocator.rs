//! All executions of small programs with an allocator that gives out any address which is not in
//! use.

use std::collections::{BTreeSet, HashSet};

/// An operation of a thread: a letter of `program.c`, and a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    pub letter: char,
    pub place: usize,
}

type Address = u8;

/// A state between two steps.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct State {
    owners: [Option<Address>; 2],
    /// Addresses that are in use.
    taken: Vec<Address>,
    /// How many addresses were ever used.
    addresses: Address,
    threads: [Thread; 2],
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Thread {
    next: usize,
    /// How much of the present operation is done.
    stage: u8,
    /// What it has taken from a place, or is about to put there.
    held: Option<Address>,
    kept: Option<Address>,
    /// Of its last allocation.
    made: Option<Address>,
    /// `None` before it has seen any.
    number: Option<Option<Address>>,
    found: u32,
}

/// What the two threads can find out.
pub fn outcomes(programs: &[Vec<Operation>; 2]) -> BTreeSet<(u32, u32)> {
    let mut seen = HashSet::from([State::default()]);
    let mut pending = vec![State::default()];
    let mut outcomes = BTreeSet::new();
    while let Some(state) = pending.pop() {
        let before = pending.len();
        for (thread, program) in programs.iter().enumerate() {
            let Some(&operation) = program.get(state.threads[thread].next) else {
                continue;
            };
            for after in state.step(thread, operation) {
                if seen.insert(after.clone()) {
                    pending.push(after);
                }
            }
        }
        let over = |n: usize| state.threads[n].next == programs[n].len();
        if pending.len() == before && over(0) && over(1) {
            outcomes.insert((state.threads[0].found, state.threads[1].found));
        }
    }
    outcomes
}

impl State {
    /// The states after a thread's next step.
    fn step(&self, thread: usize, operation: Operation) -> Vec<State> {
        let place = operation.place;
        let stage = self.threads[thread].stage;
        match (operation.letter, stage) {
            ('m', 0) => self.allocations(thread, None),
            ('m' | 'r', 1 | 3) => vec![self.after(|state| {
                let me = &mut state.threads[thread];
                std::mem::swap(&mut state.owners[place], &mut me.held);
                me.stage += 1;
            })],
            ('f' | 'r', 0) => vec![self.after(|state| {
                let me = &mut state.threads[thread];
                me.held = state.owners[place].take();
                me.stage = if operation.letter == 'f' { 4 } else { 2 };
                if me.held.is_none() {
                    me.end();
                }
            })],
            ('r', 2) => self.allocations(thread, self.threads[thread].held),
            // Frees what it holds.
            (_, 2 | 4) => vec![self.after(|state| {
                let me = &mut state.threads[thread];
                let freed = me.held.take();
                state.taken.retain(|&address| Some(address) != freed);
                me.end();
            })],
            _ => vec![self.after(|state| state.look(thread, operation))],
        }
    }

    fn after(&self, change: impl FnOnce(&mut State)) -> State {
        let mut state = self.clone();
        change(&mut state);
        state
    }

    /// A thread allocates, in place of an allocation if it has one.
    fn allocations(&self, thread: usize, old: Option<Address>) -> Vec<State> {
        let free = |address: &Address| !self.taken.contains(address) || Some(*address) == old;
        let allocate = |address: Address| {
            self.after(|state| {
                state.addresses = state.addresses.max(address + 1);
                state.taken.retain(|&taken| Some(taken) != old);
                state.taken.push(address);
                state.taken.sort_unstable();
                let me = &mut state.threads[thread];
                me.held = Some(address);
                if old.is_none() {
                    me.made = me.held;
                }
                me.stage += 1;
            })
        };
        (0..=self.addresses).filter(free).map(allocate).collect()
    }

    /// A thread looks at the address at a place.
    fn look(&mut self, thread: usize, operation: Operation) {
        let owner = &mut self.owners[operation.place];
        let me = &mut self.threads[thread];
        let same = match operation.letter {
            'g' => {
                me.kept = *owner;
                None
            }
            'n' => {
                me.number = Some(*owner);
                None
            }
            'c' => Some(me.kept == *owner),
            'w' => Some(me.kept == me.made),
            'x' => {
                let same = me.kept == *owner;
                if same {
                    *owner = None;
                }
                Some(same)
            }
            'h' => Some(me.number == Some(*owner)),
            letter => unreachable!("{letter}"),
        };
        if let Some(same) = same {
            me.found = me.found * 3 + 1 + u32::from(same);
        }
        me.end();
    }
}

impl Thread {
    fn end(&mut self) {
        self.next += 1;
        self.stage = 0;
        self.held = None;
    }
}
