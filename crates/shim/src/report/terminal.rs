//! A result as text: the verdict first, then what happens, then how it comes about.

use crate::verdict::{Branch, CheckResult, PaperResult, TraceStep, Verdict};
use crate::words::counted;
use std::fmt::Write;

/// Longer traces are shown with their middle left out.
const MAX_STEPS: usize = 40;

/// Writes terminal text, coloured or not.
struct Paint {
    colour: bool,
    out: String,
}

impl Paint {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn painted(&self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    fn heading(&mut self, text: &str) {
        let text = self.painted("1", text);
        self.line(&format!("\n{text}"));
    }
}

/// Returns a result as text, with ANSI escapes if `colour`.
pub fn text(result: &CheckResult, colour: bool) -> String {
    let mut paint = Paint {
        colour,
        out: String::new(),
    };
    let code = match result.verdict {
        Verdict::DeadlockFree => "1;32",
        Verdict::Deadlock | Verdict::Inevitable => "1;31",
        Verdict::Possible => "1;33",
    };
    let word = paint.painted(code, result.verdict.word());
    paint.line(&format!("{}: {word}: {}", result.file, meaning(result)));
    paint.line(&format!("  {}", result.method));
    if let Some(reason) = &result.reason {
        paint.line(&format!("  {reason}"));
    }
    if !result.inputs.is_empty() {
        paint.heading("Inputs");
        result
            .inputs
            .iter()
            .for_each(|input| paint.line(&format!("  {} = {}", input.name, shorten(&input.value))));
    }
    if result.error.is_some() {
        trace(&mut paint, result);
        ending(&mut paint, result);
    }
    unsettled(&mut paint, result);
    for warning in &result.warnings {
        let word = paint.painted("33", "warning");
        paint.line(&format!(
            "\n{word}: {} (line {})",
            warning.message, warning.line
        ));
    }
    if !result.assumptions.is_empty() {
        paint.heading("Taken for granted");
        result
            .assumptions
            .iter()
            .for_each(|place| paint.line(&format!("  line {}: {}", place.line, place.message)));
    }
    let megabytes = result.peak_memory_bytes as f64 / 1e6;
    paint.line(&format!(
        "\n{}, {}, states: {}, {:.3} s, {megabytes:.1} MB",
        counted(result.tasks.len(), "task"),
        counted(result.channels.len(), "channel"),
        result.states,
        result.seconds
    ));
    paint.out
}

/// The verdict in words.
pub(super) fn meaning(result: &CheckResult) -> String {
    if let Some(unless) = &result.unless {
        return format!("the program deadlocks, unless {unless}");
    }
    let words = match (result.verdict, result.inputs.is_empty()) {
        (Verdict::DeadlockFree, _) => "the program never deadlocks",
        (Verdict::Deadlock, true) => "the program deadlocks",
        (Verdict::Deadlock, false) => "the program deadlocks on the inputs below",
        (Verdict::Inevitable, _) => "the program always deadlocks",
        (Verdict::Possible, _) if result.error.is_none() => {
            "it is not known whether the program deadlocks"
        }
        (Verdict::Possible, _) => "the program may deadlock; some branches could not be settled",
    };
    words.into()
}

fn shorten(value: &str) -> String {
    if value.chars().count() > 120 {
        format!("{}…", value.chars().take(120).collect::<String>())
    } else {
        value.to_string()
    }
}

fn trace(paint: &mut Paint, result: &CheckResult) {
    if result.trace.is_empty() {
        return paint.heading("Nobody communicates before it");
    }
    paint.heading("How it comes about");
    let count = result.trace.len();
    for (index, step) in result.trace.iter().enumerate() {
        if count > MAX_STEPS && index == MAX_STEPS / 4 {
            paint.line(&format!("        … {} more …", count - MAX_STEPS));
        }
        if count <= MAX_STEPS || index < MAX_STEPS / 4 || index >= count - 3 * MAX_STEPS / 4 {
            paint.line(&format!("  {:>4}  {}", index + 1, sentence(step)));
            step.branches
                .iter()
                .for_each(|branch| paint.line(&format!("        {}", branch_text(branch))));
        }
    }
}

/// A rendezvous in one line.
pub(super) fn sentence(step: &TraceStep) -> String {
    let who = |action: &str| {
        let tasks = step.participants.iter().filter(|p| p.action == action);
        tasks
            .map(|p| format!("{}:{}", p.task, p.line))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (senders, receivers) = (who("sends"), who("receives"));
    let mut text = step.channel.clone();
    if let Some(value) = &step.value {
        write!(text, " = {value}").expect("text grows");
    }
    match (step.kind, senders.is_empty(), receivers.is_empty()) {
        ("exception", ..) => write!(
            text,
            "  an exception reaches {}",
            [senders, receivers].concat()
        ),
        (_, false, false) => write!(text, "  {senders} → {receivers}"),
        (_, false, true) => write!(text, "  {senders} alone"),
        _ => write!(text, "  {receivers}, no task sends"),
    }
    .expect("text grows");
    text
}

fn branch_text(branch: &Branch) -> String {
    let truth = if branch.taken { "true" } else { "false" };
    format!(
        "{}:{}  {} is {truth}",
        branch.task, branch.line, branch.condition
    )
}

fn ending(paint: &mut Paint, result: &CheckResult) {
    let cycle = result.cycle.join(" → ");
    let first = result.cycle.first().cloned().unwrap_or_default();
    let heading = format!("Then no task can continue: {cycle} → {first}");
    let heading = paint.painted("1;31", &heading);
    paint.line(&format!("\n{heading}"));
    for waiting in &result.waiting {
        let mark = if result.cycle.contains(&waiting.task) {
            paint.painted("31", "*")
        } else {
            " ".into()
        };
        paint.line(&format!(
            "  {mark} {} (line {}) {}, for {}",
            waiting.task,
            waiting.line,
            waiting.what,
            waiting.for_tasks.join(", ")
        ));
    }
    if let Some(help) = &result.help {
        paint.line(&format!("\nhelp: {help}"));
    }
}

fn unsettled(paint: &mut Paint, result: &CheckResult) {
    if result.verdict == Verdict::Possible && !result.unsettled.is_empty() {
        paint.heading("Branches that could not be settled");
        result
            .unsettled
            .iter()
            .for_each(|branch| paint.line(&format!("  {}", branch_text(branch))));
    }
}

/// Returns a row of the paper's table, below its header.
pub fn paper_table(name: &str, row: &PaperResult) -> String {
    let head = format!(
        "{:<24} {:>6} {:>8} {:>6}  {:<14} {:>11} {:>10}  {}",
        "program", "lines", "channels", "tasks", "result", "time", "memory", "states"
    );
    let reason = row.reason.iter().map(|reason| format!("  {reason}\n"));
    let reason: String = reason.collect();
    format!("{head}\n{}\n{reason}", paper_row(name, row))
}

/// Returns a row of the paper's table.
pub fn paper_row(name: &str, row: &PaperResult) -> String {
    let note = if row.exceptions_ignored {
        " (exceptions ignored)"
    } else {
        ""
    };
    format!(
        "{name:<24} {:>6} {:>8} {:>6}  {:<14} {:>9.4} s {:>7.1} MB  {} states{note}",
        row.lines,
        row.channels,
        row.tasks,
        row.words(),
        row.seconds,
        row.peak_memory_bytes as f64 / 1e6,
        row.states
    )
}
