//! How a program ends: options.

use clap::{Args, ValueEnum};
use impasse_machine::base::options::{ExitCodes, MainReturns, OnAbort, Options};

/// What counts as an end of the program, and as which.
#[derive(Args, Clone, Copy)]
pub struct Ending {
    /// The exit codes that are no errors.
    #[arg(long, value_enum, default_value_t = Codes::Zero)]
    exit_code: Codes,
    /// What a call of abort() is.
    #[arg(long, value_enum, default_value_t = Abort::Error)]
    abort: Abort,
    /// What becomes of the program when main returns while other threads run.
    #[arg(long, value_enum, default_value_t = Returned::Exits)]
    main_returns: Returned,
}

#[derive(Clone, Copy, ValueEnum)]
enum Codes {
    /// 0 only: with another one, a program says that it failed.
    Zero,
    /// All.
    Any,
}

#[derive(Clone, Copy, ValueEnum)]
enum Abort {
    /// An error.
    Error,
    /// The end of an execution that does not count, like an assumption that does not hold.
    Prune,
}

#[derive(Clone, Copy, ValueEnum)]
enum Returned {
    /// It exits.
    Exits,
    /// It goes on until all threads have ended, as if main had called pthread_exit.
    Waits,
}

impl Ending {
    /// The machine's options with these.
    pub fn apply(self, options: Options) -> Options {
        Options {
            exit_codes: match self.exit_code {
                Codes::Zero => ExitCodes::Zero,
                Codes::Any => ExitCodes::Any,
            },
            abort: match self.abort {
                Abort::Error => OnAbort::Error,
                Abort::Prune => OnAbort::Prune,
            },
            main_returns: match self.main_returns {
                Returned::Exits => MainReturns::Exits,
                Returned::Waits => MainReturns::Waits,
            },
            ..options
        }
    }
}
