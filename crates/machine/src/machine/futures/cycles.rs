//! Where threads may come back to: the spots on a cycle of the steps that were observed.
//!
//! A *spot* is a thread and its frames, but for what steps of other threads may change in these:
//! the numbers of objects. So a thread leaves a spot by its own steps only, or it is a step that is
//! observed as well.
//!
//! *Claim.* If a thread takes a step from a spot that it does not come back to, and no other thread
//! ever gets its number, the step is on no cycle of states. *Proof.* Follow a cycle of states that
//! the step is on. The thread is there again at the end, and it is the same one, since nothing else
//! had its number. So it has passed its spot twice. ∎

use super::{Control, REMEMBERED, View, table_bytes};
use petgraph::Graph;
use petgraph::algo::kosaraju_scc;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a thread is, as far as only its own steps change it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    thread: u32,
    frames: u64,
}

impl Spot {
    fn of(control: Control) -> Spot {
        Spot {
            thread: control.thread,
            frames: control.spot,
        }
    }
}

/// From where a step leads where: the same thread, or another one that it starts with a number that
/// was in use.
pub(super) type Step = (Spot, Spot);

/// The steps that were observed, and the spots on cycles.
#[derive(Default)]
pub(super) struct Cycles {
    steps: FxHashSet<Step>,
    /// How many there were when cycles were looked for.
    searched: usize,
    spots: FxHashSet<Spot>,
    /// The numbers that several threads get, one after the other.
    given_again: FxHashSet<u32>,
}

impl Cycles {
    /// Adds steps.
    pub fn add(&mut self, steps: Vec<Step>) {
        let number = |step: &Step| (step.0.thread != step.1.thread).then_some(step.1.thread);
        self.given_again.extend(steps.iter().filter_map(number));
        self.steps.extend(steps);
    }

    /// Returns the memory that they take, in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        table_bytes::<Step>(self.steps.len())
    }

    /// Returns whether a thread may come back to a spot.
    pub fn have(&self, spot: Spot) -> bool {
        self.given_again.contains(&spot.thread) || self.spots.contains(&spot)
    }

    /// Looks for cycles if there are many new steps, or there are any and it `must`. Returns
    /// whether it did.
    pub fn find(&mut self, must: bool) -> bool {
        let new = self.steps.len() - self.searched;
        if new == 0 || !must && new < self.searched / 4 {
            return false;
        }
        self.searched = self.steps.len();
        self.spots = on_cycles(&self.steps);
        true
    }
}

impl View<'_> {
    /// Observes a step that leads a thread from one control to another, or that starts one with a
    /// number that was in use.
    pub fn observe_move(&mut self, from: Control, to: Control) {
        let step = (Spot::of(from), Spot::of(to));
        if self.steps.len() >= REMEMBERED {
            self.steps.clear();
        }
        if self.steps.insert(step) {
            self.futures.learned().steps.push(step);
        }
    }

    /// Assumes that a thread does not come back to where it is, and returns true, unless it is
    /// known that it may.
    pub fn assume_passing_once(&mut self, control: Control) -> bool {
        let may = self.may_pass_once(control);
        if may {
            let mut learned = self.futures.learned();
            learned.passed_once.insert(Spot::of(control));
        }
        may
    }

    /// Returns whether it is not known that a thread may come back to where it is.
    pub fn may_pass_once(&self, control: Control) -> bool {
        !self.futures.known().cycles.have(Spot::of(control))
    }
}

fn on_cycles(steps: &FxHashSet<Step>) -> FxHashSet<Spot> {
    let mut graph = Graph::<Spot, ()>::new();
    let mut nodes = FxHashMap::default();
    for &(from, to) in steps {
        let [from, to] = [from, to].map(|spot| {
            let node = nodes.entry(spot);
            *node.or_insert_with(|| graph.add_node(spot))
        });
        graph.add_edge(from, to, ());
    }
    let components = kosaraju_scc(&graph).into_iter();
    let cycles =
        components.filter(|nodes| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]));
    cycles.flatten().map(|node| graph[node]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(thread: u32, frames: u64) -> Spot {
        Spot { thread, frames }
    }

    #[test]
    fn a_thread_comes_back_to_cycles_only() {
        let mut cycles = Cycles::default();
        let step = |from, to| (spot(0, from), spot(0, to));
        cycles.add(vec![
            step(1, 2),
            step(2, 3),
            step(3, 2),
            step(3, 4),
            step(5, 5),
            step(6, 7),
            step(7, 8),
            step(8, 9),
        ]);
        assert!(cycles.find(true));
        let have = (1..=9).filter(|&frames| cycles.have(spot(0, frames)));
        assert_eq!(have.collect::<Vec<_>>(), [2, 3, 5]);
        assert!(!cycles.find(true));
        cycles.add(vec![step(4, 1)]);
        assert!(!cycles.find(false));
        assert!(cycles.find(true));
        assert!(cycles.have(spot(0, 1)));
    }

    #[test]
    fn a_number_that_is_given_again_comes_back() {
        let mut cycles = Cycles::default();
        cycles.add(vec![(spot(0, 1), spot(2, 1)), (spot(2, 1), spot(2, 2))]);
        assert!(cycles.find(true));
        assert!(cycles.have(spot(2, 2)));
        assert!(!cycles.have(spot(0, 1)) && !cycles.have(spot(1, 1)));
    }
}
