//! What a check says: the verdict, how it was found, and what shows it. Everything here is data.

use impasse_limits::peak_memory;
use serde::Serialize;

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No input leads to a deadlock.
    DeadlockFree,
    /// Some input leads to a deadlock; it was replayed.
    Deadlock,
    /// Every input leads to a deadlock.
    Inevitable,
    /// The abstraction deadlocks; whether the program does is open.
    Possible,
}

impl Verdict {
    /// Returns the word shown to the user.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::DeadlockFree => "deadlock-free",
            Verdict::Deadlock => "deadlock",
            Verdict::Inevitable => "inevitable",
            Verdict::Possible => "possible",
        }
    }

    /// Returns the exit code of the command line.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::DeadlockFree => 0,
            Verdict::Deadlock | Verdict::Inevitable => 1,
            Verdict::Possible => 3,
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The answer.
    pub verdict: Verdict,
    /// The deadlock, where there is one.
    pub error: Option<ErrorInfo>,
    /// States of the search that gave the answer; runs, where running gave it.
    pub states: String,
    /// Moves between them; instructions, where running gave the answer.
    pub transitions: u64,
    /// The longest of the shortest paths to the states, in moves; where running gave the answer,
    /// the rendezvous of the longest run; 0 where neither is known.
    pub depth: u64,
    /// Memory held by states and moves, in bytes; 0 where it is not known.
    pub state_bytes: u64,
    /// Time from text to verdict.
    pub seconds: f64,
    /// The most memory that this process has held.
    pub peak_memory_bytes: u64,
    /// Why the answer is no better, for `possible`.
    pub reason: Option<String>,
    /// How the deadlock comes about: one entry for each rendezvous.
    pub trace: Vec<TraceStep>,
    /// How the answer was found, in words.
    pub method: String,
    /// The inputs that lead to the deadlock.
    pub inputs: Vec<InputValue>,
    /// Branches on the path that could not be decided, for `possible`.
    pub unsettled: Vec<Branch>,
    /// Who waits where and for whom at the end.
    pub waiting: Vec<Waiting>,
    /// Tasks that wait for one another in a cycle.
    pub cycle: Vec<String>,
    /// What to try.
    pub help: Option<String>,
    /// For `deadlock`: what keeps it from being inevitable, in words, where nothing else does.
    pub unless: Option<String>,
    /// What is suspicious although it is no deadlock.
    pub warnings: Vec<Warning>,
    /// What was taken for granted.
    pub assumptions: Vec<Place>,
    /// The file.
    pub file: String,
    /// Its lines.
    pub lines: usize,
    /// Tasks that communicate.
    pub tasks: Vec<TaskInfo>,
    /// Channels.
    pub channels: Vec<ChannelInfo>,
}

impl CheckResult {
    /// Returns the result before anything is known of a program.
    pub fn unknown(file: &str, lines: usize) -> CheckResult {
        CheckResult {
            verdict: Verdict::Possible,
            error: None,
            states: "0".into(),
            transitions: 0,
            depth: 0,
            state_bytes: 0,
            seconds: 0.0,
            peak_memory_bytes: 0,
            reason: Some(UNFINISHED.into()),
            trace: Vec::new(),
            method: "nothing was found yet".into(),
            inputs: Vec::new(),
            unsettled: Vec::new(),
            waiting: Vec::new(),
            cycle: Vec::new(),
            help: None,
            unless: None,
            warnings: Vec::new(),
            assumptions: Vec::new(),
            file: file.into(),
            lines,
            tasks: Vec::new(),
            channels: Vec::new(),
        }
    }

    /// Returns this result of a search that was stopped for a reason after `seconds` seconds.
    pub fn stopped(mut self, why: &str, seconds: f64) -> CheckResult {
        self.reason = self.reason.map(|reason| format!("{reason}: {why}"));
        self.seconds = seconds;
        self.peak_memory_bytes = peak_memory();
        self
    }
}

/// Why a search that is still running gives no better answer.
pub(crate) const UNFINISHED: &str = "the search was not finished";

/// The deadlock in short.
#[derive(Clone, Debug)]
pub struct ErrorInfo {
    /// Always `deadlock`.
    pub kind: String,
    /// What happens.
    pub message: String,
    /// The file.
    pub file: String,
    /// A line where a task of the cycle waits.
    pub line: u32,
}

/// One rendezvous, or one exception that spreads.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// `rendezvous` or `exception`.
    pub kind: &'static str,
    /// The channel.
    pub channel: String,
    /// What was sent, where it is known.
    pub value: Option<String>,
    /// Who took part.
    pub participants: Vec<Participant>,
    /// The branches that they took after it.
    pub branches: Vec<Branch>,
}

/// A task in a rendezvous.
#[derive(Clone, Debug, Serialize)]
pub struct Participant {
    /// The task.
    pub task: String,
    /// Its line.
    pub line: u32,
    /// `sends` or `receives`.
    pub action: &'static str,
}

/// A branch taken.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Branch {
    /// The task.
    pub task: String,
    /// Its line.
    pub line: u32,
    /// The condition.
    pub condition: String,
    /// Whether it was true.
    pub taken: bool,
}

/// A task that waits at the end.
#[derive(Clone, Debug, Serialize)]
pub struct Waiting {
    /// The task.
    pub task: String,
    /// Its line.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// The channel it waits on; none if it waits for other tasks to end.
    pub channel: Option<String>,
    /// What it waits for, in words.
    pub what: String,
    /// The tasks that it waits for.
    pub for_tasks: Vec<String>,
}

/// A named input.
#[derive(Clone, Debug, Serialize)]
pub struct InputValue {
    /// A parameter of `main`, or `input()` and its task.
    pub name: String,
    /// Its value, or its values in order.
    pub value: String,
}

/// A suspicious thing.
#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// `stuck-tasks`, `computes-forever`, `never-communicates`, `alone-on-channel` or
    /// `run-time-error`.
    pub kind: &'static str,
    /// What happens.
    pub message: String,
    /// Where.
    pub line: u32,
}

/// A place with a remark.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// The remark.
    pub message: String,
    /// Where.
    pub line: u32,
}

/// A task.
#[derive(Clone, Debug, Serialize)]
pub struct TaskInfo {
    /// Its name.
    pub name: String,
    /// The function that it runs.
    pub function: String,
    /// Its line.
    pub line: u32,
    /// The position of the task that runs it.
    pub parent: Option<usize>,
}

/// A channel.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelInfo {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// The positions of the connected tasks that communicate on it, senders first.
    pub senders: Vec<usize>,
    /// Those that receive.
    pub receivers: Vec<usize>,
}

/// The row of the paper's table.
#[derive(Clone, Debug)]
pub struct PaperResult {
    /// The answer; none if the model is too large for every engine, or a limit was reached.
    pub answer: Option<PaperAnswer>,
    /// Reachable states.
    pub states: String,
    /// Why there is no answer.
    pub reason: Option<String>,
    /// Lines of the file.
    pub lines: usize,
    /// Channels that tasks communicate on.
    pub channels: usize,
    /// Tasks that communicate, or that run some that do.
    pub tasks: usize,
    /// Time from text to verdict.
    pub seconds: f64,
    /// The most memory that this process has held.
    pub peak_memory_bytes: u64,
    /// Which engine gave the answer.
    pub engine: &'static str,
    /// Whether exceptions between tasks were ignored, as the paper does.
    pub exceptions_ignored: bool,
}

/// What the paper's model says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaperAnswer {
    /// Whether some path deadlocks.
    pub may: bool,
    /// Whether all paths deadlock.
    pub must: bool,
}

impl PaperResult {
    /// Returns the row of a program whose search was stopped for a reason after `seconds` seconds.
    pub fn stopped(why: &str, lines: usize, seconds: f64) -> PaperResult {
        PaperResult {
            answer: None,
            states: "0".into(),
            reason: Some(format!("{UNFINISHED}: {why}")),
            lines,
            channels: 0,
            tasks: 0,
            seconds,
            peak_memory_bytes: peak_memory(),
            engine: "none",
            exceptions_ignored: false,
        }
    }

    /// Returns the answer in the paper's words.
    pub fn words(&self) -> &'static str {
        match self.answer {
            None => "unknown",
            Some(PaperAnswer { must: true, .. }) => "will deadlock",
            Some(PaperAnswer { may: true, .. }) => "may deadlock",
            Some(_) => "no deadlock",
        }
    }

    /// Returns the verdict that follows from the answer. The model does not know the data, so a
    /// deadlock on some paths only is `Possible`.
    pub fn verdict(&self) -> Verdict {
        match self.answer {
            Some(PaperAnswer { must: true, .. }) => Verdict::Inevitable,
            Some(PaperAnswer { may: false, .. }) => Verdict::DeadlockFree,
            _ => Verdict::Possible,
        }
    }
}
