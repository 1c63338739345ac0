//! Where a process has to be, so that what it shows is the error of a path and no other one.

use crate::places::full;
use crate::protocol::Failure;
use crate::states::{At, Exit};
use impasse_diagnose::order::Place;
use impasse_report::{ErrorReport, Frame, Spot, ThreadStatus};

/// Returns whether an error lies at a place; without one, whether it lies in no code of the
/// program's own.
pub fn is_at(error: &ErrorReport, place: Option<&Place>) -> bool {
    let stack = error.threads.first().map(|thread| &thread.stack[..]);
    let has_own = stack.is_none_or(|stack| stack.iter().any(is_own));
    match place.and_then(|place| place.spot.as_ref()) {
        Some(spot) => has_own && *spot == full_spot(&spot_of(error)),
        None => !has_own,
    }
}

/// Returns whether a failure is of the kind of an error.
pub fn fits_failure(kind: &str, failure: Failure) -> bool {
    match failure {
        Failure::Assertion => kind == "assertion",
        Failure::OutOfBounds => matches!(kind, "out-of-bounds" | "invalid-pointer"),
        Failure::UseAfterFree => kind == "use-after-free",
        Failure::DoubleFree => matches!(kind, "double-free" | "invalid-free"),
        Failure::InvalidFree => matches!(kind, "invalid-free" | "double-free"),
        Failure::Mutex => kind == "mutex-misuse",
        Failure::Thread => kind == "thread-misuse",
        Failure::UseAfterReturn => kind == "use-after-return",
        Failure::Overflow => kind == "signed-overflow",
        Failure::Division => kind == "division-by-zero",
        Failure::Shift => kind == "invalid-shift",
        Failure::Unreachable => kind == "unreachable",
        Failure::Call => kind == "invalid-call",
        Failure::Leak => kind == "memory-leak",
    }
}

/// Returns whether a process that has ended so has done so where the error lies. The end of a
/// process with an exit code has no place.
pub fn ends_at(error: &ErrorReport, exit: Exit, place: Option<&Place>) -> bool {
    match exit {
        Exit::Code(code) => error.message.ends_with(&format!("code {code}")),
        Exit::Signal(_) => is_at(error, place),
        // How deep a stack is depends on the size of its frames.
        Exit::StackOverflow => is_in_stack(error, place),
    }
}

/// Whether a place is that of a frame of the thread that failed.
fn is_in_stack(error: &ErrorReport, place: Option<&Place>) -> bool {
    let Some(spot) = place.and_then(|place| place.spot.as_ref()) else {
        return false;
    };
    let stack = error.threads.first().map(|thread| &thread.stack[..]);
    let own = stack.unwrap_or_default().iter().filter(|it| is_own(it));
    let lines = own.filter(|frame| frame.line == spot.line);
    lines
        .map(|frame| full_spot(&spot_of_frame(frame)))
        .any(|it| it == *spot)
}

/// Returns the places of the other access that the message of a data race names, if it names any.
pub fn other_accesses(error: &ErrorReport) -> Vec<Spot> {
    let words = error.message.split_whitespace();
    let named = words.filter_map(|word| {
        let word = word.trim_matches([',', '.', ';', '(', ')']);
        let (file, line) = word.rsplit_once(':')?;
        let line = line.parse().ok()?;
        Some(full_spot(&Spot {
            file: file.into(),
            line,
        }))
    });
    named.collect()
}

/// Returns whether a place is one of some, or none are known.
pub fn is_one_of(spots: &[Spot], place: Option<&Place>) -> bool {
    let spot = place.and_then(|place| place.spot.as_ref());
    spots.is_empty() || spot.is_some_and(|spot| spots.contains(spot))
}

/// Where a thread stays in a hang.
pub struct Stay {
    /// The thread.
    pub thread: u32,
    /// Whether it has ended.
    has_ended: bool,
    /// Files, each with the first and the last of the lines.
    lines: Vec<(String, u32, u32)>,
}

impl Stay {
    /// Returns where the threads stay that a hang keeps: the one whose section cannot end or, if
    /// it is the program as a whole, all that have not ended.
    pub fn of(error: &ErrorReport) -> Vec<Stay> {
        let hang = error.hang.as_ref();
        let Some(hang) = hang.filter(|hang| !hang.region.threads.is_empty()) else {
            let own = |stack: &[Frame]| stack.iter().find(|it| is_own(it)).map(spot_of_frame);
            let threads = error.threads.iter();
            let stays = threads.map(|it| Stay::at(it.thread, false, own(&it.stack).as_slice()));
            return stays.collect();
        };
        let of_section = hang.section.as_ref().map(|it| it.thread);
        let kept = hang.region.threads.iter().filter(|it| match of_section {
            Some(thread) => it.thread == thread,
            None => it.state != ThreadStatus::Ended,
        });
        kept.map(|it| Stay::at(it.thread, it.state == ThreadStatus::Ended, &it.places))
            .collect()
    }

    fn at(thread: u32, has_ended: bool, spots: &[Spot]) -> Stay {
        let mut lines: Vec<(String, u32, u32)> = Vec::new();
        for Spot { file, line } in spots.iter().map(full_spot) {
            match lines.iter_mut().find(|(known, ..)| *known == file) {
                Some((_, first, last)) => (*first, *last) = (line.min(*first), line.max(*last)),
                None => lines.push((file, line, line)),
            }
        }
        Stay {
            thread,
            has_ended,
            lines,
        }
    }

    /// Returns whether a thread that is there has not left.
    pub fn contains(&self, at: Option<&At>) -> bool {
        let place = match at {
            Some(At::Arrival(arrival)) => arrival.place.as_ref(),
            Some(At::Blocked { place, .. }) => place.as_ref(),
            Some(At::Ended) => return self.has_ended,
            None => return false,
            Some(At::Start | At::Silent) => None,
        };
        let spot = place.and_then(|place| place.spot.as_ref());
        self.lines.is_empty()
            || spot.is_none_or(|spot| {
                let mut of_file = self.lines.iter().filter(|(file, ..)| *file == spot.file);
                of_file.any(|&(_, first, last)| (first..=last).contains(&spot.line))
            })
    }
}

fn is_own(frame: &Frame) -> bool {
    !frame.library && frame.line > 0
}

fn spot_of(error: &ErrorReport) -> Spot {
    Spot {
        file: error.file.clone(),
        line: error.line,
    }
}

fn spot_of_frame(frame: &Frame) -> Spot {
    Spot {
        file: frame.file.clone(),
        line: frame.line,
    }
}

fn full_spot(spot: &Spot) -> Spot {
    let place = full(&Place {
        spot: Some(spot.clone()),
        column: 0,
    });
    place.spot.unwrap_or_else(|| spot.clone())
}
