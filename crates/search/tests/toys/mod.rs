//! Small transition systems that tests and benchmarks explore.
#![allow(dead_code)]

use impasse_transition_system::{Edge, Ends, Key, Sink, TransitionSystem};

/// A finite graph given by lists: node 0 is initial.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// For each node, what leaves it.
    pub nodes: Vec<Vec<Emission>>,
}

#[derive(Clone, Debug)]
pub enum Emission {
    To(u16),
    Fault(u8),
    Omission(u8),
}

impl TransitionSystem for Graph {
    type Worker = ();
    type Fault = u8;
    type Omission = u8;

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&0u16.to_le_bytes()));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let node = u16::from_le_bytes(state.try_into().unwrap());
        for emission in &self.nodes[node as usize] {
            match *emission {
                Emission::To(target) => sink.edge(Edge::to(&target.to_le_bytes())),
                Emission::Fault(fault) => sink.fault(fault),
                Emission::Omission(reason) => sink.omission(reason),
            }
        }
    }
}

/// As many counters as `limits`, each counting from 0 to its limit; they move
/// independently. Each is in a section until it has arrived, and all are in another until all have.
/// Each is in a section of its own until it has arrived, and all together are in one more.
pub struct Counters {
    pub limits: Vec<u8>,
    /// A state that is an error.
    pub forbidden: Vec<u8>,
}

impl Counters {
    pub fn new(limits: Vec<u8>) -> Self {
        Counters {
            limits,
            forbidden: Vec::new(),
        }
    }
}

impl TransitionSystem for Counters {
    type Worker = Vec<u8>;
    type Fault = ();
    type Omission = ();

    fn worker(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, _: &mut Vec<u8>, sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&vec![0; self.limits.len()]));
    }

    fn successors(&self, scratch: &mut Vec<u8>, state: &[u8], sink: &mut dyn Sink<Self>) {
        scratch.clear();
        scratch.extend_from_slice(state);
        if *state == self.forbidden {
            sink.fault(());
        }
        for (index, &limit) in self.limits.iter().enumerate() {
            if state[index] < limit {
                scratch[index] += 1;
                let key = [Key(index as u64)];
                let ended = &key[usize::from(scratch[index] < limit)..];
                sink.edge(Edge {
                    label: index as u32,
                    ends: Ends::Sections(ended),
                    ..Edge::to(scratch)
                });
                scratch[index] -= 1;
            }
        }
    }

    fn open_sections(&self, _: &mut Vec<u8>, state: &[u8], open: &mut Vec<Key>) {
        let counting = (0..self.limits.len()).filter(|&index| state[index] < self.limits[index]);
        open.extend(counting.map(|index| Key(index as u64)));
        if !open.is_empty() {
            open.push(Key(u64::MAX));
        }
    }
}

/// Dining philosophers, who take the left fork first; the last one takes the right one first if
/// `asymmetric`.
pub struct Philosophers {
    pub count: usize,
    pub asymmetric: bool,
}

/// No task can continue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Deadlock;

const THINKING: u8 = 0;
const HOLDING_ONE: u8 = 1;
const EATING: u8 = 2;

impl Philosophers {
    fn forks(&self, who: usize) -> [usize; 2] {
        let (left, right) = (who, (who + 1) % self.count);
        if self.asymmetric && who + 1 == self.count {
            [right, left]
        } else {
            [left, right]
        }
    }

    fn is_free(&self, state: &[u8], fork: usize) -> bool {
        (0..self.count).all(|who| {
            let held = usize::from(state[who]);
            !self.forks(who)[..held].contains(&fork)
        })
    }
}

impl TransitionSystem for Philosophers {
    type Worker = Vec<u8>;
    type Fault = Deadlock;
    type Omission = ();

    fn worker(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, _: &mut Vec<u8>, sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&vec![THINKING; self.count]));
    }

    fn successors(&self, scratch: &mut Vec<u8>, state: &[u8], sink: &mut dyn Sink<Self>) {
        let mut stuck = true;
        for who in 0..self.count {
            let next = match state[who] {
                EATING => THINKING,
                held if self.is_free(state, self.forks(who)[usize::from(held)]) => held + 1,
                _ => continue,
            };
            stuck = false;
            scratch.clear();
            scratch.extend_from_slice(state);
            scratch[who] = next;
            sink.edge(Edge {
                label: who as u32,
                ..Edge::to(scratch)
            });
        }
        if stuck {
            sink.fault(Deadlock);
        }
    }
}

/// Peterson's lock for two processes; they do not wait if it is `broken`.
pub struct Peterson {
    pub broken: bool,
}

/// Both processes are in their critical sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BothInside;

impl TransitionSystem for Peterson {
    type Worker = ();
    type Fault = BothInside;
    type Omission = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        // The processes' program counters, their flags, and whose turn it is.
        sink.edge(Edge::to(&[0, 0, 0, 0, 0]));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let state: [u8; 5] = state.try_into().unwrap();
        for me in 0..2 {
            let other = 1 - me;
            let mut next = state;
            next[me] += 1;
            match state[me] {
                0 => next[2 + me] = 1,
                1 => next[4] = other as u8,
                2 if state[2 + other] == 1 && state[4] == other as u8 && !self.broken => {
                    next[me] = 2
                }
                2 => {}
                _ => (next[me], next[2 + me]) = (0, 0),
            }
            if next[0] == 3 && next[1] == 3 {
                sink.fault(BothInside);
            } else {
                sink.edge(Edge {
                    label: me as u32,
                    ..Edge::to(&next)
                });
            }
        }
    }
}
