//! The lines in which a person reads a trace: steps that repeat are one line, and so is all that a
//! library does for a line of the program.

mod repeats;

use crate::model::Step;
use crate::rendering::Rendering;
use std::ops::Range;

/// A line of a trace.
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// That step.
    pub step: &'a Step,
    /// What happens.
    pub text: String,
    /// How often, one after the other.
    pub times: usize,
    /// Whether the error depends on nothing of it.
    pub is_minor: bool,
    /// The indices of the lines that it repeats as a part of, if it does: an iteration of a loop.
    pub repeats: Option<Range<usize>>,
}

/// Runs of this many lines of the start-up are not shown.
const LONGEST_RUN: usize = 3;

/// If more operations than this are left of the start-up, only its choices are shown.
const MOST_OPERATIONS: usize = 8;

/// The lines of a trace.
pub(crate) fn lines(steps: &[Step], rendering: Rendering) -> Vec<Line<'_>> {
    let apart = |step: &Step| rendering.library_frames || !step.library;
    let same_place = |a: &Step, b: &Step| {
        let place = |s: &Step| (s.thread, s.line);
        !apart(a) && !apart(b) && place(a) == place(b)
    };
    let mut lines: Vec<Line<'_>> = Vec::new();
    for run in steps.chunk_by(same_place) {
        let step = &run[0];
        let text = match apart(step) {
            true => Some(step.text.clone()),
            false => what_the_library_does(run),
        };
        if let Some(text) = text {
            let what = |step: &Step| (step.thread, step.line, step.function.clone());
            match lines.last_mut() {
                Some(last)
                    if !rendering.whole_trace
                        && last.text == text
                        && what(last.step) == what(step) =>
                {
                    // Several steps that a library makes are one thing that is done.
                    last.times += if apart(step) { 1 } else { 0 };
                    last.is_minor &= run.iter().all(|step| step.minor);
                }
                _ => {
                    let number = lines.len() + 1;
                    lines.push(Line {
                        number,
                        step,
                        text,
                        times: 1,
                        is_minor: run.iter().all(|step| step.minor),
                        repeats: None,
                    })
                }
            }
        }
    }
    if !rendering.whole_trace {
        repeats::note(&mut lines);
    }
    lines
}

/// How many lines only set up what follows: those before the first other thread starts.
pub(crate) fn start_up(lines: &[Line<'_>]) -> usize {
    let starts = |line: &Line<'_>| line.text.starts_with("starts thread");
    lines.iter().position(starts).unwrap_or(0)
}

/// When a trace is long.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// With more lines than this, those on which the error does not depend are not shown.
    pub usual: usize,
    /// So many lines are shown at most.
    pub most: usize,
}

/// The indices of the lines that are shown: all, or of the start-up only choices, operations and
/// short runs of others, and of the rest, if it is long, those on which the error depends; and of
/// lines that repeat others none.
pub(crate) fn shown(lines: &[Line<'_>], rendering: Rendering, limits: Limits) -> Vec<usize> {
    if rendering.whole_trace {
        return (0..lines.len()).collect();
    }
    let action = |line: usize| lines[line].step.action.as_str();
    let is_plain = |line: usize| {
        matches!(
            action(line),
            "read" | "write" | "assign" | "output" | "allocate" | "free"
        )
    };
    let start = start_up(lines);
    let repeats = |line: &usize| lines[*line].repeats.is_some();
    let setup: Vec<usize> = (0..start).filter(|line| !repeats(line)).collect();
    let runs = setup.chunk_by(|&a, &b| is_plain(a) == is_plain(b));
    let kept = runs.filter(|run| !is_plain(run[0]) || run.len() < LONGEST_RUN);
    let mut shown: Vec<usize> = kept.flatten().copied().collect();
    if shown.len() > MOST_OPERATIONS {
        shown.retain(|&line| matches!(action(line), "choice" | "fail"));
    }
    shown.extend((start..lines.len()).filter(|line| !repeats(line)));
    if shown.len() > limits.usual {
        shown.retain(|&line| !lines[line].is_minor);
    }
    let most = limits.most;
    if shown.len() > most {
        shown.drain(most / 3..shown.len() - (most - most / 3));
    }
    shown
}

/// Why some lines, one after the other, are not shown.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Gap {
    /// They set up what follows.
    StartUp,
    /// The error depends on none of them.
    Minor,
    /// They repeat the lines with these indices, which are shown, so many times.
    Repeats(Range<usize>, usize),
    /// The trace would be too long.
    TooLong,
}

/// The gaps before each line of `shown`, and after the last: the lines that are left out, and why.
pub(crate) fn gaps(lines: &[Line<'_>], shown: &[usize]) -> Vec<(Range<usize>, Gap)> {
    let start = start_up(lines);
    let repeated = |line: usize| {
        let of = lines[line].repeats.as_ref();
        of.filter(|of| {
            let first = shown.partition_point(|&line| line < of.start);
            shown.get(first).is_some_and(|line| of.contains(line))
        })
    };
    let mut gaps = Vec::new();
    let mut next = 0;
    for &end in shown.iter().chain([&lines.len()]) {
        let left_out: Vec<usize> = (next..end).collect();
        for part in left_out.chunk_by(|&a, &b| repeated(a) == repeated(b)) {
            let gap = match repeated(part[0]) {
                Some(of) => Gap::Repeats(of.clone(), part.len() / of.len()),
                None if end <= start => Gap::StartUp,
                None if part.iter().all(|&line| lines[line].is_minor) => Gap::Minor,
                None => Gap::TooLong,
            };
            gaps.push((part[0]..part[0] + part.len(), gap));
        }
        next = end + 1;
    }
    gaps
}

/// What a library does in some steps, by what the program has a name for; or else, which function
/// of C's library was called.
fn what_the_library_does(run: &[Step]) -> Option<String> {
    let mut named: Vec<&str> = Vec::new();
    for name in run.iter().filter_map(|step| step.part_of.as_deref()) {
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let changes = |step: &Step| step.part_of.is_some() && step.action != "read";
    let verb = match run.iter().any(changes) {
        true => "changes",
        false => "reads",
    };
    match named.as_slice() {
        [] => {
            let is_of_c = |call: &&String| !call.contains(':') && !call.starts_with("__");
            let call = run[0].call.as_ref().filter(is_of_c);
            call.map(|call| format!("calls {call}"))
        }
        _ => Some(format!("{verb} {}", named.join(" and "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(line: u32, action: &str, variable: &str, part_of: Option<&str>) -> Step {
        Step {
            thread: 0,
            transition: 0,
            function: "main".into(),
            file: "a.cpp".into(),
            line,
            action: action.into(),
            variable: Some(variable.into()),
            value: None,
            old: None,
            object: None,
            library: part_of.is_some(),
            call: part_of.map(|_| if line == 5 { "write" } else { "std::f" }.into()),
            part_of: part_of.map(str::to_owned).filter(|name| !name.is_empty()),
            minor: false,
            text: format!("{action}s {variable}"),
        }
    }

    fn texts(steps: &[Step], rendering: Rendering) -> Vec<(usize, String, usize)> {
        let lines = lines(steps, rendering).into_iter();
        lines.map(|l| (l.number, l.text, l.times)).collect()
    }

    #[test]
    fn the_start_up_is_short() {
        let mut steps: Vec<Step> = (1..=5).map(|line| step(line, "write", "n", None)).collect();
        steps.push(step(6, "choice", "c", None));
        steps.push(step(7, "read", "n", None));
        let alone = lines(&steps, Rendering::default());
        let limits = |usual, most| Limits { usual, most };
        let usual = limits(60, 300);
        assert_eq!(shown(&alone, Rendering::default(), usual).len(), 7);
        let mut start = step(8, "operation", "", None);
        start.text = "starts thread 1".into();
        steps.push(start);
        let mut other = step(9, "write", "n", None);
        other.thread = 1;
        steps.push(other);
        let both = lines(&steps, Rendering::default());
        assert_eq!(start_up(&both), 7);
        assert_eq!(shown(&both, Rendering::default(), usual), [5, 6, 7, 8]);
        assert_eq!(shown(&both, Rendering::default(), limits(3, 3)), [5, 7, 8]);
        let whole = Rendering {
            whole_trace: true,
            library_frames: false,
        };
        assert_eq!(shown(&both, whole, limits(3, 3)).len(), 9);
        let many = (0..9).map(|line| step(line, "operation", "", None));
        let steps: Vec<Step> = many.chain(steps).collect();
        let long = lines(&steps, Rendering::default());
        assert_eq!(shown(&long, Rendering::default(), usual), [14, 16, 17]);
    }

    #[test]
    fn steps_on_which_nothing_depends_are_left_out_of_a_long_trace() {
        let mut steps: Vec<Step> = (1..=6).map(|line| step(line, "write", "n", None)).collect();
        for (n, step) in steps.iter_mut().enumerate() {
            step.thread = 1;
            step.minor = n % 2 == 0;
        }
        let all = lines(&steps, Rendering::default());
        let shown = |usual| {
            let limits = Limits { usual, most: 300 };
            shown(&all, Rendering::default(), limits)
        };
        assert_eq!(shown(6), [0, 1, 2, 3, 4, 5]);
        assert_eq!(shown(5), [1, 3, 5]);
    }

    #[test]
    fn what_a_loop_repeats_is_left_out() {
        let iteration = || {
            [
                step(2, "operation", "a", None),
                step(3, "operation", "b", None),
            ]
        };
        let mut steps = vec![step(1, "write", "n", None)];
        steps.extend((0..5).flat_map(|_| iteration()));
        steps.push(step(2, "operation", "a", None));
        let folded = lines(&steps, Rendering::default());
        let limits = Limits {
            usual: 60,
            most: 300,
        };
        let some = shown(&folded, Rendering::default(), limits);
        assert_eq!(some, [0, 1, 2, 11]);
        assert_eq!(gaps(&folded, &some), [(3..11, Gap::Repeats(1..3, 4))]);
        assert_eq!(gaps(&folded, &[0, 11]), [(1..11, Gap::TooLong)]);
    }

    #[test]
    fn what_a_library_does_is_one_line() {
        let steps = [
            step(1, "read", "n", None),
            step(1, "read", "n", None),
            step(2, "read", "v.__end_", Some("v")),
            step(2, "write", "some bytes", Some("")),
            step(2, "write", "v.__end_", Some("v")),
            step(3, "read", "v.__begin_", Some("v")),
            step(4, "write", "some bytes", Some("")),
            step(4, "write", "n", None),
            step(5, "write", "some bytes", Some("")),
        ];
        let line = |number, text: &str, times| (number, text.to_owned(), times);
        assert_eq!(
            texts(&steps, Rendering::default()),
            [
                line(1, "reads n", 2),
                line(2, "changes v", 1),
                line(3, "reads v", 1),
                line(4, "writes n", 1),
                line(5, "calls write", 1),
            ]
        );
        let rendering = Rendering {
            whole_trace: true,
            library_frames: true,
        };
        assert_eq!(texts(&steps, rendering).len(), steps.len());
    }
}
