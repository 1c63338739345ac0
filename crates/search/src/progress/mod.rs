//! Hangs: sections that have been entered and can never be left.
//!
//! *Definition* (Štill and Barnat): a section instance is nonterminating if it can reach a point
//! from which its end cannot be reached; the end of the program ends every section.
//!
//! A state has open instances, each under a key; an edge ends some of them. Let *canEnd* be the
//! least set of pairs of a state and a key open in it, that holds (s, k) if for some group of edges
//! that leave s, each edge s → t of the group ends k, or ends the program, or leads to (t, k) in
//! canEnd. Where all groups have one edge (no inputs), canEnd is what can reach an end, so a
//! reachable pair outside it is a hang, and there are no others: this is the definition. In a group
//! of several edges an input chooses, and the user wants to know that there is one for which the
//! section never ends: hence "each edge".
//!
//! *Before the space is exhausted* some states are known but not expanded. They are taken to be
//! able to end everything. A pair that is outside the least fixpoint even so is a hang, whatever is
//! found later: expanding more states can only take pairs out of it. When all is expanded, the
//! fixpoint is canEnd. A transition that was omitted counts as one to a state that is never
//! expanded.
//!
//! *Chance.* Where a system can do what nobody can rely on ([`Branch::NonProgress`](crate::Branch)), a
//! hang is a pair from which the end cannot be reached once nothing is left to chance any more: a
//! pair of a state that [`settle`](crate::TransitionSystem::settle) gives, or of one that follows it.
//! A transition of chance leads to states that must be visited, but is no edge of the fixpoint. A
//! system with such transitions promises that
//! - what ends through its other transitions ends from the settled states too, and
//! - a state can do, by chance or not, what its settled states can do, so that whatever follows those is
//!   what some state settles to that is visited anyway.
//!
//! So only a pair outside of the fixpoint is in doubt, and a search that begins with what the states of
//! all such pairs settle to decides (`doubts`).
//!
//! *A hang near the start* is so known only when all that can follow it has been expanded, *one far from it* when the
//! search gets there. Such hangs are looked for apart: see `probe` and `walk`.
//!
//! *Cost*: eight bytes a state, and two more while the fixpoint is computed; see `sections`. It is due each
//! time the number of states has doubled, so that all but the last fixpoint cost together as much
//! as the last, and at once when a state with open sections has no way on.

mod adversary;
pub(crate) mod branching;
mod divergence;
pub(crate) mod doubts;
mod hang_region;
mod keys;
mod pass;
mod picker;
mod probe;
mod recorder;
mod region;
mod resolve;
mod sections;
mod shorten;
mod starts;
mod tarjan;
mod walk;

pub use hang_region::hang_region;

pub(crate) use recorder::Recorder;
pub(crate) use sections::{Doubt, Known, Sections};
pub(crate) use walk::Early;
