//! Suppressions: errors that the user does not want to see, and which of them were met.
//!
//! - A suppressed *data race*: the plain loads and stores that a rule names count as relaxed atomic
//!   ones, so that all their interleavings are explored. A race of two accesses is reported unless
//!   rules name both.
//! - A suppressed *hang*: sections count as ended while their threads are where a rule says.
//! - A suppressed *leak* changes nothing else.
//! - Any other suppressed error ends the execution.
//!
//! Whatever was suppressed is noted when a step is executed, as [`crate::machine::environment`]
//! notes questions, and so in every search of all states.

use crate::base::fault::ErrorKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use wildmatch::WildMatch;

/// Which errors not to report. What is absent matches everything; names may have the wildcards `*`
/// and `?`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rule {
    /// Of this kind.
    pub kind: Option<ErrorKind>,
    /// In this function, or in what it calls.
    pub function: Option<String>,
    /// In this file: the end of its path.
    pub file: Option<String>,
    /// At this line.
    pub line: Option<u32>,
    /// About this variable, as reports name it.
    pub variable: Option<String>,
    /// Where the rule is written, in words.
    pub origin: String,
    /// Why, in the user's words.
    pub reason: Option<String>,
}

/// What a rule is compared with.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The functions on the stack, each perhaps by several names.
    pub functions: &'a [&'a str],
    /// The files and lines where it happens.
    pub places: &'a [(&'a str, u32)],
    /// The variables that it may be about.
    pub variables: &'a [&'a str],
}

/// A suppressed error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Suppressed {
    /// The file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The number of the rule.
    pub rule: usize,
}

/// Rules, and what they have suppressed.
#[derive(Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
    /// With what would have been reported; of several texts, the least.
    met: Mutex<BTreeMap<Suppressed, String>>,
}

impl Rule {
    fn matches(&self, subject: Subject<'_>) -> bool {
        let at = |&(file, line): &(&str, u32)| {
            let is_file = self.file.as_deref().is_none_or(|it| is_end(it, '/', file));
            is_file && self.line.is_none_or(|it| it == line)
        };
        let is_placed = self.file.is_some() || self.line.is_some();
        let is_function = |pattern: &String| {
            let mut names = subject.functions.iter();
            names.any(|name| is_end(pattern, ':', name))
        };
        let is_variable = |pattern: &String| {
            let pattern = WildMatch::new(pattern);
            subject.variables.iter().any(|name| pattern.matches(name))
        };
        self.kind.is_none_or(|kind| kind == subject.kind)
            && (!is_placed || subject.places.iter().any(at))
            && self.function.as_ref().is_none_or(is_function)
            && self.variable.as_ref().is_none_or(is_variable)
    }

    fn names_no_place(&self) -> bool {
        let places = [&self.function, &self.file, &self.variable];
        places.iter().all(|it| it.is_none()) && self.line.is_none()
    }
}

/// Whether a pattern matches a name, or its end after a separator.
fn is_end(pattern: &str, separator: char, name: &str) -> bool {
    WildMatch::new(pattern).matches(name)
        || WildMatch::new(&format!("*{separator}{pattern}")).matches(name)
}

impl Suppressions {
    /// Returns these rules, which have suppressed nothing yet.
    pub fn new(rules: Vec<Rule>) -> Suppressions {
        Suppressions {
            rules,
            met: Mutex::default(),
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns whether a rule may suppress errors of some of these kinds.
    pub fn concern(&self, kinds: impl Fn(ErrorKind) -> bool) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.kind.is_none_or(&kinds))
    }

    /// Returns the number of the first rule that matches, or `None`.
    pub fn find(&self, subject: Subject<'_>) -> Option<usize> {
        self.rules.iter().position(|rule| rule.matches(subject))
    }

    /// Returns the number of the first rule that suppresses all errors of a kind, or `None`.
    fn find_for_all(&self, kind: ErrorKind) -> Option<usize> {
        let all = |rule: &Rule| rule.names_no_place() && rule.kind.is_none_or(|it| it == kind);
        self.rules.iter().position(all)
    }

    /// Returns whether a rule suppresses all data races, and notes it then: none are looked for.
    pub fn cover_all_races(&self) -> bool {
        let Some(rule) = self.find_for_all(ErrorKind::DataRace) else {
            return false;
        };
        let suppressed = Suppressed {
            file: String::new(),
            line: 0,
            kind: ErrorKind::DataRace,
            rule,
        };
        self.note(suppressed, "data races are not looked for");
        true
    }

    /// Returns whether a suppressed error may end an execution that would continue otherwise, so
    /// that no thread may wait for its turn behind another one.
    pub fn may_end_executions(&self) -> bool {
        use ErrorKind::{DataRace, Hang, MemoryLeak};
        self.concern(|kind| !matches!(kind, DataRace | Hang | MemoryLeak))
    }

    /// Notes that something was suppressed, which would have been reported so.
    pub fn note(&self, suppressed: Suppressed, what: &str) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        match met.get_mut(&suppressed) {
            None => drop(met.insert(suppressed, what.into())),
            Some(known) if *known.as_str() > *what => *known = what.into(),
            Some(_) => {}
        }
    }

    /// Returns everything that was suppressed, sorted by place, each with what would have been
    /// reported.
    pub fn met(&self) -> Vec<(Suppressed, String)> {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.iter()
            .map(|(it, what)| (it.clone(), what.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject<'a>(functions: &'a [&'a str], places: &'a [(&'a str, u32)]) -> Subject<'a> {
        Subject {
            kind: ErrorKind::DataRace,
            functions,
            places,
            variables: &["hits"],
        }
    }

    #[test]
    fn everything_that_a_rule_names_must_match() {
        let rule = Rule {
            kind: Some(ErrorKind::DataRace),
            function: Some("Counter::add".into()),
            file: Some("src/*.cpp".into()),
            line: Some(7),
            variable: Some("hits".into()),
            ..Rule::default()
        };
        let functions = ["main", "app::Counter::add"];
        let places = [("/home/me/src/counter.cpp", 7)];
        assert!(rule.matches(subject(&functions, &places)));
        assert!(!rule.matches(subject(&["Counter::address"], &places)));
        assert!(!rule.matches(subject(&functions, &[("/home/me/src/counter.cpp", 8)])));
        assert!(!rule.matches(subject(&functions, &[("/home/me/mysrc/counter.cpp", 7)])));
        let others = Subject {
            variables: &["hits2"],
            ..subject(&functions, &places)
        };
        assert!(!rule.matches(others));
        let leak = Subject {
            kind: ErrorKind::MemoryLeak,
            ..subject(&functions, &places)
        };
        assert!(!rule.matches(leak));
    }

    #[test]
    fn the_least_text_is_kept() {
        let suppressions = Suppressions::default();
        let here = || Suppressed {
            file: "a.c".into(),
            line: 1,
            kind: ErrorKind::Assertion,
            rule: 0,
        };
        for what in ["thread 2 fails", "thread 1 fails", "thread 3 fails"] {
            suppressions.note(here(), what);
        }
        assert_eq!(suppressions.met(), [(here(), "thread 1 fails".into())]);
    }
}
