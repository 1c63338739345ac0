//! Several checks as one page, which needs no network: a table of them, and the explorer of each
//! that has an error.

use super::{embeddable, escape, page};
use crate::model::{Named, Report, Verdict};
use crate::rendering::grouped;

const STYLE: &str = include_str!("overview.css");
const SCRIPT: &str = include_str!("overview.js");

/// Returns the page for checks.
pub fn overview(checks: &[Named]) -> String {
    let rows: String = checks.iter().enumerate().map(row).collect();
    let pages: Vec<Option<String>> = checks.iter().map(explored).collect();
    let pages = serde_json::to_string(&pages).expect("texts");
    let title = summary(checks);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n\
         <header><button id=\"back\" hidden>all checks</button><h1>{title}</h1></header>\n\
         <main><table><thead><tr><th>check</th><th>verdict</th><th>what was found</th></tr></thead>\
         <tbody>{rows}</tbody></table></main>\n<iframe title=\"The error\" hidden></iframe>\n\
         <script type=\"application/json\" id=\"pages\">{}</script>\n\
         <script>{SCRIPT}</script></body></html>\n",
        embeddable(&pages)
    )
}

/// How many checks have which verdict.
fn summary(checks: &[Named]) -> String {
    let count = |verdict| {
        checks
            .iter()
            .filter(|it| it.report.verdict == verdict)
            .count()
    };
    let of = |verdict, name: &str| match count(verdict) {
        0 => None,
        count => Some(format!("{count} {name}")),
    };
    let parts = [
        of(Verdict::Error, "with errors"),
        of(Verdict::Inconclusive, "inconclusive"),
        of(Verdict::Verified, "verified"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let checks = match checks.len() {
        1 => "1 check".to_owned(),
        count => format!("{count} checks"),
    };
    format!("{checks}: {}", parts.join(", "))
}

/// The explorer of a check, if it has an error and a trace.
fn explored(check: &Named) -> Option<String> {
    let report = &check.report;
    let is_shown = report.error.is_some() && report.exploration.is_some();
    is_shown.then(|| page(check))
}

fn row((number, check): (usize, &Named)) -> String {
    let report = &check.report;
    let name = escape(&check.name);
    let name = match explored(check) {
        Some(_) => format!("<a href=\"#check={number}\">{name}</a>"),
        None => name,
    };
    let verdict = match report.verdict {
        Verdict::Error => "error",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Verified => "verified",
    };
    let found = escape(&found(report));
    format!("<tr class=\"{verdict}\"><td>{name}</td><td><b>{verdict}</b></td><td>{found}</td></tr>")
}

/// What a check has found, in words.
fn found(report: &Report) -> String {
    if let Some(error) = &report.error {
        let place = match error.line {
            0 => String::new(),
            line => format!(" at {}:{line}", error.file),
        };
        return format!("{}{place}: {}", error.kind, error.message);
    }
    match report.reason.as_deref().and_then(|it| it.lines().next()) {
        Some(reason) => reason.to_owned(),
        None => format!("{} states", grouped(report.states)),
    }
}

#[cfg(test)]
mod tests {
    use super::overview;
    use crate::model::{Named, Report, Verdict};

    #[test]
    fn checks_are_listed_with_what_was_found() {
        let check = |name: &str, verdict, reason: Option<&str>| Named {
            name: name.into(),
            report: Report {
                verdict,
                reason: reason.map(str::to_owned),
                states: 1234,
                ..Report::blank()
            },
        };
        let checks = [
            check("a<b", Verdict::Verified, None),
            check("c", Verdict::Inconclusive, Some("time is up\nand more")),
        ];
        let page = overview(&checks);
        assert!(page.contains("<h1>2 checks: 1 inconclusive, 1 verified</h1>"));
        assert!(page.contains("<td>a&lt;b</td><td><b>verified</b></td><td>1,234 states</td>"));
        assert!(page.contains("<td>c</td><td><b>inconclusive</b></td><td>time is up</td>"));
        assert!(page.contains("id=\"pages\">[null,null]</script>"));
    }
}
