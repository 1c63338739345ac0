//! Reports as JUnit XML: a test case for each, for what shows the results of tests.

use crate::human;
use crate::model::{Named, Verdict};
use crate::plain::plain;
use crate::rendering::Rendering;

/// Returns reports as a test suite of one test case each. A case fails for an error, and has an
/// error if the check is inconclusive; either holds the report for a person.
pub fn render(reports: &[Named], rendering: Rendering) -> String {
    let count = |verdict| {
        let of = reports.iter().filter(|it| it.report.verdict == verdict);
        of.count()
    };
    let (tests, failures, errors) = (
        reports.len(),
        count(Verdict::Error),
        count(Verdict::Inconclusive),
    );
    let seconds: f64 = reports.iter().map(|it| it.report.seconds).sum();
    let cases: String = reports.iter().map(|it| case(it, rendering)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n\
         <testsuite name=\"impasse\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"0\" time=\"{seconds:.3}\">\n\
         {cases}\
         </testsuite>\n\
         </testsuites>\n"
    )
}

fn case(named: &Named, rendering: Rendering) -> String {
    let report = &named.report;
    let text = escaped(&plain(&human::render(report, rendering)));
    let body = match (report.verdict, &report.error) {
        (Verdict::Verified, _) => format!("    <system-out>{text}</system-out>\n"),
        (Verdict::Error, Some(error)) => outcome("failure", &error.kind, &error.message, &text),
        (Verdict::Error, None) => outcome("failure", "error", "", &text),
        (Verdict::Inconclusive, _) => {
            let reason = report.reason.as_deref().unwrap_or(human::NOT_ALL);
            outcome("error", "inconclusive", reason, &text)
        }
    };
    let (name, seconds) = (escaped(&named.name), report.seconds);
    format!(
        "  <testcase name=\"{name}\" classname=\"impasse\" time=\"{seconds:.3}\">\n\
         {body}  </testcase>\n"
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
