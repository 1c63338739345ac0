//! Allocated objects have one name in all forms of a report and in the simulator.

mod common;

use common::{impasse, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The example in which two threads pop nodes of a list.
fn example() -> String {
    common::set_up();
    root().join("examples/freed-node.c").display().to_string()
}

fn printed(words: &[&str]) -> String {
    let output = impasse(words.iter().copied());
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn traces_states_and_the_simulator_use_one_name() {
    let file = example();
    let folder = tempfile::tempdir().expect("a folder");
    let (page, script) = (folder.path().join("p.html"), folder.path().join("s.sim"));
    let page = page.display().to_string();
    let text = printed(&["check", &file, "--format", "json", "--html", &page]);
    let report: Value = serde_json::from_str(&text).expect("a report");
    let trace = report["trace"].as_array().expect("a trace");
    let of = |action: &str| {
        let steps = trace.iter().filter(|step| step["action"] == action);
        let names = steps.filter_map(|step| step["object"].as_str());
        names.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(of("allocate"), ["node#1", "node#2"]);
    let is_read = |step: &&Value| step["variable"] == "top->next" && step["action"] == "read";
    let reads = trace.iter().filter(is_read);
    let reads: BTreeSet<&str> = reads.filter_map(|step| step["object"].as_str()).collect();
    assert_eq!(reads, BTreeSet::from(["node#2.next"]));
    let text = trace.iter().filter_map(|step| step["text"].as_str());
    assert!(
        text.into_iter()
            .any(|it| it == "reads top->next (node#2): &node#1")
    );

    let page = fs::read_to_string(&page).expect("a page");
    let data = page
        .split("id=\"data\"")
        .nth(1)
        .and_then(|it| it.split_once('>'));
    let data = data.and_then(|(_, it)| it.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let snapshots = data["report"]["exploration"]["snapshots"].as_array();
    let objects = snapshots.expect("states").iter();
    let objects = objects.filter_map(|it| it["objects"].get("node#2"));
    let first = objects.into_iter().next().expect("the node is in memory");
    assert_eq!(first["allocated"], "freed-node.c:17");
    assert_eq!(first["cells"][1][1], "&node#1", "{first}");

    fs::write(&script, "go main 2\nmemory node#2\n").expect("a script");
    let said = printed(&["sim", &file, "--script", &script.display().to_string()]);
    assert!(said.contains("allocates node#2: 16 bytes"), "{said}");
    assert!(!said.contains("node#1 (*"), "{said}");
    assert!(said.contains("node#2 (*top).next = &node#1"), "{said}");
}

#[test]
fn objects_are_introduced_where_a_report_mentions_them_first() {
    let file = example();
    let short = printed(&["check", &file]);
    let first = short.find("node#2").expect("it is mentioned");
    let rest = &short[first..];
    assert!(
        rest.starts_with("node#2, freed-node.c:17, step 7)"),
        "{short}"
    );
    assert_eq!(short.matches("freed-node.c:17").count(), 2, "{short}");
    let all = printed(&["check", &file, "--full-trace"]);
    assert!(
        all.contains("freed-node.c:17  allocates node#2: 16 bytes"),
        "{all}"
    );
    assert!(!all.contains("step "), "{all}");
}
