//! What the forms of a report for programs take from the one for people.

use crate::model::Report;
use crate::rendering::{Rendering, thread_name};
use crate::trace;

/// Text without the escapes that colour it.
pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// The trace in short, one line a step.
pub(crate) fn steps(report: &Report, rendering: Rendering) -> Vec<String> {
    let lines = trace::lines(&report.trace, rendering).into_iter();
    lines
        .map(|line| {
            let (step, times) = (line.step, line.times);
            let place = match step.line {
                0 => step.function.clone(),
                number => format!("{}:{number}", step.file),
            };
            let often = if times > 1 {
                format!(" ({times} times)")
            } else {
                String::new()
            };
            let thread = thread_name(step.thread);
            format!("{}. {thread} at {place}: {}{often}", line.number, line.text)
        })
        .collect()
}
