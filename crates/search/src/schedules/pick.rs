//! What moves next: the schedulers.

use super::Scheduler;
use fastrand::Rng;
use rustc_hash::FxHashMap;

/// So many silent steps in a row, and a label gets the least priority.
const PATIENCE: u32 = 100;

/// Picks the label that moves, in one run.
pub(super) enum Picker {
    Random,
    Pct(Pct),
}

/// The state of probabilistic concurrency testing.
pub(super) struct Pct {
    /// The priorities of the labels that are known.
    priorities: FxHashMap<u32, i64>,
    /// The steps after which the label that moved gets a priority below all random ones, in
    /// descending order.
    changes: Vec<u64>,
    steps: u64,
    /// The least priority that was given.
    least: i64,
    /// The label that moved last, and how many silent steps it took in a row.
    silent: (u32, u32),
}

impl Picker {
    /// Returns the picker of one run. `length` is the length of the first run; this is the first
    /// one if there is none, and then no priority changes.
    pub(super) fn new(scheduler: Scheduler, length: Option<u64>, random: &mut Rng) -> Picker {
        let Scheduler::Pct { depth } = scheduler else {
            return Picker::Random;
        };
        let points = length.map_or(0, |_| depth.get() - 1);
        let steps = 1..=length.unwrap_or(1).max(1);
        let mut changes: Vec<u64> = (0..points).map(|_| random.u64(steps.clone())).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Picker::Pct(Pct {
            priorities: FxHashMap::default(),
            changes,
            steps: 0,
            least: 0,
            silent: (0, 0),
        })
    }

    /// Picks one of some labels, of which there is at least one.
    pub(super) fn pick(&mut self, labels: &[u32], random: &mut Rng) -> u32 {
        match self {
            Picker::Random => *random.choice(labels).expect("a label"),
            Picker::Pct(pct) => {
                let priority = |&&label: &&u32| pct.priority(label, random);
                *labels.iter().max_by_key(priority).expect("a label")
            }
        }
    }

    /// Only these labels exist: one that comes later is a new one.
    pub(super) fn keep(&mut self, labels: impl Fn(u32) -> bool) {
        if let Picker::Pct(pct) = self {
            pct.priorities.retain(|&label, _| labels(label));
        }
    }

    /// A label has moved.
    pub(super) fn moved(&mut self, label: u32, silent: bool) {
        if let Picker::Pct(pct) = self {
            pct.moved(label, silent);
        }
    }
}

impl Pct {
    /// The priority of a label: a random one, if it is new.
    fn priority(&mut self, label: u32, random: &mut Rng) -> i64 {
        let new = || random.i64(1..i64::MAX);
        *self.priorities.entry(label).or_insert_with(new)
    }

    fn moved(&mut self, label: u32, silent: bool) {
        self.steps += 1;
        let row = if self.silent.0 == label {
            self.silent.1
        } else {
            0
        };
        self.silent = (label, if silent { row + 1 } else { 0 });
        if self.silent.1 == PATIENCE {
            self.silent.1 = 0;
            self.lower(label);
        }
        while self.changes.pop_if(|at| *at == self.steps).is_some() {
            self.lower(label);
        }
    }

    /// Gives a label a priority below all that were given before.
    fn lower(&mut self, label: u32) {
        self.least -= 1;
        self.priorities.insert(label, self.least);
    }
}
