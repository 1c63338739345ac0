//! The threads of a state that could be explored, and what their next steps do.

use crate::machine::futures::{Control, Member, NumberedFootprint};
use crate::machine::system::System;
use impasse_transition_system::{Branch, Emission, Emissions, ReducingSink};
use smallvec::SmallVec;

/// What a thread can do in the base state.
pub(super) struct Candidate<'s> {
    pub emissions: Emissions<&'s System>,
    /// The footprint of its step, with what the thread has accessed before.
    pub footprint: NumberedFootprint,
    /// The same without accesses to objects that are known.
    pub bare: Option<NumberedFootprint>,
    pub blocked: bool,
    pub preempted: bool,
}

impl<'s> Candidate<'s> {
    /// Returns whether the thread has one transition, which the scheduler chooses, and which does
    /// not end the program.
    pub fn is_deterministic(&self) -> bool {
        matches!(self.emissions.0.as_slice(), [Emission::Edge(edge)]
            if edge.branch == Branch::Schedule && edge.ended.is_some())
    }

    /// Returns whether the scheduler can choose a step that sections may rely on.
    pub fn can_progress(&self) -> bool {
        let mut emissions = self.emissions.0.iter();
        emissions.any(|it| matches!(it, Emission::Edge(edge) if edge.branch == Branch::Schedule))
    }

    /// Returns whether the scheduler can choose a step that sections may rely on such that every
    /// outcome leads to a state that the search did not find before this level.
    pub fn leads_deeper(&self, sink: &mut dyn ReducingSink<&'s System>) -> bool {
        let edges = self
            .emissions
            .0
            .iter()
            .filter_map(|emission| match emission {
                Emission::Edge(edge) => Some(edge),
                _ => None,
            });
        let mut deeper = false;
        for edge in edges {
            match edge.branch {
                Branch::NonProgress => {}
                Branch::Schedule if deeper => return true,
                Branch::Schedule => deeper = sink.leads_deeper(&edge.target),
                Branch::Input => deeper = deeper && sink.leads_deeper(&edge.target),
            }
        }
        deeper
    }
}

/// The threads that are alive in the base state, in order, and what those can do that were
/// executed.
pub(super) struct Candidates<'s> {
    pub order: Vec<usize>,
    pub controls: Vec<Control>,
    pub known: Vec<Option<Candidate<'s>>>,
    /// Whether one of the steps ends in an error.
    pub fail: bool,
}

impl<'s> Candidates<'s> {
    pub fn get(&self, index: usize) -> &Candidate<'s> {
        self.known[index].as_ref().expect("it was executed")
    }

    /// Returns a candidate with a footprint of its step, or of a part of it.
    pub fn member<'a>(&self, index: usize, step: &'a NumberedFootprint) -> Member<'a> {
        (self.order[index] as u32, step.number, &step.footprint)
    }

    /// Returns which candidates are not among these.
    pub fn others(&self, chosen: &[usize]) -> SmallVec<[usize; 8]> {
        let mut is_chosen = vec![false; self.order.len()];
        chosen.iter().for_each(|&index| is_chosen[index] = true);
        let all = 0..self.order.len();
        all.filter(|&index| !is_chosen[index]).collect()
    }
}
