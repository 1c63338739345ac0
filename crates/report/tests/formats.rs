//! The forms of a report for editors and CI. SARIF logs must fit the schema of OASIS, and JUnit XML
//! the schema in `junit.xsd`; that format has no official one.

use impasse_report::rendering::Rendering;
use impasse_report::{
    ErrorReport, Frame, HangReport, HungThread, Named, Reason, RegionReport, Report, Scope, Spot,
    Step, Suppressed, ThreadReport, ThreadStatus, Verdict, github, junit, sarif,
};
use jsonschema::Validator;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn step(thread: u32, file: &str, line: u32, text: &str) -> Step {
    Step {
        transition: 0,
        thread,
        function: "work".into(),
        file: file.into(),
        line,
        action: "operation".into(),
        variable: None,
        value: None,
        old: None,
        object: None,
        library: false,
        call: None,
        part_of: None,
        minor: false,
        text: text.into(),
    }
}

fn thread(number: u32, file: &str, line: u32) -> ThreadReport {
    let frame = |file: &str, library| Frame {
        locals: Vec::new(),
        function: "work".into(),
        file: file.into(),
        line,
        column: 5,
        library,
    };
    ThreadReport {
        thread: number,
        waits: None,
        stack: vec![frame("/library/mutex.c", true), frame(file, false)],
    }
}

fn verified() -> Report {
    Report {
        hangs: Scope::Local,
        states: 12,
        transitions: 13,
        seconds: 0.25,
        ..Report::blank()
    }
}

/// An error with names and texts that need escapes in every form.
fn error() -> Report {
    let message = "assertion `a[0] < \"100%\" && b` failed,\n::error::\u{1b}the: ##[add-path]";
    Report {
        verdict: Verdict::Error,
        error: Some(ErrorReport {
            kind: "assertion".into(),
            message: message.into(),
            file: "src/two words,100%.c".into(),
            line: 12,
            column: 5,
            function: "work".into(),
            thread: 1,
            threads: vec![
                thread(1, "src/two words,100%.c", 12),
                thread(0, "/abs/main.c", 30),
            ],
            hang: None,
        }),
        trace: vec![
            step(0, "/abs/main.c", 29, "starts thread 1"),
            step(1, "src/two words,100%.c", 10, "writes a[0]: 0 becomes 1"),
            step(1, "src/two words,100%.c", 10, "writes a[0]: 0 becomes 1"),
            step(0, "", 0, "reads b: <none> & more"),
        ],
        ..verified()
    }
}

fn hang() -> Report {
    let hung = |thread, state, waits: &str| HungThread {
        thread,
        routine: None,
        started: None,
        state,
        waits: Some(waits.into()),
        resource: None,
        waits_for: Vec::new(),
        places: vec![Spot {
            file: "a.c".into(),
            line: 3,
        }],
        reads: Vec::new(),
        writes: Vec::new(),
        does: Vec::new(),
        holds: Vec::new(),
        holds_since: Vec::new(),
    };
    let region = RegionReport {
        states: 1,
        complete: true,
        threads: vec![
            hung(0, ThreadStatus::Blocked, "for thread 1 to end"),
            hung(1, ThreadStatus::Blocked, "to lock m"),
        ],
        cycle: vec![0, 1],
    };
    let mut report = error();
    report.trace.clear();
    let error = report.error.as_mut().expect("it is an error");
    error.kind = "hang".into();
    error.message = "thread 1 can never lock m".into();
    error.file.clear();
    error.hang = Some(HangReport {
        section: None,
        region,
    });
    report
}

fn inconclusive() -> Report {
    let reason = |what: &str, file: &str, line| Reason {
        what: what.into(),
        file: file.into(),
        line,
    };
    Report {
        verdict: Verdict::Inconclusive,
        reason: Some("not supported: the function far has no definition".into()),
        omissions: vec![reason("the function far has no definition", "a.c", 4)],
        environment: vec![reason("getenv(\"HOME\") returns null", "", 0)],
        ..verified()
    }
}

fn suppressed() -> Report {
    let suppressed = |kind: &str, line, reason: Option<&str>| Suppressed {
        kind: kind.into(),
        what: "accesses to a count as relaxed atomic ones".into(),
        file: if line > 0 {
            "a.c".into()
        } else {
            String::new()
        },
        line,
        rule: "impasse.toml:3".into(),
        reason: reason.map(str::to_owned),
    };
    Report {
        suppressed: vec![
            suppressed("memory-leak", 0, None),
            suppressed("data-race", 4, Some("statistics")),
            suppressed("data-race", 5, None),
        ],
        ..verified()
    }
}

/// As a list of one report with a name.
fn named(report: &Report) -> [Named; 1] {
    [Named {
        name: "tests/a<b>.c".into(),
        report: report.clone(),
    }]
}

fn all() -> [(&'static str, Report); 5] {
    [
        ("suppressed", suppressed()),
        ("verified", verified()),
        ("error", error()),
        ("hang", hang()),
        ("inconclusive", inconclusive()),
    ]
}

/// The schema of OASIS, which the crate `serde-sarif` comes with.
fn sarif_schema() -> Validator {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", "--cfg sarif_schema")
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    let mut packages = metadata["packages"].as_array().expect("packages").iter();
    let package = packages.find(|it| it["name"] == "serde-sarif");
    let manifest = package.and_then(|it| it["manifest_path"].as_str());
    let path = Path::new(manifest.expect("a dependency")).with_file_name("src/schema.json");
    let text = std::fs::read_to_string(&path).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("it is JSON");
    // The pattern of this property, which logs of Impasse do not have, is no regular expression.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        let pattern = language.as_object_mut().and_then(|it| it.remove("pattern"));
        assert!(pattern.is_some(), "the schema has changed");
    }
    jsonschema::draft7::new(&schema).expect("it is a schema")
}

#[test]
fn sarif_logs_fit_the_schema() {
    let schema = sarif_schema();
    for (name, report) in all() {
        let text = sarif::render(&named(&report), "1.2.3", Rendering::default());
        let mut log: Value = serde_json::from_str(&text).expect("it is JSON");
        let errors: Vec<String> = schema.iter_errors(&log).map(|it| it.to_string()).collect();
        assert_eq!(errors, [""; 0], "{name}");
        log["runs"][0]["surprise"] = Value::Null;
        assert!(!schema.is_valid(&log), "the schema allows everything");
        insta::assert_snapshot!(format!("sarif-{name}"), text);
    }
}

#[test]
fn steps_are_in_order_across_threads() {
    let text = sarif::render(&named(&error()), "1.2.3", Rendering::default());
    let log: Value = serde_json::from_str(&text).expect("it is JSON");
    let flows = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].as_array();
    let order = |flow: &Value| -> Vec<u64> {
        let locations = flow["locations"].as_array().expect("locations").iter();
        locations
            .filter_map(|location| location["executionOrder"].as_u64())
            .collect()
    };
    let orders: Vec<Vec<u64>> = flows.expect("thread flows").iter().map(order).collect();
    assert_eq!(orders, [vec![1, 3], vec![2]]);
}

#[test]
fn github_shows_annotations() {
    for (name, report) in all() {
        let text = github::render(&report, Rendering::default());
        let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
        let expected = 1 + report.omissions.len() + report.suppressed.len();
        assert_eq!(commands.len(), expected, "{name}: {text}");
        assert!(text.starts_with("::"), "{name}");
        let log = text.lines().skip(expected);
        assert!(
            !log.into_iter().any(|line| line.contains("##[")),
            "{name}: {text}"
        );
        insta::assert_snapshot!(format!("github-{name}"), commands.join("\n"));
    }
}

/// What xmllint says about a document that does not fit the schema of JUnit XML.
fn against_junit_schema(text: &str) -> Result<(), String> {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/junit.xsd");
    let mut xmllint = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema", schema, "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint (package libxml2-utils)");
    let mut input = xmllint.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = xmllint.wait_with_output().expect("it ends");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn junit_fits_the_schema() {
    for (name, report) in all() {
        let text = junit::render(&named(&report), Rendering::default());
        against_junit_schema(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let wrong = text.replace(" classname=", " surprise=");
        assert!(against_junit_schema(&wrong).is_err(), "everything fits");
        let counts = |what: &str, number| text.contains(&format!(" {what}=\"{number}\""));
        let (failures, errors) = match report.verdict {
            Verdict::Verified => (0, 0),
            Verdict::Error => (1, 0),
            Verdict::Inconclusive => (0, 1),
        };
        assert!(
            counts("failures", failures) && counts("errors", errors),
            "{name}"
        );
        insta::assert_snapshot!(format!("junit-{name}"), text);
    }
}

#[test]
fn several_reports_are_runs_and_test_cases() {
    let several: Vec<Named> = all().iter().flat_map(|(_, report)| named(report)).collect();
    let text = sarif::render(&several, "1.2.3", Rendering::default());
    let log: Value = serde_json::from_str(&text).expect("it is JSON");
    assert!(sarif_schema().is_valid(&log));
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(5));
    let text = junit::render(&several, Rendering::default());
    against_junit_schema(&text).expect("it fits");
    let head = "tests=\"5\" failures=\"2\" errors=\"1\"";
    assert!(text.contains(head), "{text}");
}

#[test]
fn a_report_is_read_back_from_json() {
    for (name, report) in all() {
        let text = serde_json::to_string(&report).expect("it is plain data");
        let back: Report = serde_json::from_str(&text).expect("it is a report");
        assert_eq!(back, report, "{name}");
    }
}
