//! Local nontermination: sections that a program has entered and can never leave.
//!
//! *Definition* (V. Štill, J. Barnat, *Local Nontermination Detection for Parallel C++ Programs*,
//! SEFM 2019, definition 1). A section instance is nonterminating if it can reach a point from
//! which its end cannot be reached. The end of the program ends every section.
//!
//! *Algorithm.* A pair (s, k) of a state and a key open in it belongs to the least fixpoint
//! `canEnd` if there is a group of transitions of s such that each transition s → t of the group
//! ends k, or ends the program, or leads to (t, k) in `canEnd`. Without inputs each group has one
//! transition, and `canEnd` is the set of pairs from which an end is reachable (CTL: EF). A
//! reachable pair outside of it is a violation. An input selects within a group, and some input
//! must not prevent the end; hence "each transition".
//!
//! *Optimistic frontier.* While the search runs, states that were found but not expanded count as
//! able to end every section. Expanding more states can only remove pairs from this
//! over-approximation, so a pair outside of it is a violation whatever the search finds later. When
//! all states are expanded, the fixpoint is exact. An omitted transition counts as one to a state
//! that is never expanded.
//!
//! *Non-progress edges.* A pair outside of the fixpoint is only a candidate violation while the
//! state has [drained states](impasse_transition_system::TransitionSystem::drain): a search from
//! these decides.
//!
//! *Early violations.* Local searches (near the initial states) and random walks (far from them)
//! find most hangs before the fixpoint can.
//!
//! *Cost.* Eight bytes a state, and two more while the fixpoint is computed. It is computed each
//! time the number of states has doubled, so that all but the last computation together cost as
//! much as the last, and at once when a state with open sections has no successor.
//!
//! The arguments are in `docs/internals/liveness.md`. [`product`] is the algorithm of the paper, as
//! an independent reference.

mod adversarial_inputs;
mod backward_fixpoint;
mod context;
mod divergence;
pub(crate) mod drained;
mod execution;
mod full_expansion;
mod hang_region;
mod key_lists;
mod local_search;
mod minimise;
mod open_sections;
mod outgoing;
mod product;
pub(crate) mod product_search;
mod random_walk;
mod recorder;
mod region;
mod restart;
mod sampler;
mod successor_hints;
mod tarjan;
mod violation_region;

pub use hang_region::hang_region;

pub(crate) use context::{CandidateViolation, SearchContext};
pub(crate) use open_sections::OpenSections;
pub(crate) use random_walk::EarlyViolation;
pub(crate) use recorder::Recorder;
