//! What the first lines of a litmus test say, and how they are written.

use crate::common::Directives;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Final values of the marked variables, one execution each.
pub type Outcomes = BTreeSet<String>;

/// What C11 permits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OfC11 {
    /// These outcomes.
    Outcomes(Outcomes),
    /// Impasse does not say.
    Inconclusive,
}

/// What a litmus test expects.
pub struct Expected {
    /// Under sequential consistency.
    pub sc: Outcomes,
    /// Under x86-TSO.
    pub tso: Outcomes,
    /// Under C11.
    pub c11: OfC11,
    /// Why the axioms of RC11 say nothing of the test.
    pub no_axioms: Option<String>,
    /// The final values that the test is about.
    pub condition: String,
    /// Whether x86 processors allow them.
    pub allowed: bool,
}

impl Expected {
    /// Reads the first lines of a source. Fails if one is missing or makes no sense.
    pub fn read(path: &Path) -> Result<Expected, Failed> {
        let directives = Directives::read(path);
        let line = |key: &str| directives.get(key).ok_or(format!("no directive {key}"));
        let sc = list(line("sc")?);
        let (answer, condition) = line("x86")?.split_once(' ').ok_or("no condition")?;
        Ok(Expected {
            tso: with_added(&sc, line("tso")?)?,
            c11: match line("c11")? {
                "inconclusive" => OfC11::Inconclusive,
                added => OfC11::Outcomes(with_added(&sc, added)?),
            },
            sc,
            no_axioms: directives.get("no-axioms").map(str::to_owned),
            condition: condition.to_owned(),
            allowed: match answer {
                "allowed" => true,
                "forbidden" => false,
                _ => return Err(format!("x86: {answer}?").into()),
            },
        })
    }

    /// Returns whether the final values that the test is about are in one of these outcomes.
    pub fn is_allowed_by(&self, found: &Outcomes) -> bool {
        found.iter().any(|outcome| self.holds_in(outcome))
    }

    fn holds_in(&self, outcome: &str) -> bool {
        let values: BTreeSet<&str> = outcome.split(' ').collect();
        self.condition
            .split(' ')
            .all(|value| values.contains(value))
    }

    /// Fails unless these outcomes are what is known of the processors.
    pub fn agrees_with_processors(&self, found: &Outcomes) -> Result<(), Failed> {
        let names = |values: &str| -> BTreeSet<String> {
            let name = |value: &str| value.split('=').next().unwrap_or_default().to_owned();
            values.split(' ').map(name).collect()
        };
        let first = found.first().ok_or("no outcome")?;
        if !names(&self.condition).is_subset(&names(first)) {
            return Err(format!("{:?} is not about {first}", self.condition).into());
        }
        match (
            self.allowed,
            found.iter().find(|outcome| self.holds_in(outcome)),
        ) {
            (true, None) => Err("what x86 allows does not happen".into()),
            (false, Some(outcome)) => Err(format!("x86 forbids {outcome}").into()),
            _ => Ok(()),
        }
    }
}

fn list(text: &str) -> Outcomes {
    text.split("; ").map(str::to_owned).collect()
}

/// The outcomes under a model that are those under sequential consistency and some more.
fn with_added(sc: &Outcomes, text: &str) -> Result<Outcomes, Failed> {
    match text.strip_prefix("adds ") {
        Some(added) => Ok(sc | &list(added)),
        None if text == "the same" => Ok(sc.clone()),
        None => Err(format!("{text:?}, not `adds …` or `the same`").into()),
    }
}

/// Writes what was found into a test.
pub fn bless(path: &Path, sc: &Outcomes, tso: &Outcomes, c11: &OfC11) {
    let list = |outcomes: &mut dyn Iterator<Item = &String>| {
        let outcomes: Vec<&str> = outcomes.map(String::as_str).collect();
        outcomes.join("; ")
    };
    let added = |outcomes: &Outcomes| match outcomes == sc {
        true => "the same".to_owned(),
        false => format!("adds {}", list(&mut outcomes.difference(sc))),
    };
    let c11 = match c11 {
        OfC11::Outcomes(outcomes) => added(outcomes),
        OfC11::Inconclusive => "inconclusive".into(),
    };
    let text = fs::read_to_string(path).expect("a litmus test");
    let mut blessed = String::new();
    for line in text.lines().filter(|line| !line.starts_with("//     ")) {
        blessed += &match line.split_once(": ") {
            Some(("// sc", _)) => wrapped("sc", &list(&mut sc.iter())),
            Some(("// tso", _)) => wrapped("tso", &added(tso)),
            Some(("// c11", _)) => wrapped("c11", &c11),
            _ => format!("{line}\n"),
        };
    }
    fs::write(path, blessed).expect("a litmus test can be written");
}

/// A directive, on as many lines as it needs.
fn wrapped(key: &str, text: &str) -> String {
    let mut lines = format!("// {key}:");
    let mut width = lines.len();
    for outcome in text.split_inclusive("; ") {
        let outcome = outcome.trim_end();
        if width + 1 + outcome.len() > 100 {
            lines += "\n//    ";
            width = 6;
        }
        lines += &format!(" {outcome}");
        width += 1 + outcome.len();
    }
    lines + "\n"
}
