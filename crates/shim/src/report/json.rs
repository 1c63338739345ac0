//! Results as JSON, with the fields of every Impasse report ([`impasse_report::Report`]) and more.
//!
//! A thread is a task, numbered by its position among the tasks; a step of the trace is a
//! rendezvous, which belongs to the task that sends, or to the first of those that meet.

use super::terminal::sentence;
use crate::diagnostic::Rejected;
use crate::verdict::{
    Branch, ChannelInfo, CheckResult, InputValue, PaperResult, Participant, Place, TaskInfo,
    TraceStep, Verdict, Waiting, Warning,
};
use impasse_report::{ErrorReport, Frame, Scope, Step, ThreadReport};
use serde::Serialize;

/// Beyond this, a number of JSON may be read inexactly.
const EXACT: u128 = 1 << 53;

/// Returns a result as JSON.
pub fn json(result: &CheckResult) -> String {
    pretty(&Document::new(result))
}

/// Returns a row of the paper's table as JSON.
pub fn paper_json(row: &PaperResult) -> String {
    pretty(&PaperDocument {
        verdict: row.verdict(),
        reason: row.reason.as_deref(),
        counts: Counts::new(&row.states),
        seconds: row.seconds,
        peak_memory_bytes: row.peak_memory_bytes,
        abstraction: "paper",
        may_deadlock: row.answer.map(|answer| answer.may),
        must_deadlock: row.answer.map(|answer| answer.must),
        lines: row.lines,
        channel_count: row.channels,
        task_count: row.tasks,
        engine: row.engine,
        exceptions_ignored: row.exceptions_ignored,
    })
}

/// Returns the diagnostics of a program as JSON.
pub fn rejected_json(rejected: &Rejected) -> String {
    let file = &rejected.file;
    let place = |span| Location {
        file: &file.name,
        line: file.line(span),
        column: file.column(span),
    };
    let diagnostics = rejected.diagnostics.iter().map(|d| Mistake {
        message: &d.message,
        place: place(d.span),
        label: &d.label,
        others: d
            .others
            .iter()
            .map(|(span, label)| Label {
                place: place(*span),
                label,
            })
            .collect(),
        help: d.help.as_deref(),
    });
    pretty(&Mistakes {
        diagnostics: diagnostics.collect(),
    })
}

fn pretty(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("plain data has a JSON form") + "\n"
}

/// The number of states, and its digits where the number alone may be read inexactly.
#[derive(Serialize)]
struct Counts<'a> {
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_exact: Option<&'a str>,
}

impl Counts<'_> {
    fn new(states: &str) -> Counts<'_> {
        let number = states.parse::<u128>().unwrap_or(u128::MAX);
        Counts {
            states: u64::try_from(number).unwrap_or(u64::MAX),
            states_exact: (number > EXACT).then_some(states),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    hangs: Scope,
    #[serde(flatten)]
    counts: Counts<'a>,
    transitions: u64,
    depth: u64,
    seconds: f64,
    state_bytes: u64,
    peak_memory_bytes: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<Meeting<'a>>,
    method: &'a str,
    inputs: &'a [InputValue],
    unsettled: &'a [Branch],
    waiting: &'a [Waiting],
    cycle: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unless: Option<&'a str>,
    warnings: &'a [Warning],
    assumptions: &'a [Place],
    file: &'a str,
    lines: usize,
    tasks: &'a [TaskInfo],
    channels: &'a [ChannelInfo],
}

#[derive(Serialize)]
struct Meeting<'a> {
    #[serde(flatten)]
    step: Step,
    participants: &'a [Participant],
    branches: &'a [Branch],
}

impl<'a> Document<'a> {
    fn new(result: &'a CheckResult) -> Document<'a> {
        Document {
            verdict: result.verdict,
            error: error(result),
            reason: result.reason.as_deref(),
            hangs: Scope::Deadlocks,
            counts: Counts::new(&result.states),
            transitions: result.transitions,
            depth: result.depth,
            seconds: result.seconds,
            state_bytes: result.state_bytes,
            peak_memory_bytes: result.peak_memory_bytes,
            trace: result.trace.iter().map(|s| meeting(result, s)).collect(),
            method: &result.method,
            inputs: &result.inputs,
            unsettled: &result.unsettled,
            waiting: &result.waiting,
            cycle: &result.cycle,
            help: result.help.as_deref(),
            unless: result.unless.as_deref(),
            warnings: &result.warnings,
            assumptions: &result.assumptions,
            file: &result.file,
            lines: result.lines,
            tasks: &result.tasks,
            channels: &result.channels,
        }
    }
}

fn thread(result: &CheckResult, task: &str) -> u32 {
    let position = result.tasks.iter().position(|info| info.name == task);
    position.unwrap_or(0) as u32
}

fn meeting<'a>(result: &'a CheckResult, step: &'a TraceStep) -> Meeting<'a> {
    let sender = step.participants.iter().find(|p| p.action == "sends");
    let first = sender.or(step.participants.first());
    let thread = first.map_or(0, |p| thread(result, &p.task));
    Meeting {
        step: Step {
            transition: 0,
            thread,
            function: result.tasks[thread as usize].function.clone(),
            file: result.file.clone(),
            line: first.map_or(0, |p| p.line),
            action: step.kind.into(),
            variable: Some(step.channel.clone()),
            value: step.value.clone(),
            old: None,
            object: None,
            library: false,
            call: None,
            part_of: None,
            minor: false,
            text: sentence(step),
        },
        participants: &step.participants,
        branches: &step.branches,
    }
}

fn error(result: &CheckResult) -> Option<ErrorReport> {
    let error = result.error.as_ref()?;
    if result.verdict == Verdict::Possible {
        return None;
    }
    let failed = thread(result, result.cycle.first()?);
    let mut threads: Vec<ThreadReport> = result
        .waiting
        .iter()
        .map(|waiting| ThreadReport {
            thread: thread(result, &waiting.task),
            waits: Some(waits(waiting)),
            stack: stack(result, waiting),
        })
        .collect();
    threads.sort_by_key(|t| t.thread != failed);
    let column = threads
        .first()
        .and_then(|t| t.stack.first())
        .map_or(0, |frame| frame.column);
    Some(ErrorReport {
        kind: error.kind.clone(),
        message: error.message.clone(),
        file: error.file.clone(),
        line: error.line,
        column,
        function: result.tasks[failed as usize].function.clone(),
        thread: failed,
        threads,
        hang: None,
    })
}

/// What a task waits for, without the word.
fn waits(waiting: &Waiting) -> String {
    let what = waiting.what.strip_prefix("waits ").unwrap_or(&waiting.what);
    match waiting.for_tasks.is_empty() {
        true => what.to_string(),
        false => format!("{what}, for {}", waiting.for_tasks.join(", ")),
    }
}

/// Where a task is, and where those are that run it.
fn stack(result: &CheckResult, waiting: &Waiting) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut next = Some(waiting);
    while let Some(waiting) = next {
        let info = &result.tasks[thread(result, &waiting.task) as usize];
        frames.push(Frame {
            locals: Vec::new(),
            function: info.function.clone(),
            file: result.file.clone(),
            line: waiting.line,
            column: waiting.column,
            library: false,
        });
        let parent = info.parent.map(|parent| &result.tasks[parent].name);
        next = parent.and_then(|parent| result.waiting.iter().find(|w| w.task == *parent));
    }
    frames
}

#[derive(Serialize)]
struct PaperDocument<'a> {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(flatten)]
    counts: Counts<'a>,
    seconds: f64,
    peak_memory_bytes: u64,
    abstraction: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    may_deadlock: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    must_deadlock: Option<bool>,
    lines: usize,
    channel_count: usize,
    task_count: usize,
    engine: &'static str,
    exceptions_ignored: bool,
}

#[derive(Serialize)]
struct Mistakes<'a> {
    diagnostics: Vec<Mistake<'a>>,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Mistake<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Location<'a>,
    label: &'a str,
    others: Vec<Label<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    place: Location<'a>,
    label: &'a str,
}
