//! Enforces the layers in `layers.txt`: no module uses a later layer, no modules use each other in
//! a cycle, and no crate depends on a later one.
//!
//! A module uses another where one of its paths (`crate::…`, `super::…`, `self::…`) names it or
//! something in it. Calls of methods name no module, so the test does not see them. Test code is
//! left out. A module and the modules inside it are one family, and use each other freely.

mod graph;
mod list;

use list::List;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn list() -> List {
    let path = root().join("layers.txt");
    List::parse(&std::fs::read_to_string(path).expect("layers.txt"))
}

/// Fails with what is wrong and how to mend it.
fn expect_none(problems: BTreeSet<String>) {
    let problems: Vec<String> = problems.into_iter().collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_layer_uses_earlier_ones() {
    let mut problems = BTreeSet::new();
    for (name, listed) in &list().crates {
        let uses = graph::uses(&root().join("crates").join(name).join("src"));
        let layer = |module: &str| {
            let layer = module.split("::").next().expect("a first name");
            listed.layers.iter().position(|l| l == layer)
        };
        for module in uses.keys().filter(|module| layer(module).is_none()) {
            problems.insert(format!("{name}: `{module}` is in no layer of layers.txt"));
        }
        let upward: BTreeSet<(String, String)> = graph::pairs(&uses)
            .filter(|(from, to)| layer(from).is_some_and(|from| layer(to) > Some(from)))
            .collect();
        for (from, to) in upward.difference(&listed.allowed) {
            problems.insert(format!(
                "{name}: `{from}` uses `{to}`, which is a later layer"
            ));
        }
        for (from, to) in listed.allowed.difference(&upward) {
            problems.insert(format!(
                "{name}: `{from}` no longer uses `{to}`: remove `allow` from layers.txt"
            ));
        }
    }
    expect_none(problems);
}

#[test]
fn modules_use_each_other_in_no_cycle() {
    let mut problems = BTreeSet::new();
    for (name, listed) in &list().crates {
        let uses = graph::uses(&root().join("crates").join(name).join("src"));
        let cycles = graph::cycles(&uses);
        let shown = |cycle: &BTreeSet<String>| {
            let modules: Vec<&str> = cycle.iter().map(String::as_str).collect();
            modules.join(" ")
        };
        for cycle in cycles.difference(&listed.cycles) {
            let count = cycle.len();
            problems.insert(format!(
                "{name}: a cycle of {count} modules: {}",
                shown(cycle)
            ));
        }
        for cycle in listed.cycles.difference(&cycles) {
            problems.insert(format!(
                "{name}: no such cycle any more: remove or shrink it in layers.txt: {}",
                shown(cycle)
            ));
        }
    }
    expect_none(problems);
}

#[test]
fn crates_depend_on_earlier_ones() {
    let list = list();
    let order = &list.order;
    let mut problems = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("crates") {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let position = |name: &str| order.iter().position(|n| n == name);
        if position(&name).is_none() || !list.crates.contains_key(&name) {
            problems.insert(format!("layers.txt does not list the crate `{name}`"));
        }
        for used in list::dependencies(&manifest) {
            if position(&used) >= position(&name) {
                problems.insert(format!("crate `{name}` depends on `{used}`, a later one"));
            }
        }
    }
    expect_none(problems);
}

#[test]
fn the_test_sees_uses_and_cycles() {
    let uses = graph::uses(&root().join("crates/cli/tests/layers/sample"));
    let pairs: BTreeSet<(String, String)> = graph::pairs(&uses).collect();
    let expected = [("a", "b"), ("b", "c"), ("c::inner", "a"), ("d", "a")];
    let expected = expected.map(|(from, to)| (from.to_string(), to.to_string()));
    assert_eq!(pairs, BTreeSet::from(expected));
    let cycle = ["a", "b", "c", "c::inner"].map(str::to_string);
    assert_eq!(
        graph::cycles(&uses),
        BTreeSet::from([BTreeSet::from(cycle)])
    );
}
