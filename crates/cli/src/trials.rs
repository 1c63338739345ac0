//! Whether the values of inputs are tried one by one, or followed symbolically. Where a program
//! reads inputs of at most eight bits, searches of both kinds alternate, with growing limits, until
//! one ends within its limit.
//!
//! The limits count transitions, states, and the solver's work, so the same program is explored in
//! the same way in every run. Each search covers all values or says what it leaves out, so the last
//! one is right, whichever it is (`docs/internals/symbolic.md`).

use impasse_limits::{Cancel, StopReason};
use impasse_machine::base::options::Options;
use impasse_machine::system::{LeftOut, System};
use impasse_program::link::Program;
use impasse_search::{Outcome, Search, Verdict};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// What a search does with inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trial {
    /// It tries values one by one, up to about so many transitions.
    Values(u64),
    /// It follows inputs symbolically, up to so many states and so much of the solver's work. One
    /// thread searches: of several, the order of questions would decide which have an answer.
    Followed(u64, Duration),
}

/// The trials, in order. After the last one, values are tried without a limit.
const TRIALS: [Trial; 6] = [
    Trial::Values(1 << 12),
    Trial::Followed(1 << 11, Duration::from_secs(1)),
    Trial::Values(1 << 17),
    Trial::Followed(1 << 14, Duration::from_secs(20)),
    Trial::Values(MOST),
    Trial::Followed(1 << 20, Duration::from_secs(1000)),
];
/// How many transitions a search makes that tries values, where others follow all at once.
const MOST: u64 = 1 << 22;

/// Where a check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// In one of the [`TRIALS`].
    Trial(usize),
    /// The trials have decided that inputs are followed. Says whether [`MOST`] were tried in vain.
    Followed(bool),
    /// Following them gave no answer, so their values are tried.
    FallenBack,
    /// That ended at the limit.
    InVain,
    /// There is nothing to decide.
    Over,
}

/// The decision of a check what to do with inputs.
pub struct Trials {
    program: Arc<Program>,
    options: Options,
    cancel: Arc<Cancel>,
    /// The user's limit on states.
    max_states: Option<u64>,
    phase: Phase,
}

impl Trials {
    /// Returns the trials of a check that begins with this system. `are_possible` says whether its
    /// searches can follow inputs.
    pub fn of(system: &System, max_states: Option<u64>, are_possible: bool) -> Trials {
        Trials {
            program: Arc::clone(&system.program),
            options: system.options.clone(),
            cancel: Arc::clone(&system.cancel),
            max_states,
            phase: match are_possible && system.may_follow_inputs() {
                true => Phase::Trial(0),
                false => Phase::Over,
            },
        }
    }

    /// Returns a search with the limits that it has now.
    pub fn limit<'a, 's>(&self, search: Search<'a, &'s System>) -> Search<'a, &'s System> {
        let search = match self.max_states {
            Some(states) => search.max_states(states),
            None => search,
        };
        match self.phase {
            Phase::Trial(at) => match TRIALS[at] {
                Trial::Values(transitions) => search.max_inputs(transitions),
                Trial::Followed(states, _) => search.at_most(states).threads(NonZeroUsize::MIN),
            },
            Phase::FallenBack => search.max_inputs(MOST),
            Phase::Followed(_) | Phase::InVain | Phase::Over => search,
        }
    }

    /// Returns the system that is searched instead, where the search of this one has ended at a
    /// limit of its trial.
    pub fn next(&mut self, system: &System, outcome: &Outcome<&System>) -> Option<System> {
        let Phase::Trial(at) = self.phase else {
            return None;
        };
        let is_limited = match (TRIALS[at], &outcome.verdict) {
            (Trial::Values(_), Verdict::Stopped(StopReason::Inputs)) => true,
            (Trial::Values(_), _) => {
                self.phase = Phase::Over;
                return None;
            }
            (Trial::Followed(states, _), Verdict::Stopped(StopReason::States)) => {
                self.max_states.is_none_or(|most| most > states)
            }
            (Trial::Followed(..), Verdict::Exhausted) => {
                let terms = system.terms.as_ref();
                terms.is_some_and(|terms| terms.is_work_over()) && !outcome.omissions.is_empty()
            }
            (Trial::Followed(..), _) => false,
        };
        if !is_limited {
            system.terms.iter().for_each(|terms| terms.lift_limit());
            let is_tried = TRIALS[..at].contains(&Trial::Values(MOST));
            self.phase = Phase::Followed(is_tried);
            return None;
        }
        let first = self.first();
        if system.left_out() == Some(LeftOut::Inputs) {
            // Some inputs cannot be tried at all.
            self.phase = Phase::Over;
            return Some(first.after(Some(LeftOut::Inputs)));
        }
        self.phase = match at + 1 < TRIALS.len() {
            true => Phase::Trial(at + 1),
            false => Phase::Over,
        };
        match TRIALS.get(at + 1) {
            Some(Trial::Followed(_, work)) => {
                let system = first.after(Some(LeftOut::Inputs));
                system
                    .terms
                    .iter()
                    .for_each(|terms| terms.limit_work(*work));
                Some(system)
            }
            _ => Some(first),
        }
    }

    /// Notes the outcome of the last search. Returns the system that tries values, where inputs
    /// were followed and there is no answer, although no limit was reached.
    pub fn after(
        &mut self,
        system: &System,
        outcome: &Outcome<&System>,
        has_answer: bool,
    ) -> Option<System> {
        let stopped = match outcome.verdict {
            Verdict::Stopped(reason) => Some(reason),
            _ => None,
        };
        match self.phase {
            Phase::FallenBack if stopped == Some(StopReason::Inputs) => self.phase = Phase::InVain,
            Phase::Followed(false)
                if !has_answer && stopped.is_none() && system.terms.is_some() =>
            {
                self.phase = Phase::FallenBack;
                return Some(self.first());
            }
            _ => {}
        }
        None
    }

    /// Returns whether only the user limits the states of a search.
    pub fn leave_states_unlimited(&self) -> bool {
        match self.phase {
            Phase::Trial(at) => matches!(TRIALS[at], Trial::Values(_)),
            Phase::Followed(_) | Phase::FallenBack | Phase::InVain | Phase::Over => true,
        }
    }

    /// Returns whether trying values has ended at the limit as well.
    pub fn are_in_vain(&self) -> bool {
        self.phase == Phase::InVain
    }

    /// The system of the first search, without what searches have noted.
    fn first(&self) -> System {
        let system = System::new(Arc::clone(&self.program), self.options.clone());
        System {
            cancel: Arc::clone(&self.cancel),
            ..system.expect("the roots, which the first one has")
        }
    }
}
