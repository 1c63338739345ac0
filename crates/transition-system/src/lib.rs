//! The interface between a system of states and transitions and the searches over it.
//!
//! A [`TransitionSystem`] encodes each state as a byte string and emits the transitions that leave
//! it into a [`Sink`]. A search stores the states and decides which one to expand next. The system
//! knows no search, and the search knows no threads and no memory.
//!
//! What a search reports refers to the same interface: a [`Path`] is a sequence of choices that
//! [replays](Path::replay) through the system, and a [`HangRegion`] is the part of the state space
//! that a hang cannot leave.
//!
//! ```
//! use impasse_transition_system::{Edge, Path, Sink, StepEnd, TransitionSystem};
//!
//! /// A counter that must not reach three.
//! struct Counter;
//!
//! impl TransitionSystem for Counter {
//!     type Worker = ();
//!     type Fault = &'static str;
//!     type Omission = &'static str;
//!     fn worker(&self) {}
//!     fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
//!         sink.edge(Edge::to(&[0]));
//!     }
//!     fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
//!         match state[0] {
//!             3 => sink.fault("the counter reached three"),
//!             n => sink.edge(Edge::to(&[n + 1])),
//!         }
//!     }
//! }
//!
//! // The initial state, three increments, the fault: each is the first transition emitted.
//! let path: Path = "0.0.0.0.0".parse().expect("numbers joined by dots");
//! let mut last = None;
//! path.replay(&Counter, |step| {
//!     if let StepEnd::Fault(fault) = step.end {
//!         last = Some(fault);
//!     }
//! })
//! .expect("the path was recorded for this system");
//! assert_eq!(last, Some("the counter reached three"));
//! ```

mod emission;
mod hang_region;
mod path;
mod portable;
mod system;

pub use emission::{Emission, Emissions, Nth, Numbered, OwnedEdge, Received};
pub use hang_region::HangRegion;
pub use path::{Path, ReplayError, Step, StepEnd};
pub use portable::{Malformed, Portable};
pub use system::{Branch, Edge, Ends, Key, ReducingSink, Sink, SuccessorFilter, TransitionSystem};
