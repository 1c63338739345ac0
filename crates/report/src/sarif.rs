//! Reports in SARIF 2.1.0, the format of OASIS for the results of analyses: what editors and code
//! hosts show.
//!
//! An error is one result, and so is each suppressed one. Its code flow has a thread flow for each
//! thread of the trace, and the execution order of the steps across them. An inconclusive check is
//! a result of the kind `open`, and a notification for everything that it left out.

use crate::human;
use crate::model::{ErrorReport, Frame, Named, Report, Suppressed, Verdict};
use crate::plain::plain;
use crate::rendering::{Rendering, thread_name};
use crate::{trace, why};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What relative paths start from: the root of the sources, for whoever reads the log.
const ROOT: &str = "%SRCROOT%";

/// The rule of results that are no errors.
const INCONCLUSIVE: &str = "inconclusive";

/// Returns reports as a SARIF log, with a run of this version of Impasse for each.
pub fn render(reports: &[Named], version: &str, rendering: Rendering) -> String {
    let runs = reports.iter().map(|named| run(named, version, rendering));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": runs.collect::<Vec<Value>>(),
    });
    serde_json::to_string_pretty(&log).expect("a log is plain data") + "\n"
}

fn run(named: &Named, version: &str, rendering: Rendering) -> Value {
    let report = &named.report;
    let result = match (report.verdict, &report.error) {
        (Verdict::Verified, _) => None,
        (Verdict::Error, Some(error)) => Some(error_result(report, error, rendering)),
        _ => Some(open_result(report)),
    };
    let suppressed = report.suppressed.iter().map(suppressed_result);
    let mut results: Vec<Value> = result.into_iter().chain(suppressed).collect();
    let mut rules: Vec<Value> = Vec::new();
    for result in &mut results {
        let rule = rule(result["ruleId"].as_str().unwrap_or_default());
        let index = rules.iter().position(|it| *it == rule);
        result["ruleIndex"] = json!(index.unwrap_or(rules.len()));
        if index.is_none() {
            rules.push(rule);
        }
    }
    json!({
        "tool": { "driver": {
            "name": "Impasse",
            "semanticVersion": version,
            "rules": rules,
        } },
        // Code hosts tell runs apart by what comes before the last slash.
        "automationDetails": { "id": format!("impasse/{}/", named.name) },
        "invocations": [{
            "executionSuccessful": true,
            "exitCode": report.exit_code(),
            "toolExecutionNotifications": notifications(report),
        }],
        "results": results,
        "properties": {
            "verdict": report.verdict,
            "states": report.states,
            "transitions": report.transitions,
            "seconds": report.seconds,
        },
    })
}

fn rule(id: &str) -> Value {
    let mut words = id.replace('-', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    json!({ "id": id, "shortDescription": { "text": words } })
}

fn error_result(report: &Report, error: &ErrorReport, rendering: Rendering) -> Value {
    let mut result = json!({
        "ruleId": error.kind,
        "kind": "fail",
        "level": "error",
        "message": { "text": message(report, error) },
    });
    if let Some(place) = location(&error.file, error.line, error.column, &error.function) {
        result["locations"] = json!([place]);
    }
    let stacks: Vec<Value> = error
        .threads
        .iter()
        .map(|thread| {
            let frames: Vec<Value> = thread
                .stack
                .iter()
                .filter_map(|it| frame(it, rendering))
                .collect();
            json!({ "message": { "text": thread_name(thread.thread) }, "frames": frames })
        })
        .collect();
    if !stacks.is_empty() {
        result["stacks"] = json!(stacks);
    }
    if !report.trace.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": thread_flows(report, rendering) }]);
    }
    result
}

/// What happened, and why it never ends.
fn message(report: &Report, error: &ErrorReport) -> String {
    let mut text = error.message.clone();
    if let Some(reason) = &report.reason {
        let _ = write!(text, "\n{reason}");
    }
    if let Some(hang) = &error.hang {
        for (thread, what) in why::lines(hang) {
            let _ = write!(text, "\n{} {what}", thread_name(thread));
        }
        for remark in why::remarks(hang) {
            let _ = write!(text, "\n{remark}");
        }
    }
    plain(&text)
}

fn open_result(report: &Report) -> Value {
    let reason = report.reason.as_deref().unwrap_or(human::NOT_ALL);
    let omissions = report.omissions.iter();
    let places = omissions.filter_map(|it| location(&it.file, it.line, 0, ""));
    json!({
        "ruleId": INCONCLUSIVE,
        "kind": "open",
        "level": "none",
        "message": { "text": reason },
        "locations": places.take(1).collect::<Vec<Value>>(),
    })
}

fn suppressed_result(suppressed: &Suppressed) -> Value {
    let mut text = suppressed.rule.clone();
    if let Some(reason) = &suppressed.reason {
        let _ = write!(text, ": {reason}");
    }
    let mut result = json!({
        "ruleId": suppressed.kind,
        "kind": "fail",
        "level": "error",
        "message": { "text": suppressed.what },
        "suppressions": [{ "kind": "external", "justification": text }],
    });
    if let Some(place) = location(&suppressed.file, suppressed.line, 0, "") {
        result["locations"] = json!([place]);
    }
    result
}

/// What was left out, and what the verdict assumes of the environment.
fn notifications(report: &Report) -> Vec<Value> {
    let omissions = report
        .omissions
        .iter()
        .map(|it| ("warning", "left out", it));
    let asked = report
        .environment
        .iter()
        .map(|it| ("note", "assumed of the environment", it));
    omissions
        .chain(asked)
        .map(|(level, what, reason)| {
            let mut notification = json!({
                "level": level,
                "message": { "text": format!("{what}: {}", reason.what) },
            });
            if let Some(place) = location(&reason.file, reason.line, 0, "") {
                notification["locations"] = json!([place]);
            }
            notification
        })
        .collect()
}

/// The steps of each thread, in the order of the threads. Steps have places in their order across
/// threads, from 1.
fn thread_flows(report: &Report, rendering: Rendering) -> Vec<Value> {
    let mut flows: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
    for line in trace::lines(&report.trace, rendering) {
        let step = line.step;
        let mut place = location(&step.file, step.line, 0, &step.function).unwrap_or(json!({}));
        place["message"] = json!({ "text": line.text });
        let location = json!({ "executionOrder": line.number, "location": place });
        flows.entry(step.thread).or_default().push(location);
    }
    let flow = |(thread, locations): (u32, Vec<Value>)| json!({ "id": thread_name(thread), "locations": locations });
    flows.into_iter().map(flow).collect()
}

fn frame(frame: &Frame, rendering: Rendering) -> Option<Value> {
    if frame.library && !rendering.library_frames {
        return None;
    }
    let place = location(&frame.file, frame.line, frame.column, &frame.function);
    Some(match place {
        Some(place) => json!({ "location": place }),
        None => json!({ "location": { "message": { "text": frame.function } } }),
    })
}

/// A place in the program; none without a file.
fn location(file: &str, line: u32, column: u32, function: &str) -> Option<Value> {
    if file.is_empty() {
        return None;
    }
    let artifact = match file.starts_with('/') {
        true => json!({ "uri": format!("file://{}", escaped(file)) }),
        false => json!({ "uri": escaped(file), "uriBaseId": ROOT }),
    };
    let mut place = json!({ "physicalLocation": { "artifactLocation": artifact } });
    if line > 0 {
        let mut region = json!({ "startLine": line });
        if column > 0 {
            region["startColumn"] = json!(column);
        }
        place["physicalLocation"]["region"] = region;
    }
    if !function.is_empty() {
        place["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    Some(place)
}

/// A path as a URI has it: with every byte escaped that has a meaning there.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
