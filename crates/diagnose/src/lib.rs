//! Diagnosis: from the outcome of a search to a report.
//!
//! A search ends with a verdict and, for an error, with a path: ordinals of transitions. [`report`]
//! replays the path through the machine and says what happened in the program's own terms. Each
//! part is one module:
//! - `selection`: of the sections that can never end, the one to report, and the path to it;
//! - `region`: what each thread does in the region of a hang, from the facts that the machine has
//!   about each state; `hang`: the reason for the hang. A deadlock is a hang whose region is one
//!   state;
//! - `slice`: which steps the error does not depend on; `flow`: where values go that are read;
//! - `trace`: what happened on the path; `strengthening`: which memory orders would forbid it;
//!   `environment`: what the program asked on it; `inputs`: which inputs it read;
//! - `suppressed`: which errors the user does not want to see;
//! - `walk`: paths as schedules of threads; `replay`: following one again, also after the program
//!   has changed;
//! - `present`: a state in the program's terms; `explore`: those on the path, for the explorer;
//! - `simulation`: a walk that the user directs;
//! - `graph`: the states and transitions of a small program, to draw;
//! - `order`: what threads do on a path, for a real process;
//! - `schedules`: the report of random schedules;
//! - `place`, `words`: places in the source, and what they and threads are called.
//!
//! *What is elsewhere.* Shortening the path to a hang and computing the region of a hang need only
//! states and transitions, and share their data with the searches; both are generic and belong to
//! `impasse-search`, which knows no machine. The operations of the machine describe themselves
//! (what they did, what they wait for) in the program's names, since only they know.
//! `impasse-report` renders a report, and knows no machine. SHIM has diagnostics of its own.

mod environment;
mod explore;
mod fault;
mod findings;
mod flow;
mod graph;
mod hang;
mod inputs;
pub mod order;
mod place;
mod present;
mod region;
mod replay;
mod schedules;
mod selection;
mod simulation;
mod slice;
mod strengthening;
mod suppressed;
mod trace;
mod walk;
mod words;

pub use fault::{error, reason};
pub use findings::{Shown, in_short, report, stopped, without_trace};
pub use graph::state_graph;
pub use present::Present;
pub use replay::report_of_replay;
pub use schedules::{in_short_of_schedules, report_of_schedules};
pub use simulation::{Choice, Ending, Simulation};
