//! A report for a person: the verdict in one line, what happened, the trace, and where each
//! thread is.

use crate::model::{
    ErrorReport, Frame, HangReport, InputValue, Named, Reason, Report, Schedules, Scope, Step,
    Suppressed, ThreadReport, Verdict, Worker,
};
use crate::objects::introduced;
use crate::rendering::{Rendering, bytes, grouped, thread_name};
use crate::reproduction::{NativeOutcome, NativeRun, ReplayOutcome, Replayed};
use crate::trace::{self, Gap, Line};
use crate::why;
use anstyle::{AnsiColor, Style};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const THREADS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Red,
];

/// Traces longer than this are shown without the steps on which the error does not depend, unless
/// everything is asked for; and without their middle if that is not enough.
const SHOWN: trace::Limits = trace::Limits {
    usual: 60,
    most: 300,
};

/// Stacks deeper than this are shown without their middle, likewise.
const DEEP: usize = 20;

/// The local variables of a frame end after so many characters, unless everything is asked for.
const LONGEST_LOCALS: usize = 100;

/// How many questions to the environment are shown.
const ASKED: usize = 10;

/// The reason of an inconclusive report that gives none.
pub(crate) const NOT_ALL: &str = "not everything was checked";

/// Returns a report as text with colours: ANSI escapes, which the caller strips where they do not
/// belong.
pub fn render(report: &Report, rendering: Rendering) -> String {
    let mut out = String::new();
    match (&report.replayed, &report.error) {
        (Some(replayed), None) => replayed_headline(&mut out, replayed, &report.trace, rendering),
        _ => headline(&mut out, report),
    }
    if let Some(error) = &report.error {
        source_line(&mut out, error);
        if let Some(replayed) = &report.replayed {
            let _ = writeln!(out, "\n{YELLOW}note{YELLOW:#}: {}", replayed.text);
        }
        native(&mut out, report.native.as_ref());
        if let Some(reason) = &report.reason {
            let _ = writeln!(out, "\n{YELLOW}note{YELLOW:#}: {reason}");
        }
        if !report.trace.is_empty() {
            trace(&mut out, "how it happens", &report.trace, rendering);
        }
        inputs(&mut out, &report.inputs);
        if let Some(hang) = &error.hang {
            why(&mut out, hang);
        }
        for thread in &error.threads {
            stack(&mut out, thread, error, rendering);
        }
        let lines = trace::lines(&report.trace, rendering);
        let shown = trace::shown(&lines, rendering, SHOWN);
        out = introduced(out, &report.trace, &lines, &shown);
    }
    if report.error.is_none() && report.replayed.is_some() && !report.trace.is_empty() {
        trace(&mut out, "how far the path goes", &report.trace, rendering);
    }
    for omission in &report.omissions {
        let place = place(&omission.file, omission.line);
        let _ = writeln!(out, "  left out: {}{place}", omission.what);
    }
    if report.error.is_some() && !report.environment.is_empty() {
        out.push('\n');
    }
    environment(&mut out, &report.environment);
    suppressed(&mut out, &report.suppressed);
    figures(&mut out, report);
    out
}

/// Returns the heading of one of several reports, as a line without its end.
pub fn heading(name: &str) -> String {
    format!("{BOLD}== {name}{BOLD:#}")
}

/// Returns how many checks had which verdict, as a line.
pub fn summary(reports: &[Named]) -> String {
    let count = |verdict| {
        let of = reports.iter().filter(|it| it.report.verdict == verdict);
        of.count()
    };
    let (verified, errors) = (count(Verdict::Verified), count(Verdict::Error));
    let inconclusive = count(Verdict::Inconclusive);
    format!(
        "{BOLD}{} checks{BOLD:#}: {verified} verified, {errors} with errors, {inconclusive} inconclusive\n",
        reports.len()
    )
}

/// Returns a verdict as one word in its colour, padded to the longest of the words.
pub fn verdict(verdict: Verdict) -> String {
    let (style, word) = match verdict {
        Verdict::Verified => (GREEN, "verified"),
        Verdict::Error => (RED, "error"),
        Verdict::Inconclusive => (YELLOW, "inconclusive"),
    };
    format!("{style}{word:<12}{style:#}")
}

/// What the verdict assumes of the environment, if anything.
fn environment(out: &mut String, asked: &[Reason]) {
    let line = |asked: &Reason| format!("{}{}", asked.what, place(&asked.file, asked.line));
    let head = format!("{YELLOW}note{YELLOW:#}: assumed of the environment:");
    match asked {
        [] => {}
        [one] => {
            let _ = writeln!(out, "{head} {}", line(one));
        }
        several => {
            let _ = writeln!(out, "{head}");
            for asked in several.iter().take(ASKED) {
                let _ = writeln!(out, "  {}", line(asked));
            }
            if let Some(more) = several.len().checked_sub(ASKED + 1) {
                let _ = writeln!(out, "  and {} more (--format json has all)", more + 1);
            }
        }
    }
}

/// The values of inputs, as a table.
fn inputs(out: &mut String, inputs: &[InputValue]) {
    if inputs.is_empty() {
        return;
    }
    let rows = inputs.iter().map(|input| {
        let file = input.file.rsplit('/').next().unwrap_or_default();
        let place = match file.is_empty() || input.file.starts_with("/library/") {
            true => String::new(),
            false => format!("{file}:{}", input.line),
        };
        let (value, hexadecimal) = (input.value.clone(), input.hexadecimal.clone());
        [
            input.name.clone(),
            place,
            value,
            hexadecimal,
            input.text.clone(),
        ]
    });
    let rows: Vec<[String; 5]> = rows.collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3].map(width);
    let _ = writeln!(out, "\n{BOLD}inputs{BOLD:#}");
    for [name, place, value, hexadecimal, text] in &rows {
        let [a, b, c, d] = widths;
        let row = format!("    {name:a$}  {place:b$}  {value:>c$}  {hexadecimal:d$}  {text}");
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

/// The errors that the user has suppressed.
fn suppressed(out: &mut String, suppressed: &[Suppressed]) {
    if !suppressed.is_empty() {
        let _ = writeln!(out, "\n{BOLD}suppressed{BOLD:#}");
    }
    for it in suppressed {
        let place = place(&it.file, it.line);
        let reason = it.reason.iter().map(|reason| format!(": {reason}"));
        let (kind, what, rule, reason) = (&it.kind, &it.what, &it.rule, reason.collect::<String>());
        let _ = writeln!(out, "  {kind}{place}: {what} {DIM}({rule}{reason}){DIM:#}");
    }
}

fn headline(out: &mut String, report: &Report) {
    match (&report.verdict, &report.error) {
        (Verdict::Verified, _) => {
            let hangs = match report.hangs {
                Scope::Local if report.sections.is_empty() => ", and every section can end".into(),
                Scope::Local => {
                    let types = report.sections.join(", ");
                    format!(", and every section of these types can end: {types}")
                }
                Scope::Global => ", and the program can always end".into(),
                Scope::Deadlocks => {
                    " (of hangs, only deadlocks of all threads were looked for)".into()
                }
                Scope::Off => " (hangs were not looked for)".to_owned(),
            };
            let nonterminating = match report.nonterminating {
                true => "; some executions never end (--hangs global shows where)",
                false => "",
            };
            let model = match report.memory_model {
                Some(model) => format!(" under {}", model.name()),
                None => String::new(),
            };
            let volatile = match report.volatile_atomic {
                true => " with atomic volatile variables",
                false => "",
            };
            let _ = writeln!(
                out,
                "{GREEN}verified{GREEN:#}{model}{volatile}: {}{hangs}{nonterminating}",
                no_error(report),
            );
        }
        (Verdict::Inconclusive, _) => {
            let reason = report.reason.as_deref().unwrap_or(NOT_ALL);
            let _ = writeln!(out, "{YELLOW}inconclusive{YELLOW:#}: {reason}");
        }
        (Verdict::Error, Some(error)) => {
            let (kind, message) = (&error.kind, &error.message);
            let place = place(&error.file, error.line);
            let _ = writeln!(
                out,
                "{RED}error{RED:#}: {BOLD}{kind}{BOLD:#}{place}: {message}"
            );
        }
        (Verdict::Error, None) => {
            let _ = writeln!(out, "{RED}error{RED:#}");
        }
    }
}

/// What a real process showed of the error.
fn native(out: &mut String, run: Option<&NativeRun>) {
    let Some(run) = run else {
        return;
    };
    let (style, what) = match run.outcome {
        NativeOutcome::Occurs => (RED, "the error occurs in a real process"),
        NativeOutcome::NotSeen => (YELLOW, "a real process did not show the error"),
        NativeOutcome::LeftPath => (YELLOW, "a real process did not follow the path"),
        NativeOutcome::NotTried => (YELLOW, "no real process can show the error"),
    };
    let _ = writeln!(out, "\n{style}native{style:#}: {what}: {}", run.text);
}

/// What became of a path that leads to no error, or may not.
fn replayed_headline(out: &mut String, it: &Replayed, steps: &[Step], rendering: Rendering) {
    let text = &it.text;
    let _ = match it.outcome {
        ReplayOutcome::NoError => writeln!(out, "{GREEN}no error{GREEN:#}: {text}"),
        ReplayOutcome::NoPath => {
            let last = trace::lines(steps, rendering)
                .last()
                .map_or(0, |line| line.number);
            let step = last + 1;
            writeln!(
                out,
                "{YELLOW}inconclusive{YELLOW:#}: the path no longer exists at step {step}: {text}"
            )
        }
        _ => writeln!(out, "{YELLOW}inconclusive{YELLOW:#}: {text}"),
    };
}

/// That no error can happen, unless it is suppressed.
pub(crate) fn no_error(report: &Report) -> String {
    match report.suppressed.len() {
        0 => "no error can happen".into(),
        1 => "apart from 1 suppression, no error can happen".into(),
        several => format!("apart from {several} suppressions, no error can happen"),
    }
}

fn place(file: &str, line: u32) -> String {
    match line {
        0 => String::new(),
        line => format!(" at {file}:{line}"),
    }
}

fn source_line(out: &mut String, error: &ErrorReport) {
    let mut sources = Sources::default();
    if let Some(text) = sources.line(&error.file, error.line) {
        let _ = writeln!(
            out,
            "\n  {DIM}{:>5} |{DIM:#} {}",
            error.line,
            text.trim_end()
        );
        if error.column > 0 {
            let indent: String = text
                .chars()
                .take(error.column as usize - 1)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let _ = writeln!(out, "  {DIM}      |{DIM:#} {indent}{RED}^{RED:#}");
        }
    }
}

/// Lines of source files, each read once.
#[derive(Default)]
struct Sources {
    files: HashMap<String, Option<Vec<String>>>,
}

impl Sources {
    fn line(&mut self, file: &str, line: u32) -> Option<String> {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(file).ok()?;
            Some(text.lines().map(str::to_owned).collect())
        });
        lines.as_ref()?.get(line.checked_sub(1)? as usize).cloned()
    }
}

fn colour(thread: u32) -> Style {
    THREADS[thread as usize % THREADS.len()].on_default()
}

fn trace(out: &mut String, heading: &str, steps: &[Step], rendering: Rendering) {
    let _ = writeln!(out, "\n{BOLD}{heading}{BOLD:#}");
    let lines = trace::lines(steps, rendering);
    let places: Vec<String> = lines.iter().map(|line| step_place(line.step)).collect();
    let wide = places.iter().map(String::len).max().unwrap_or(0).min(40);
    let names = lines.iter().map(|l| thread_name(l.step.thread).len());
    let names = names.max().unwrap_or(0);
    let shown = trace::shown(&lines, rendering, SHOWN);
    let mut gaps = trace::gaps(&lines, &shown).into_iter().peekable();
    let mut said = None;
    let mut left_out = |out: &mut String, before: usize| {
        while let Some((range, gap)) = gaps.next_if(|(range, _)| range.start < before) {
            let text = gap_in_words(&range, &gap, &lines, said.as_ref() == Some(&gap));
            let _ = writeln!(out, "  {DIM}... {text}{DIM:#}");
            said = Some(gap);
        }
    };
    for n in shown {
        let (line, place) = (&lines[n], &places[n]);
        left_out(out, n);
        let style = colour(line.step.thread);
        let name = thread_name(line.step.thread);
        let (number, text) = (line.number, line.text.trim_end());
        let times = match line.times {
            1 => String::new(),
            count => format!(" {DIM}({} times){DIM:#}", grouped(count as u64)),
        };
        let _ = writeln!(
            out,
            "  {DIM}{number:>4}{DIM:#}  {style}{name:<names$}{style:#}  {DIM}{place:<wide$}{DIM:#}  {text}{times}"
        );
    }
    left_out(out, lines.len());
}

/// What is left out of a trace, and why; shorter if the line about the gap before says the same.
fn gap_in_words(range: &Range<usize>, gap: &Gap, lines: &[Line<'_>], is_said: bool) -> String {
    let count = grouped(range.len() as u64);
    let what = match gap {
        Gap::Repeats(of, times) => {
            let (first, last) = (lines[of.start].number, lines[of.end - 1].number);
            let times = grouped(*times as u64);
            return match of.len() {
                1 => format!("step {first} repeats {times} more times"),
                _ => format!("steps {first} to {last} repeat {times} more times"),
            };
        }
        _ if is_said => return format!("{count} such steps"),
        Gap::StartUp => "steps of main before other threads start",
        Gap::Minor => "steps on which the error does not depend",
        Gap::TooLong => "more steps",
    };
    format!("{count} {what} (--full-trace shows them)")
}

fn why(out: &mut String, hang: &HangReport) {
    let _ = writeln!(out, "\n{BOLD}why it never ends{BOLD:#}");
    let lines = why::lines(hang);
    let names = lines.iter().map(|(thread, _)| thread_name(*thread).len());
    let names = names.max().unwrap_or(0);
    for (thread, text) in lines {
        let (style, name) = (colour(thread), thread_name(thread));
        let _ = writeln!(out, "  {style}{name:<names$}{style:#}  {text}");
    }
    for remark in why::remarks(hang) {
        let _ = writeln!(out, "  {remark}");
    }
}

fn step_place(step: &Step) -> String {
    match step.line {
        0 => step.function.clone(),
        line => {
            let file = step.file.rsplit('/').next().unwrap_or(&step.file);
            format!("{file}:{line}")
        }
    }
}

fn stack(out: &mut String, thread: &ThreadReport, error: &ErrorReport, rendering: Rendering) {
    let style = colour(thread.thread);
    let name = thread_name(thread.thread);
    let own = thread.stack.iter().any(|f| !f.library);
    let is_placed = thread.thread != error.thread || error.line > 0;
    let elsewhere = !own && is_placed && !rendering.library_frames;
    let what = match &thread.waits {
        None if elsewhere => " is outside of the program's own code".into(),
        _ if error.hang.is_some() => String::new(),
        Some(waits) => format!(" waits {waits}"),
        None if thread.thread == error.thread => " is where the error happens".into(),
        None => String::new(),
    };
    let _ = writeln!(out, "\n{style}{name}{style:#}{what}");
    if elsewhere {
        return;
    }
    let shown = |frame: &&Frame| !frame.library || !own || rendering.library_frames;
    let frames: Vec<&Frame> = thread.stack.iter().filter(shown).collect();
    let hidden = match frames.len() {
        n if n > DEEP && !rendering.whole_trace => DEEP / 2..n - DEEP / 2,
        _ => 0..0,
    };
    for (n, frame) in frames.iter().enumerate() {
        if n == hidden.start && !hidden.is_empty() {
            let _ = writeln!(out, "    {DIM}... {} more frames{DIM:#}", hidden.len());
        }
        if !hidden.contains(&n) {
            let _ = writeln!(out, "    {}", frame_in_words(frame));
            if let Some(locals) = locals_in_words(frame, rendering) {
                let _ = writeln!(out, "        {DIM}{locals}{DIM:#}");
            }
        }
    }
}

/// The local variables of a frame on one line, which ends early unless everything is shown.
fn locals_in_words(frame: &Frame, rendering: Rendering) -> Option<String> {
    let mut line = String::new();
    for (name, value) in &frame.locals {
        let comma = if line.is_empty() { "" } else { ", " };
        let one = format!("{comma}{name} = {value}");
        if !rendering.whole_trace && !line.is_empty() && line.len() + one.len() > LONGEST_LOCALS {
            line += ", ...";
            break;
        }
        line += &one;
    }
    (!line.is_empty() && !frame.library).then_some(line)
}

fn frame_in_words(frame: &Frame) -> String {
    match frame.line {
        0 => frame.function.clone(),
        line => format!("{} {DIM}at {}:{line}{DIM:#}", frame.function, frame.file),
    }
}

fn figures(out: &mut String, report: &Report) {
    if report.replayed.is_some() {
        let _ = writeln!(
            out,
            "\n{DIM}{} transitions, {:.2} s, {}{DIM:#}",
            grouped(report.transitions),
            report.seconds,
            bytes(report.peak_memory_bytes),
        );
        return;
    }
    if let Some(schedules) = &report.schedules {
        return figures_of_schedules(out, schedules, report);
    }
    let _ = writeln!(
        out,
        "\n{DIM}{} states, {} transitions, depth {}, {:.2} s, {}{DIM:#}",
        grouped(report.states),
        grouped(report.transitions),
        grouped(report.depth),
        report.seconds,
        bytes(report.peak_memory_bytes),
    );
    if let [_, _, ..] = report.workers.as_slice() {
        figures_of_workers(out, &report.workers);
    }
}

fn figures_of_workers(out: &mut String, workers: &[Worker]) {
    let states: u64 = workers.iter().map(|worker| worker.states).sum();
    let sent: u64 = workers.iter().map(|worker| worker.sent_bytes).sum();
    let percent = |worker: &Worker| 100.0 * worker.states as f64 / states.max(1) as f64;
    let shares: Vec<String> = workers
        .iter()
        .map(|worker| format!("{:.0} %", percent(worker)))
        .collect();
    let processes = workers.iter().map(|worker| worker.process).max();
    let processes = match processes {
        Some(last @ 1..) => format!(" in {} processes", last + 1),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "{DIM}{} workers{processes} with {} of the states, {} sent{DIM:#}",
        workers.len(),
        shares.join(", "),
        bytes(sent),
    );
}

fn figures_of_schedules(out: &mut String, schedules: &Schedules, report: &Report) {
    let per_second = schedules.steps as f64 / report.seconds.max(0.001);
    let _ = writeln!(
        out,
        "\n{DIM}{} runs ({}, seed {}), {} steps, at most {} in a run, {:.2} s ({} steps/s), {}{DIM:#}",
        grouped(schedules.runs),
        schedules.scheduler,
        schedules.seed,
        grouped(schedules.steps),
        grouped(schedules.longest),
        report.seconds,
        grouped(per_second as u64),
        bytes(report.peak_memory_bytes),
    );
}
