//! Follows the path to an error again, in a program that may have changed since.
//!
//! A path is followed by its moves, not by ordinals: which thread moves, with which outcome. Where
//! nothing else can happen, the only move is made, whether or not the schedule has one; so a thread
//! may take more or fewer steps while it is alone. Where there is a choice, the thread must first
//! do what it did when the path was recorded, apart from values and lines. If it does not, the path
//! does not exist any more: to go on would be to follow another one.

use crate::findings::{Shown, follow, memory_model, with_fault, with_schedule, with_states};
use crate::walk::{Offer, Offers, Walk};
use crate::{fault, hang, slice, suppressed};
use impasse_limits::peak_memory;
use impasse_machine::base::fault::{Fault, Omission};
use impasse_machine::base::section_type::SectionType;
use impasse_machine::machine::names::thread_name;
use impasse_machine::state::section::Section;
use impasse_machine::system::System;
use impasse_report::rendering::grouped;
use impasse_report::{Move, ReplayOutcome, Replayed, Report, SectionReport, Verdict};
use impasse_search::hang_region;
use impasse_transition_system::{Emission, HangRegion, Key, TransitionSystem};
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;

/// States of a region that are expanded, at most, to find out whether a hang is still one.
const LIMIT: usize = 200_000;

/// What is said of a path that leads to no error any more.
const NO_ERROR: &str = "the path leads to no error; other paths may (impasse check)";

/// Follows the path of a recorded error in a system, and returns a report that is filled into one
/// that says what was looked for. It is never a proof.
pub fn report_of_replay(system: &System, recorded: &Report, blank: Report, shown: Shown) -> Report {
    let moves = recorded.replay.as_ref().map_or(&[][..], |it| &it.moves);
    if moves.iter().any(|it| it.drains) {
        // The search that recorded them had seen one, or delays stores.
        system.spurious_failure_seen.store(true, Relaxed);
    }
    let mut follower = Follower::new(system, moves, recorded);
    let end = follower.follow();
    let blank = Report {
        memory_model: memory_model(system),
        transitions: follower.walk.path().ordinals().len() as u64,
        peak_memory_bytes: peak_memory(),
        ..blank
    };
    let mut report = follower.report(end, blank, shown);
    report.suppressed = suppressed::suppressed(system);
    report
}

/// Where following a path ended.
enum End {
    /// At an error.
    Fault(Fault),
    /// At a state from which a section cannot end.
    Hang(Key, HangRegion),
    /// At the end of the path, without an error.
    NoError,
    /// At the end of the path, with no answer: why.
    Unknown(String),
    /// Before its end: why.
    Gone(String),
}

struct Follower<'s, 'm> {
    system: &'s System,
    walk: Walk<'s>,
    recorded: &'m Report,
    /// The moves that are left.
    moves: &'m [Move],
    /// The states that were passed since the last move of the schedule.
    passed: HashSet<Vec<u8>>,
}

impl<'s, 'm> Follower<'s, 'm> {
    fn new(system: &'s System, moves: &'m [Move], recorded: &'m Report) -> Self {
        Follower {
            system,
            walk: Walk::new(system),
            recorded,
            moves,
            passed: HashSet::new(),
        }
    }

    /// Follows the schedule to its end, and from there what must happen.
    fn follow(&mut self) -> End {
        loop {
            if self.system.cancel.is_cancelled() {
                return End::Unknown("the replay was stopped".into());
            }
            if self.moves.is_empty()
                && let Some(end) = self.hang()
            {
                return end;
            }
            let mut offers = self.walk.offers();
            if self.moves.first().is_some_and(|next| next.drains) {
                let drains = self.walk.drains(&offers);
                offers.all.extend(drains);
            }
            let index = match self.choose(&offers) {
                Ok(index) => index,
                Err(end) => return end,
            };
            let offer = offers.all.swap_remove(index);
            if let Emission::Fault(fault) = &offer.emission {
                let fault = fault.clone();
                self.walk.take(offer);
                return End::Fault(fault);
            }
            self.walk.take(offer);
            let state = self.walk.state.clone().unwrap_or_default();
            if !self.passed.insert(state) {
                let why = "from there on, the same states follow each other forever";
                return match self.moves {
                    [] => End::Unknown(why.into()),
                    _ => End::Gone(why.into()),
                };
            }
        }
    }

    /// The index of the transition to take.
    fn choose(&mut self, offers: &Offers<'s>) -> Result<usize, End> {
        let Some(next) = self.moves.first() else {
            return match (&offers.all[..], &offers.omitted) {
                ([_], None) => Ok(0),
                (_, None) => Err(End::NoError),
                (_, Some(omitted)) => Err(End::Unknown(self.unsupported(omitted))),
            };
        };
        let wanted = |offer: &Offer<'_>| is_as_recorded(&offer.step, next);
        if let Some(index) = offers.all.iter().position(wanted) {
            self.made_one();
            return Ok(index);
        }
        match &offers.all[..] {
            [] => Err(match &offers.omitted {
                Some(omitted) => End::Unknown(self.unsupported(omitted)),
                None => End::Gone(format!("the program ends there{}", instead(next))),
            }),
            // What the thread does where it is alone does not matter.
            [only] if next.only => {
                let same_thread = only.step.thread == next.thread;
                if same_thread || next.thread.is_none() {
                    self.made_one();
                }
                Ok(0)
            }
            [_] => Ok(0),
            _ if next.only => {
                self.made_one();
                self.choose(offers)
            }
            _ => Err(End::Gone(self.differs(offers, next))),
        }
    }

    fn made_one(&mut self) {
        self.moves = &self.moves[1..];
        self.passed.clear();
    }

    fn unsupported(&self, omitted: &Omission) -> String {
        let reason = fault::reason(self.system, omitted);
        format!(
            "not supported: {} ({}:{})",
            reason.what, reason.file, reason.line
        )
    }

    /// Whether the recorded hang is one in the present state; no answer if no section like its own
    /// is open, or all can end.
    fn hang(&mut self) -> Option<End> {
        let recorded = self.recorded.error.as_ref()?.hang.as_ref()?;
        let state = self.walk.state.clone()?;
        let mut worker = self.system.worker();
        worker.let_time_pass();
        let mut open = Vec::new();
        self.system.open_sections(&mut worker, &state, &mut open);
        open.retain(|key| self.is_of(*key, recorded.section.as_ref()));
        let regions = open.into_iter().filter_map(|key| {
            let region = hang_region(&self.system, &mut worker, &state, key, LIMIT)?;
            Some((key, region))
        });
        let (complete, cut): (Vec<_>, Vec<_>) = regions.partition(|(_, region)| region.complete);
        match (complete.into_iter().next(), cut.is_empty()) {
            (Some((key, region)), _) => Some(End::Hang(key, region)),
            (None, true) => None,
            (None, false) => Some(End::Unknown(format!(
                "the section cannot end in the first {} states that follow, but there are more",
                grouped(LIMIT as u64)
            ))),
        }
    }

    /// Whether a section is like the recorded one.
    fn is_of(&self, key: Key, recorded: Option<&SectionReport>) -> bool {
        let section = Section::from_key(key);
        let Some(recorded) = recorded else {
            return section == Section::Program;
        };
        let thread = section.thread().map(|it| self.walk.reported(it));
        let kind = section.kind().map(SectionType::name);
        kind == Some(&recorded.kind) && thread == Some(recorded.thread)
    }

    /// Why a thread cannot make the next move of the schedule.
    fn differs(&mut self, offers: &Offers<'s>, next: &Move) -> String {
        let Some(thread) = next.thread else {
            return "threads can continue; in the recorded path none can".into();
        };
        let name = thread_name(thread);
        let mut own = offers.all.iter().filter(|it| it.step.thread == next.thread);
        let Some(first) = own.next() else {
            return match self.walk.why_stuck(thread) {
                Some(why) => format!("{name} {why}{}", instead(next)),
                None => format!("{name} does not move{}", instead(next)),
            };
        };
        let same = own.find(|it| it.step.outcome == next.outcome);
        let now = match next.outcome {
            0 => Some(first),
            _ => same,
        };
        match now.and_then(|it| Some((it.step.action.as_ref()?, &it.step))) {
            Some((action, step)) => format!("{name} {action}{}{}", at(step), instead(next)),
            None => format!("{name} has fewer outcomes{}", instead(next)),
        }
    }

    fn report(&self, end: End, blank: Report, shown: Shown) -> Report {
        let (system, path) = (self.system, self.walk.path());
        let report = match &end {
            End::Fault(fault) => with_fault(system, fault, &path, blank, shown),
            End::Hang(key, region) => {
                let (replay, report) = follow(system, &path, blank, shown);
                let error = Some(hang::error(system, *key, region, &replay));
                let mut report = Report { error, ..report };
                slice::keep_what_is_named(&mut report);
                with_states(system, &path, Some(region), report, shown)
            }
            End::NoError | End::Unknown(_) | End::Gone(_) => self.without_error(blank, shown),
        };
        let (outcome, text) = match end {
            End::Fault(_) | End::Hang(..) => self.compared(&report),
            End::NoError => (ReplayOutcome::NoError, NO_ERROR.into()),
            End::Unknown(why) => (ReplayOutcome::Unknown, why),
            End::Gone(why) => (ReplayOutcome::NoPath, why),
        };
        let replayed = Some(Replayed { outcome, text });
        with_schedule(system, Report { replayed, ..report })
    }

    /// Whether the error of a report is the recorded one, and that in words.
    fn compared(&self, report: &Report) -> (ReplayOutcome, String) {
        let (Some(now), Some(before)) = (&report.error, &self.recorded.error) else {
            return (ReplayOutcome::OtherError, String::new());
        };
        let same = now.kind == before.kind
            && without_lines(&now.message) == without_lines(&before.message);
        match same {
            true => (ReplayOutcome::SameError, "the error still occurs".into()),
            false => {
                let text = format!(
                    "the path now leads to this error; it was {}: {}",
                    before.kind, before.message
                );
                (ReplayOutcome::OtherError, text)
            }
        }
    }

    /// A report of the steps that were taken, which lead to no error.
    fn without_error(&self, blank: Report, shown: Shown) -> Report {
        let (_, report) = follow(self.system, &self.walk.path(), blank, shown);
        Report {
            verdict: Verdict::Inconclusive,
            path: None,
            ..report
        }
    }
}

/// Whether a transition is the one that a move was recorded of. What is done where nothing else can
/// happen does not matter.
pub(crate) fn is_as_recorded(now: &Move, recorded: &Move) -> bool {
    let is_same_choice = (now.thread, now.outcome, now.drains)
        == (recorded.thread, recorded.outcome, recorded.drains);
    let does_the_same = || match (&now.action, &recorded.action) {
        (Some(now), Some(before)) => without_lines(now) == without_lines(before),
        _ => true,
    };
    is_same_choice && now.only == recorded.only && (now.only || does_the_same())
}

/// A text without the numbers of lines, which change where nothing else does.
fn without_lines(text: &str) -> String {
    let mut out = String::new();
    let mut is_line = false;
    for c in text.chars() {
        is_line = c == ':' || (is_line && c.is_ascii_digit());
        if !(is_line && c.is_ascii_digit()) {
            out.push(c);
        }
    }
    out
}

fn at(step: &Move) -> String {
    match step.line {
        0 => String::new(),
        line => format!(" ({}:{line})", step.file),
    }
}

/// What a thread does in the recorded path instead.
fn instead(recorded: &Move) -> String {
    let thread = recorded.thread.map(thread_name).unwrap_or_default();
    match &recorded.action {
        Some(action) => format!("; in the recorded path, {thread} {action}{}", at(recorded)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_count() {
        assert_eq!(
            without_lines("locked at a.c:12)"),
            without_lines("locked at a.c:7)")
        );
        assert_ne!(
            without_lines("thread 1 ends"),
            without_lines("thread 2 ends")
        );
    }
}
