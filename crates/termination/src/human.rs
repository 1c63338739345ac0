//! The outcome in words.

use crate::outcome::{Cycle, Outcome, Valued, VerdictName};
use crate::problem::Line;
use std::collections::HashMap;
use std::fmt::Write;

/// How many lines of an iteration, and how many inputs, are shown.
const MOST: usize = 16;

/// No line of source is made wider than this.
const WIDEST: usize = 40;
/// How many values of a variable at one line are shown.
const VALUES: usize = 4;

/// The result in words.
pub fn render(outcome: &Outcome, program: &str) -> String {
    let mut text = String::new();
    match outcome.verdict {
        VerdictName::Nonterminating => endless(outcome, &mut text),
        VerdictName::Terminating => {
            let condition = match &outcome.condition {
                Some(condition) => format!(", if {condition}"),
                None => String::new(),
            };
            let over = over(outcome);
            let _ = writeln!(text, "{program} terminates{over}{condition}");
            match &outcome.ranked {
                None => {
                    let paths = outcome.statistics.executions;
                    let what = "all paths end;";
                    let _ = writeln!(text, "  {what} {paths} executions cover them");
                }
                Some(headers) if headers.is_empty() => {
                    let _ = writeln!(
                        text,
                        "  no loop has more than a constant number of iterations"
                    );
                }
                Some(headers) => {
                    let lines: Vec<String> = headers.iter().map(place).collect();
                    let what = "every loop terminates; ranking functions for";
                    let _ = writeln!(text, "  {what} {}", lines.join(", "));
                }
            }
        }
        VerdictName::Unknown => {
            let _ = writeln!(text, "{program}: unknown whether it terminates");
            for reason in &outcome.reasons {
                let _ = writeln!(text, "  {reason}");
            }
        }
    }
    if !outcome.undefined.is_empty() && outcome.verdict != VerdictName::Nonterminating {
        let _ = writeln!(text, "  undefined behaviour:");
        for what in outcome.undefined.iter().take(MOST) {
            let _ = writeln!(text, "    {what}");
        }
    }
    text
}

/// Over which numbers, if not the machine's.
fn over(outcome: &Outcome) -> &'static str {
    match outcome.arithmetic.as_deref() {
        Some("integer") => " over mathematical integers",
        _ => "",
    }
}

fn endless(outcome: &Outcome, text: &mut String) {
    let Some(cycle) = &outcome.cycle else {
        return;
    };
    let verb = match cycle.kind.as_str() {
        "recursion" => "recurses",
        _ => "loops",
    };
    let before: Vec<&Valued> = outcome
        .inputs
        .iter()
        .filter(|i| !i.each_iteration)
        .collect();
    let with = match before.is_empty() {
        true => String::new(),
        false => format!(" with {}", list(&before)),
    };
    let over = over(outcome);
    let condition = match &outcome.condition {
        Some(condition) => format!(", if {condition}"),
        None => String::new(),
    };
    let header = place(&cycle.header);
    let _ = writeln!(text, "{header} {verb} forever{over}{with}{condition}");
    iteration(cycle, text);
    let each: Vec<&Valued> = outcome.inputs.iter().filter(|i| i.each_iteration).collect();
    if !each.is_empty() {
        let _ = writeln!(text, "  each iteration reads these inputs: {}", list(&each));
    }
    if let Some(state) = &outcome.repeated_state {
        let iterations = match state.iterations {
            1 => "1 iteration".to_owned(),
            iterations => format!("{iterations} iterations"),
        };
        let own: Vec<&Valued> = state.variables.iter().filter(|v| !v.library).collect();
        let what = match (own.is_empty(), state.variables.is_empty()) {
            (true, true) => "; no part of it decides a branch".to_owned(),
            (true, false) => "; only library variables decide branches".to_owned(),
            (false, _) => format!(": {}", list(&own)),
        };
        let line = cycle.header.line;
        let _ = writeln!(
            text,
            "  the state at line {line} repeats after {iterations}{what}"
        );
    }
    if outcome.is_never_left {
        let _ = writeln!(text, "  no instruction leaves the loop");
    }
    if let Some(set) = &outcome.recurrent_set {
        let _ = writeln!(
            text,
            "  recurrence set: each iteration preserves these properties:"
        );
        for condition in set.iter().take(MOST) {
            let _ = writeln!(text, "    {condition}");
        }
    }
}

/// A place as `file:line`.
pub(crate) fn place(line: &Line) -> String {
    match (line.file.as_str(), line.line) {
        ("", _) => "an unknown place".into(),
        (file, 0) => file.into(),
        (file, line) => format!("{file}:{line}"),
    }
}

fn list(values: &[&Valued]) -> String {
    let shown = values.iter().take(MOST);
    let mut parts: Vec<String> = shown.map(|v| format!("{} = {}", v.name, v.value)).collect();
    if values.len() > MOST {
        parts.push(format!("and {} more", values.len() - MOST));
    }
    parts.join(", ")
}

/// The lines of one iteration, with their text where the file can be read.
fn iteration(cycle: &Cycle, text: &mut String) {
    let mut lines: Vec<&Line> = Vec::new();
    for line in &cycle.lines {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "  each iteration goes through");
    let mut files: HashMap<&str, Vec<String>> = HashMap::new();
    let mut shown = Vec::new();
    for line in lines.iter().take(MOST) {
        let content = files.entry(&line.file).or_insert_with(|| {
            let content = std::fs::read_to_string(&line.file).unwrap_or_default();
            content.lines().map(str::to_owned).collect()
        });
        let source = content.get(line.line as usize - 1).map_or("", |s| s.trim());
        shown.push((line.line, source.to_owned(), explain(cycle, line)));
    }
    let event = shown.iter().filter(|(_, _, event)| !event.is_empty());
    let widths = event.map(|(_, source, _)| source.chars().count());
    let width = widths.max().unwrap_or(0).min(WIDEST);
    for (line, source, event) in shown {
        let _ = match event.is_empty() {
            true => writeln!(text, "    {line:>5}  {source}"),
            false => writeln!(text, "    {line:>5}  {source:<width$}  {event}"),
        };
    }
    if lines.len() > MOST {
        let _ = writeln!(text, "    and {} more lines", lines.len() - MOST);
    }
}

/// What happens to variables at a line.
pub(crate) fn explain(cycle: &Cycle, line: &Line) -> String {
    let here = cycle.assigned.iter().filter(|event| event.line == *line);
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    for event in here {
        let (Some(name), Some(value)) = (&event.name, &event.value) else {
            if !parts.iter().any(|(_, values)| values.is_empty()) {
                parts.push(("a number wraps around", Vec::new()));
            }
            continue;
        };
        let value = match event.wraps {
            true => format!("{value} (wraps around)"),
            false => value.clone(),
        };
        match parts.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => parts.push((name, vec![value])),
        }
    }
    let part = |(name, mut values): (&str, Vec<String>)| {
        if values.is_empty() {
            return name.to_owned();
        }
        values.dedup();
        if values.len() > VALUES {
            values.truncate(VALUES);
            values.push("…".into());
        }
        format!("{name} = {}", values.join(", then "))
    };
    parts.into_iter().map(part).collect::<Vec<_>>().join("; ")
}
