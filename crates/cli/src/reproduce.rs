//! The command in a result from which its error can be reproduced.

use impasse_report::Report;
use std::ffi::OsString;

/// Options that do not matter to what a path does, with a value.
const WITH_VALUE: [&str; 13] = [
    "format",
    "html",
    "witness",
    "max-states",
    "max-memory",
    "states-in-memory",
    "states-on-disk",
    "max-time",
    "max-steps",
    "threads",
    "runs",
    "seed",
    "depth",
];

/// The same without a value.
const ALONE: [&str; 3] = ["full-trace", "library-frames", "states-on-path"];

/// Returns a report whose error can be reproduced with this subcommand and these words after it;
/// without what is needed for that if a word is no text.
pub fn with_command(report: Report, subcommand: &str, words: &[OsString]) -> Report {
    let Some(replay) = report.replay else {
        return report;
    };
    let command = relevant(words).map(|words| [vec![subcommand.to_owned()], words].concat());
    Report {
        replay: command.map(|command| impasse_report::Reproduction { command, ..replay }),
        ..report
    }
}

/// The words without those that do not matter; none if one is no text.
fn relevant(words: &[OsString]) -> Option<Vec<String>> {
    let mut kept = Vec::new();
    let mut left = words.iter();
    while let Some(word) = left.next() {
        let text = word.to_str()?;
        if text == "--" {
            kept.push(text.to_owned());
            break;
        }
        let option = text.strip_prefix("--").unwrap_or_default();
        match option.split_once('=') {
            Some((name, _)) if WITH_VALUE.contains(&name) => {}
            None if WITH_VALUE.contains(&option) => drop(left.next()),
            None if ALONE.contains(&option) => {}
            _ => kept.push(text.to_owned()),
        }
    }
    for word in left {
        kept.push(word.to_str()?.to_owned());
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(words: &str) -> String {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        relevant(&words).expect("text").join(" ")
    }

    #[test]
    fn what_is_printed_and_when_it_stops_does_not_matter() {
        assert_eq!(
            kept("a.c --format json --memory-model tso --max-time=9 --full-trace -- -DA --format"),
            "a.c --memory-model tso -- -DA --format"
        );
        assert_eq!(kept("a.c --clang=-DFORMAT"), "a.c --clang=-DFORMAT");
    }
}
