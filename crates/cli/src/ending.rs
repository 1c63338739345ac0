//! How a program ends: options.

use clap::{Args, ValueEnum};
use impasse_machine::base::options::{ExitCodes, MainReturns, OnAbort, Options};

/// How the program may end.
#[derive(Args, Clone, Copy)]
pub struct Ending {
    /// Exit codes that are not errors.
    #[arg(long, value_enum, default_value_t = Codes::Zero)]
    exit_code: Codes,
    /// Meaning of a call of abort().
    #[arg(long, value_enum, default_value_t = Abort::Error)]
    abort: Abort,
    /// Effect of the return of main while other threads run.
    #[arg(long, value_enum, default_value_t = Returned::Exits)]
    main_returns: Returned,
}

#[derive(Clone, Copy, ValueEnum)]
enum Codes {
    /// Only 0.
    Zero,
    /// Every exit code.
    Any,
}

#[derive(Clone, Copy, ValueEnum)]
enum Abort {
    /// It is an error.
    Error,
    /// The execution is ignored, as after an assumption that does not hold.
    Prune,
}

#[derive(Clone, Copy, ValueEnum)]
enum Returned {
    /// The program exits.
    Exits,
    /// The program waits for all threads, as if main had called pthread_exit.
    Waits,
}

impl Ending {
    /// Returns the machine's options, with what concerns the end of the program replaced by these.
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
