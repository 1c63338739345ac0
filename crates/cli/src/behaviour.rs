//! Which behaviours of a program are explored, and which of them are errors: options.

use crate::ending::Ending;
use crate::memory_model::Model;
use crate::suppressions::SuppressionOptions;
use anyhow::Result;
use clap::{Args, ValueEnum};
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Clocks, Options, Uncaught};
use impasse_program::link::Program;
use std::sync::Arc;

/// Which behaviours are explored, and which of them are errors.
#[derive(Args)]
pub struct Behaviour {
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    ending: Ending,
    /// Report memory leaks.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    leaks: Switch,
    /// Report data races.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    races: Switch,
    #[command(flatten)]
    suppressions: SuppressionOptions,
    /// Explore spurious wake-ups: waits on condition variables that end without a signal.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    spurious_wakeups: Switch,
    /// Explore spurious failures of weak compare-exchanges, C++'s `try_lock` and the like.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    spurious_failures: Switch,
    /// Explore the reuse of freed addresses and of the ids of joined threads, where the program can
    /// observe it.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    address_reuse: Switch,
    /// Whether an exception that no handler catches unwinds the stack; C++ allows both.
    #[arg(long, value_enum, default_value_t = OnUncaught::Both)]
    uncaught: OnUncaught,
}

/// The value of an option that turns something on or off. Its variants have no help of their own.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnUncaught {
    /// Explore both.
    Both,
    /// Run destructors, then std::terminate.
    Unwind,
    /// Run std::terminate without unwinding.
    Terminate,
}

impl Behaviour {
    /// Returns the options for a program, with what these options decide replaced, and without
    /// clocks. Fails if a suppression makes no sense or the memory model does not go with the rest.
    pub fn options(&self, program: &Program, hangs: Hangs, options: Options) -> Result<Options> {
        let options = Options {
            suppressions: Arc::new(self.suppressions.rules(program)?),
            hangs,
            leaks: self.leaks == Switch::On,
            uncaught: match self.uncaught {
                OnUncaught::Both => Uncaught::Both,
                OnUncaught::Unwind => Uncaught::Unwind,
                OnUncaught::Terminate => Uncaught::Terminate,
            },
            races: self.races == Switch::On,
            clocks: Clocks::Unread,
            spurious_wakeups: self.spurious_wakeups == Switch::On,
            spurious_failures: self.spurious_failures == Switch::On,
            address_reuse: self.address_reuse == Switch::On,
            ..options
        };
        Ok(self.ending.apply(self.model.apply(options)?))
    }
}
