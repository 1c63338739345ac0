//! Searches over transition systems. Knows no LLVM, no threads, no memory.
//!
//! A [`TransitionSystem`] gives initial states and successors as byte strings; a [`Search`] visits
//! every reachable one, breadth-first on all cores or depth-first, until a fault is found, the
//! space is exhausted, or a limit is hit, and tells the [`Outcome`]. A fault comes with a [`Path`],
//! the sequence of choices that leads to it, which replays through the system.
//!
//! ```
//! use impasse_search::{Edge, Search, Sink, TransitionSystem, Verdict};
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
mod dfs;
mod findings;
mod limits;
mod meter;
mod outcome;
mod path;
mod progress;
mod search;
mod system;

pub use limits::{Budget, Cancel, Overrun, Watchdog, resident_memory};
pub use meter::Meter;
pub use outcome::{Outcome, Statistics, StopReason, Verdict};
pub use path::{Path, ReplayError, Step, StepEnd};
pub use progress::{Trap, trap};
pub use search::{Search, Strategy};
pub use system::{Asking, Branch, Edge, Ends, Key, Sink, TransitionSystem};
