//! Which search of a check comes after one that found nothing.

use impasse_machine::base::options::Clocks;
use impasse_machine::system::System;
use impasse_search::{Outcome, Verdict};

/// What another search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// This one may have missed something (`System::leaves_out`).
    More,
    /// It looked at a clock, but there were only some times.
    UnknownTime,
}

/// What another search is for, if one that found nothing needs it.
pub fn next_search(system: &System, outcome: &Outcome<&System>) -> Option<Next> {
    if !matches!(outcome.verdict, Verdict::Exhausted) {
        return None;
    }
    if system.leaves_out() {
        return Some(Next::More);
    }
    let is_complete = outcome.omissions.is_empty();
    (is_complete && system.options.clocks == Clocks::Moving).then_some(Next::UnknownTime)
}

/// Whether a search has an answer, and leaves nothing to another one.
pub fn is_final(system: &System, outcome: &Outcome<&System>) -> bool {
    !matches!(outcome.verdict, Verdict::Exhausted) || !system.leaves_out()
}
