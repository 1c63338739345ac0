//! The explorer: one page, which needs no network, with the source, the timeline of the path to an
//! error, and the state at each step.
//!
//! The page holds a report as JSON, and the sources that it names. `page.js` shows it: `data.js`
//! computes the state at a step from the differences between states, blocked stretches and arrows;
//! `timeline.js`, `source.js` and `state.js` draw the three panes.

mod overview;

use crate::model::{Named, Report};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("data.js"),
    include_str!("source.js"),
    include_str!("timeline.js"),
    include_str!("state.js"),
    include_str!("page.js"),
];

/// Source files that are longer than this, in bytes, are left out.
const LONGEST_SOURCE: u64 = 1 << 20;

pub use overview::overview;

/// What the page holds.
#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    report: &'a Report,
    sources: BTreeMap<&'a str, String>,
}

/// Returns the page for a report with an error and the states on its path. Reads the sources that
/// it names, as far as they can be read.
pub fn page(named: &Named) -> String {
    let report = &named.report;
    let files = files(report);
    let sources = files
        .into_iter()
        .filter_map(|file| Some((file, read(file)?)));
    let data = Data {
        title: &named.name,
        report,
        sources: sources.collect(),
    };
    let data = serde_json::to_string(&data).expect("a report is plain data");
    let title = format!("{}: {}", named.name, kind(report));
    let parts = PAGE.split("{{").map(|part| match part.split_once("}}") {
        Some(("title", rest)) => escape(&title) + rest,
        Some(("style", rest)) => STYLE.to_owned() + rest,
        Some(("script", rest)) => SCRIPTS.concat() + rest,
        Some((_, rest)) => embeddable(&data) + rest,
        None => part.to_owned(),
    });
    parts.collect()
}

fn kind(report: &Report) -> &str {
    report.error.as_ref().map_or("", |error| &error.kind)
}

/// The files that steps and frames are in.
fn files(report: &Report) -> BTreeSet<&str> {
    let mut files: BTreeSet<&str> = report.trace.iter().map(|step| step.file.as_str()).collect();
    if let Some(error) = &report.error {
        files.insert(&error.file);
        let frames = error.threads.iter().flat_map(|thread| &thread.stack);
        files.extend(frames.filter(|it| !it.library).map(|it| it.file.as_str()));
    }
    if let Some(exploration) = &report.exploration {
        files.extend(exploration.cycle.iter().map(|step| step.file.as_str()));
        let threads = exploration
            .snapshots
            .iter()
            .flat_map(|it| it.threads.values());
        let frames = threads.flatten().flat_map(|thread| &thread.stack);
        let own = frames.filter(|it| !it.library);
        files.extend(own.map(|it| it.file.as_str()));
    }
    files.remove("");
    files
}

fn read(file: &str) -> Option<String> {
    let is_short = fs::metadata(file).ok()?.len() <= LONGEST_SOURCE;
    let text = is_short.then(|| fs::read(file).ok())??;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// JSON that ends no element of a page and begins no comment in it.
fn embeddable(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_ends_no_element() {
        let mut report = Report::blank();
        report.reason = Some("</script><!-- {{data}} {{script}}".into());
        let name = "a</title>.c".to_owned();
        let page = page(&Named { name, report });
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("</title>").count(), 1);
        assert!(!page.contains("<!-- {{"));
        let data = page.split("id=\"data\">").nth(1).expect("the data");
        let data = data.split("</script>").next().expect("its end");
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(
            data["report"]["reason"],
            "</script><!-- {{data}} {{script}}"
        );
    }
}
