//! A report as JUnit XML: one test case, for what shows the results of tests.

use crate::human;
use crate::model::{Report, Verdict};
use crate::plain::plain;
use crate::rendering::Rendering;

/// Returns a report as a test suite of one test case, the check of the program `name`. The case
/// fails for an error, and has an error if the check is inconclusive; either holds the report for a
/// person.
pub fn render(report: &Report, name: &str, rendering: Rendering) -> String {
    let text = escaped(&plain(&human::render(report, rendering)));
    let (failures, errors, body) = match (report.verdict, &report.error) {
        (Verdict::Verified, _) => (0, 0, format!("    <system-out>{text}</system-out>\n")),
        (Verdict::Error, Some(error)) => {
            (1, 0, outcome("failure", &error.kind, &error.message, &text))
        }
        _ => {
            let reason = report.reason.as_deref().unwrap_or(human::NOT_ALL);
            (0, 1, outcome("error", "inconclusive", reason, &text))
        }
    };
    let (name, seconds) = (escaped(name), report.seconds);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n\
         <testsuite name=\"impasse\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"0\" time=\"{seconds:.3}\">\n  \
         <testcase name=\"{name}\" classname=\"impasse\" time=\"{seconds:.3}\">\n\
         {body}  </testcase>\n\
         </testsuite>\n\
         </testsuites>\n"
    )
}

/// What a test case that did not pass holds; `text` is escaped.
fn outcome(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (kind, message) = (escaped(kind), escaped(message));
    format!("    <{element} type=\"{kind}\" message=\"{message}\">{text}</{element}>\n")
}

/// Text for XML, without the control characters that XML does not have.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
