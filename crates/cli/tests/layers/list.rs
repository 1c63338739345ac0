//! `layers.txt`, and the dependencies in a manifest.

use std::collections::{BTreeMap, BTreeSet};

/// What `layers.txt` says.
#[derive(Default)]
pub struct List {
    /// The crates, lowest first.
    pub order: Vec<String>,
    /// The layers of each crate.
    pub crates: BTreeMap<String, Layers>,
}

/// What it says of one crate.
#[derive(Default)]
pub struct Layers {
    /// The layers, lowest first.
    pub layers: Vec<String>,
    /// Uses of later layers that are tolerated.
    pub allowed: BTreeSet<(String, String)>,
    /// Cycles of modules that are tolerated.
    pub cycles: BTreeSet<BTreeSet<String>>,
}

impl List {
    /// Parses the list. Panics at a line that it does not understand.
    pub fn parse(text: &str) -> List {
        let mut list = List::default();
        let mut section = String::new();
        for line in text.lines() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name.to_string();
            } else if section == "crates" {
                list.order.extend(words(line));
            } else {
                list.crates.entry(section.clone()).or_default().read(line);
            }
        }
        list
    }
}

impl Layers {
    fn read(&mut self, line: &str) {
        let Some((what, reason)) = line.split_once(" | ") else {
            self.layers.extend(words(line));
            return;
        };
        assert!(
            !reason.trim().is_empty(),
            "an exception without a reason: {line}"
        );
        let what: Vec<String> = words(what).collect();
        match what.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["allow", from, "->", to] => {
                self.allowed.insert((from.to_string(), to.to_string()));
            }
            ["cycle", ..] => {
                self.cycles.insert(what[1..].iter().cloned().collect());
            }
            _ => panic!("layers.txt: {line}"),
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = String> {
    line.split_whitespace().map(str::to_string)
}

/// The crates of this workspace that a manifest's `[dependencies]` name.
pub fn dependencies(manifest: &str) -> impl Iterator<Item = String> {
    let (_, rest) = manifest.split_once("[dependencies]\n").unwrap_or_default();
    let end = rest.find("\n[").unwrap_or(rest.len());
    let names = rest[..end]
        .lines()
        .filter_map(|line| line.strip_prefix("impasse-"));
    names.map(|name| name.split([' ', '.']).next().expect("a name").to_string())
}
