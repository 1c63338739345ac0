//! Results as text, page and JSON hold what is promised.

use impasse_report::{ErrorReport, Frame, Report, Scope, Step, ThreadReport};
use impasse_shim::analysis::Budget;
use impasse_shim::report;
use serde_json::Value;

fn example(name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::fs::read_to_string(format!("{root}/{name}")).expect("the program is there")
}

fn json(result: &impasse_shim::verdict::CheckResult) -> Value {
    serde_json::from_str(&report::json(result)).expect("good JSON")
}

/// Where the second lacks a field of the first, or has it with another type.
fn lacks(wanted: &Value, found: &Value, at: &str, out: &mut Vec<String>) {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            for (name, value) in wanted {
                let at = format!("{at}.{name}");
                match found.get(name) {
                    Some(other) => lacks(value, other, &at, out),
                    None => out.push(at),
                }
            }
        }
        (Value::Array(wanted), Value::Array(found)) => {
            if let (Some(wanted), Some(found)) = (wanted.first(), found.first()) {
                lacks(wanted, found, &format!("{at}[0]"), out);
            }
        }
        (wanted, found) => {
            let same = std::mem::discriminant(wanted) == std::mem::discriminant(found);
            if !same {
                out.push(format!("{at}: {found}"));
            }
        }
    }
}

/// A report of the checker with an error and its way.
fn checkers_report() -> Report {
    let frame = Frame {
        locals: Vec::new(),
        function: String::new(),
        file: String::new(),
        line: 1,
        column: 1,
        library: false,
    };
    Report {
        exploration: None,
        replay: None,
        replayed: None,
        native: None,
        volatile_atomic: false,
        verdict: impasse_report::Verdict::Error,
        error: Some(ErrorReport {
            kind: String::new(),
            message: String::new(),
            file: String::new(),
            line: 1,
            column: 1,
            function: String::new(),
            thread: 0,
            threads: vec![ThreadReport {
                thread: 0,
                waits: Some(String::new()),
                stack: vec![frame],
            }],
            hang: None,
        }),
        reason: None,
        inputs: Vec::new(),
        omissions: Vec::new(),
        states: 1,
        transitions: 1,
        depth: 1,
        seconds: 0.5,
        state_bytes: 1,
        peak_memory_bytes: 1,
        trace: vec![Step {
            transition: 0,
            thread: 0,
            function: String::new(),
            file: String::new(),
            line: 1,
            action: String::new(),
            variable: Some(String::new()),
            value: Some(String::new()),
            old: None,
            text: String::new(),
            object: None,
            library: false,
            call: None,
            part_of: None,
            minor: false,
        }],
        path: None,
        schedules: None,
        workers: Vec::new(),
        memory_model: None,
        hangs: Scope::Deadlocks,
        sections: Vec::new(),
        nonterminating: false,
        environment: Vec::new(),
        suppressed: Vec::new(),
    }
}

#[test]
fn the_json_has_the_checkers_fields() {
    let checked = |name: &str| {
        impasse_shim::check("p.shim", &example(name), &Budget::default()).expect("a good program")
    };
    let found = json(&checked("tests/shim/counted_loops_differ.shim"));
    let wanted = serde_json::to_value(checkers_report()).expect("plain data");
    let mut missing = Vec::new();
    lacks(&wanted, &found, "", &mut missing);
    assert!(missing.is_empty(), "{missing:?} in {found:#}");
    let found = json(&checked("tests/shim/input_swaps_order.shim"));
    assert_eq!(found["verdict"], "deadlock");
    assert_eq!(found["error"]["kind"], "deadlock");
    assert_eq!(found["error"]["file"], "p.shim");
    assert_eq!(found["error"]["line"], 8);
    assert_eq!(found["error"]["column"], 7);
    assert_eq!(found["error"]["threads"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["error"]["threads"][0]["stack"][1]["function"], "main");
    assert_eq!(found["inputs"][0]["value"], "8");
    assert_eq!(found["cycle"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_is_unknown_has_a_reason_and_no_error() {
    let text = example("tests/shim/factors.shim");
    let result = impasse_shim::check("p.shim", &text, &Budget::default()).expect("a good program");
    let found = json(&result);
    assert_eq!(found["verdict"], "possible");
    assert!(found["reason"].is_string() && found.get("error").is_none());
    assert_eq!(found["unsettled"].as_array().map(Vec::len), Some(1));
}

#[test]
fn large_numbers_of_states_are_exact() {
    let mut row = impasse_shim::check_as_paper(
        "figure1.shim",
        &example("examples/shim/figure1.shim"),
        &Budget::default(),
    )
    .expect("a good program");
    let read =
        |row: &_| -> Value { serde_json::from_str(&report::paper_json(row)).expect("good JSON") };
    assert_eq!(read(&row)["states"], 6);
    assert!(read(&row).get("states_exact").is_none());
    row.states = "36893488147419103232".into();
    assert_eq!(read(&row)["states"], u64::MAX);
    assert_eq!(read(&row)["states_exact"], "36893488147419103232");
}

#[test]
fn mistakes_have_their_places() {
    let text = example("tests/shim/two_writers.shim");
    let rejected = impasse_shim::elaborate("p.shim", &text).expect_err("two writers");
    let found: Value = serde_json::from_str(&report::rejected_json(&rejected)).expect("good JSON");
    let first = &found["diagnostics"][0];
    assert_eq!(
        first["message"],
        "two branches of a `par` send on channel `a`"
    );
    assert_eq!((&first["line"], &first["column"]), (&7.into(), &24.into()));
    assert_eq!(first["others"][0]["line"], 7);
    assert!(first["help"].is_string());
}

#[test]
fn the_text_shows_how_it_comes_about() {
    let text = example("tests/shim/counted_loops_differ.shim");
    let result = impasse_shim::check("p.shim", &text, &Budget::default()).expect("a good program");
    let shown = report::text(&result, false);
    for part in [
        "p.shim: inevitable: the program always deadlocks",
        "  10  a = 9  main_1:7 → main_2:12",
        "Then no task can continue: main_1 → main_2 → main_1",
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

/// The labels of the network in a page: the middle and half the width of each, and its text.
fn labels(page: &str) -> Vec<(f64, f64, f64, String)> {
    let network = page
        .split("Network of channels")
        .nth(1)
        .expect("the network");
    let network = network.split("</svg>").next().expect("a drawing");
    let parts = network.split("<text class=\"label").skip(1);
    let number = |part: &str, name: &str| -> f64 {
        let value = part
            .split(&format!("{name}=\""))
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        value
            .and_then(|value| value.parse().ok())
            .expect("a number")
    };
    parts
        .map(|part| {
            let text = part
                .split('>')
                .nth(1)
                .and_then(|rest| rest.split('<').next());
            let text = text.expect("a text").to_string();
            (
                number(part, "x"),
                number(part, "y"),
                3.6 * text.len() as f64,
                text,
            )
        })
        .collect()
}

#[test]
fn labels_of_the_network_do_not_cover_each_other() {
    let ring = |n: usize| {
        let channels: Vec<String> = (0..n).map(|i| format!("l{i}, r{i}")).collect();
        let tasks =
            (0..n).map(|i| format!("sit(l{i}, r{i}); par fork(l{i}, r{});", (i + n - 1) % n));
        format!(
            "void fork(chan int l, chan int r) {{ for (;;) if (input() > 0) next l; else next r; }}
             void sit(chan int &a, chan int &b) {{ for (;;) {{ next a = 1; next b = 1; next b = 0; next a = 0; }} }}
             void main() {{ chan int {}; {} }}",
            channels.join(", "),
            tasks.collect::<Vec<_>>().join(" par ")
        )
    };
    let programs = [
        example("examples/shim/figure2.shim"),
        example("tests/shim/order_three_ring.shim"),
        example("tests/shim/command_server_wrong.shim"),
        ring(2),
        ring(5),
        ring(12),
    ];
    for text in programs {
        let result = impasse_shim::check("p.shim", &text, &Budget::default()).expect("a program");
        let labels = labels(&report::page(&result, &text));
        assert!(labels.len() > 1);
        for (i, a) in labels.iter().enumerate() {
            for b in &labels[i + 1..] {
                let apart = (a.0 - b.0).abs() >= a.2 + b.2 || (a.1 - b.1).abs() >= 12.0;
                assert!(apart, "{a:?} and {b:?}");
            }
        }
    }
}
