//! Searches over transition systems. This crate knows no LLVM, no threads, no memory.
//!
//! A [`Search`] visits every reachable state of a
//! [`TransitionSystem`](impasse_transition_system::TransitionSystem), breadth-first on all cores or
//! depth-first, until it finds a fault, exhausts the state space, or reaches a limit. It returns an
//! [`Outcome`]. A fault comes with the [`Path`](impasse_transition_system::Path) to it, which
//! replays through the system. With [`Strategy::LivenessFixpoint`] the search also looks for hangs
//! (see the module `liveness`). [`Schedules`] executes random schedules instead, and stores no
//! states.
//!
//! ```
//! use impasse_search::{Search, Verdict};
//! use impasse_transition_system::{Edge, Sink, TransitionSystem};
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
//! let outcome = Search::new(&Counter).run();
//! let Verdict::Fault { path, .. } = outcome.verdict else { panic!("not found") };
//! assert_eq!(path.to_string(), "0.0.0.0.0");
//! assert_eq!(outcome.statistics.states, 4);
//! ```

mod bfs;
mod bounds;
mod dfs;
mod findings;
mod live_statistics;
mod liveness;
mod outcome;
mod run;
mod schedules;
mod search;

pub use live_statistics::{LiveStatistics, Share};
pub use liveness::hang_region;
pub use outcome::{Outcome, Statistics, Verdict};
pub use schedules::{Sampled, Scheduler, Schedules};
pub use search::{Search, Strategy, Superseded};
