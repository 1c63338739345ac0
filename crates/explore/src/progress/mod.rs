//! Hangs: sections that have been entered and can never be left.
//!
//! *Definition* (Štill and Barnat): a section instance is nonterminating if it can reach a point
//! from which its end cannot be reached; the end of the program ends every section.
//!
//! A state has open instances, each under a key; an edge ends some of them. Let *canEnd* be the least set
//! of pairs of a state and a key open in it, that holds (s, k) if for some group of edges that leave
//! s, each edge s → t of the group ends k, or ends the program, or leads to (t, k) in canEnd. Where all groups have one edge
//! (no inputs), canEnd is what can reach an end, so a reachable pair outside it is a hang, and there are no others: this is the
//! definition. In a group of several edges an input chooses, and the user wants to know that there is one for which the
//! section never ends: hence "each edge".
//!
//! *Before the space is exhausted* a state may be known but not expanded. Two least fixpoints answer for
//! what is known so far: in one, what is not expanded cannot end anything; its pairs are
//! certainly in canEnd, for ever, and what is logged of states that have no others is
//! thrown away. In the other, what is not expanded can end everything; a pair that is not even in that
//! one is a hang, whatever is found later. Both are monotone in the set of expanded states, hence the claims.
//! A transition that was omitted counts as one to a state that is never expanded.
//!
//! *Cost*: fixpoints are computed by sweeps over the log, in turns backwards and forwards, until
//! nothing changes; as most edges lead to later states, few sweeps suffice. They are
//! due each time the number of states has grown by half, so that together they
//! cost no more than a few times the last one, and at once when a state with open sections has no way on.

pub(crate) mod branching;
mod log;
mod sections;
mod tarjan;
mod trap;

pub use trap::{Trap, trap};

pub(crate) use log::Recorder;
pub(crate) use sections::Sections;
