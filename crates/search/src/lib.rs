//! Searches over transition systems. Knows no LLVM, no threads, no memory.
//!
//! A [`TransitionSystem`] gives initial states and successors as byte strings; a [`Search`] visits
//! every reachable one, breadth-first on all cores or depth-first, until a fault is found, the
//! space is exhausted, or a limit is hit, and tells the [`Outcome`]. A fault comes with a [`Path`],
//! the sequence of choices that leads to it, which replays through the system.
//!
//! ```
//! use impasse_search::{Search, Verdict};
//! use impasse_transition_system::{Edge, Sink, TransitionSystem};
//!
//! /// Counts to three and fails.
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
//!             3 => sink.fault("three is too much"),
//!             n => sink.edge(Edge::to(&[n + 1])),
//!         }
//!     }
//! }
//!
//! let outcome = Search::new(&Counter).run();
//! let Verdict::Fault { path, .. } = outcome.verdict else { panic!("not found") };
//! assert_eq!(path.to_string(), "0.0.0.0.0");
//! assert_eq!(outcome.statistics.states, 4);
//! ```

mod bfs;
mod bounds;
mod dfs;
mod findings;
mod meter;
mod outcome;
mod progress;
mod search;

pub use meter::Meter;
pub use outcome::{Outcome, Statistics, Verdict};
pub use progress::hang_region;
pub use search::{Search, Strategy};
