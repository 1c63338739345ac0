//! The forms in which reports are printed.

use clap::ValueEnum;
use impasse_report::rendering::Rendering;
use impasse_report::{Named, github, human, junit, sarif};
use serde_json::json;

/// The version of Impasse.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The form of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text.
    Human,
    /// One JSON object (docs/json.md).
    Json,
    /// SARIF 2.1.0, for editors and code hosts.
    Sarif,
    /// Annotations of GitHub Actions, and the text.
    Github,
    /// JUnit XML with a test case for each check.
    Junit,
}

impl Format {
    /// Returns the report of one check.
    pub fn one(self, named: &Named, rendering: Rendering) -> String {
        let reports = std::slice::from_ref(named);
        match self {
            Format::Human => human::render(&named.report, rendering),
            Format::Github => github::render(&named.report, rendering),
            Format::Json => pretty(&named.report),
            Format::Sarif => sarif::render(reports, VERSION, rendering),
            Format::Junit => junit::render(reports, rendering),
        }
    }

    /// Returns the part of the report of several checks that is printed when one is done.
    pub fn next(self, named: &Named, rendering: Rendering) -> String {
        let head = || format!("{}\n", human::heading(&named.name));
        match self {
            Format::Human => head() + &human::render(&named.report, rendering) + "\n",
            Format::Github => head() + &github::render(&named.report, rendering) + "\n",
            Format::Json | Format::Sarif | Format::Junit => String::new(),
        }
    }

    /// Returns what is printed after the last one.
    pub fn last(self, reports: &[Named], rendering: Rendering) -> String {
        match self {
            Format::Human | Format::Github => human::summary(reports),
            Format::Json => pretty(&json!({ "checks": reports })),
            Format::Sarif => sarif::render(reports, VERSION, rendering),
            Format::Junit => junit::render(reports, rendering),
        }
    }
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a report is plain data") + "\n"
}
