//! A report as annotations of GitHub Actions: workflow commands, which GitHub shows beside the
//! lines of a change. The report in plain text follows, for the log.

use crate::human;
use crate::model::{Report, Verdict};
use crate::plain::{plain, steps};
use crate::rendering::Rendering;
use std::fmt::Write;

/// Returns a report as workflow commands, `::error …::MESSAGE`, and then as plain text. An error
/// becomes an error, everything that an inconclusive check left out a warning, and `verified` a
/// notice.
pub fn render(report: &Report, rendering: Rendering) -> String {
    let mut out = String::new();
    match (report.verdict, &report.error) {
        (Verdict::Error, Some(error)) => {
            let mut message = error.message.clone();
            for step in steps(report, rendering) {
                let _ = write!(message, "\n{step}");
            }
            let place = (error.file.as_str(), error.line, error.column);
            command(&mut out, "error", &error.kind, place, &message);
        }
        (Verdict::Verified, _) => {
            let message = human::no_error(report);
            command(&mut out, "notice", "verified", ("", 0, 0), &message);
        }
        _ => {
            let reason = report.reason.as_deref().unwrap_or(human::NOT_ALL);
            command(&mut out, "warning", "inconclusive", ("", 0, 0), reason);
        }
    }
    for omission in &report.omissions {
        let place = (omission.file.as_str(), omission.line, 0);
        command(&mut out, "warning", "left out", place, &omission.what);
    }
    for suppressed in &report.suppressed {
        let place = (suppressed.file.as_str(), suppressed.line, 0);
        let title = format!("suppressed {}", suppressed.kind);
        command(&mut out, "notice", &title, place, &suppressed.what);
    }
    for line in plain(&human::render(report, rendering)).lines() {
        let _ = writeln!(out, "{}", harmless(line));
    }
    out
}

/// A line that is no workflow command: texts of the checked program are not trusted.
fn harmless(line: &str) -> String {
    let line = line.replace("##[", "## [");
    match line.trim_start().starts_with("::") {
        true => format!("| {line}"),
        false => line,
    }
}

/// Writes one workflow command. An empty file and the line or column 0 stand for no place.
fn command(out: &mut String, level: &str, title: &str, place: (&str, u32, u32), message: &str) {
    let (file, line, column) = place;
    let _ = write!(out, "::{level} ");
    if !file.is_empty() {
        let _ = write!(out, "file={},", property(file));
        if line > 0 {
            let _ = write!(out, "line={line},");
        }
        if line > 0 && column > 0 {
            let _ = write!(out, "col={column},");
        }
    }
    let title = property(&format!("Impasse: {title}"));
    let _ = writeln!(out, "title={title}::{}", data(message));
}

/// A message, in which GitHub takes percent signs and line ends for its own.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
