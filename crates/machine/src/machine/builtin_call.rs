//! The call of a builtin that the present instruction is.

use crate::machine::builtin::Builtin;

/// The call of a builtin that the present instruction is.
#[derive(Clone, Copy, Default)]
pub(crate) struct BuiltinCall {
    /// The builtin that runs, or ran last.
    builtin: Option<&'static Builtin>,
    /// Whether it runs.
    runs: bool,
    /// Whether it leaves its thread's stores in flight.
    delays: bool,
}

impl BuiltinCall {
    /// A builtin is called. `delays` says whether it leaves its thread's stores in flight.
    pub(crate) fn begin(&mut self, builtin: &'static Builtin, delays: bool) {
        *self = BuiltinCall {
            builtin: Some(builtin),
            runs: true,
            delays,
        };
    }

    /// It returns, or halts.
    pub(crate) fn end(&mut self) {
        self.runs = false;
    }

    /// Returns the builtin that runs, or ran last.
    pub(crate) fn builtin(&self) -> Option<&'static Builtin> {
        self.builtin
    }

    /// Returns whether a builtin runs.
    pub(crate) fn runs(&self) -> bool {
        self.runs
    }

    /// Returns whether the builtin leaves its thread's stores in flight, and delays its own.
    pub(crate) fn delays(&self) -> bool {
        self.delays
    }
}
