//! Results as text, page and JSON hold what is promised.

use impasse_shim::analysis::Budget;
use impasse_shim::report;

fn example(name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::fs::read_to_string(format!("{root}/{name}")).expect("the program is there")
}

#[test]
fn the_json_has_the_checkers_fields() {
    let text = example("tests/shim/input_swaps_order.shim");
    let result = impasse_shim::check("p.shim", &text, &Budget::default()).expect("a good program");
    let json = serde_json::to_value(&result).expect("plain data");
    assert_eq!(json["verdict"], "deadlock");
    assert_eq!(json["error"]["kind"], "deadlock");
    assert_eq!(json["error"]["file"], "p.shim");
    assert_eq!(json["error"]["line"], 8);
    assert_eq!(json["inputs"][0]["value"], "8");
    assert!(json["reason"].is_null());
    for number in ["seconds", "transitions", "peak_memory_bytes"] {
        assert!(json[number].is_number(), "{number}");
    }
    assert!(json["trace"].is_array());
    assert_eq!(json["cycle"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_text_shows_how_it_comes_about() {
    let text = example("tests/shim/counted_loops_differ.shim");
    let result = impasse_shim::check("p.shim", &text, &Budget::default()).expect("a good program");
    let shown = report::text(&result, false);
    for part in [
        "p.shim: inevitable: the program always deadlocks",
        "  10  a = 9  main_1:7 → main_2:12",
        "Then nobody can go on: main_1 → main_2 → main_1",
        "main_1 (line 8) waits to send on `b`, for main_2",
        "main_2 (line 12) waits to receive from `a`, for main_1",
        "help: let all tasks use `a` and `b` in the same order",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    for name in [
        "tests/shim/counted_loops_differ.shim",
        "examples/shim/fir.shim",
    ] {
        let text = example(name);
        let result = impasse_shim::check(name, &text, &Budget::default()).expect("a good program");
        let page = report::page(&result, &text);
        for outside in ["http", "src=", "@import", "<link", "url(/"] {
            assert!(!page.contains(outside), "{outside} in the page of {name}");
        }
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        assert!(page.contains("id=\"line1\"") && page.ends_with("</html>\n"));
        for task in &result.cycle {
            assert!(
                page.contains(&format!("<span class=\"mono bad\">{task}</span>")),
                "{task} is marked"
            );
        }
    }
}
