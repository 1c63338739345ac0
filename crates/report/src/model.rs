//! The data of a report. Field names are a stable interface.

pub mod exploration;

use crate::reproduction::{NativeRun, Replayed, Reproduction};
use exploration::Exploration;
use serde::{Deserialize, Serialize};

/// What was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No error can happen, within the stated options.
    Verified,
    /// An error can happen.
    Error,
    /// Neither is known.
    Inconclusive,
}

impl Verdict {
    /// Returns the exit code of the process for this verdict.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Verified => 0,
            Verdict::Error => 1,
            Verdict::Inconclusive => 3,
        }
    }
}

/// Which hangs were looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Sections that can never end.
    Local,
    /// Whether the program can always end.
    Global,
    /// Only that no thread can continue.
    Deadlocks,
    /// None.
    Off,
}

/// The memory models that are weaker than sequential consistency.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryModel {
    /// That of x86 processors.
    Tso,
    /// That of C and C++.
    C11,
}

impl MemoryModel {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Tso => "x86-TSO",
            MemoryModel::C11 => "C11",
        }
    }
}

/// The result of checking a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// What was found out.
    pub verdict: Verdict,
    /// The error, if the verdict is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// Why the verdict is inconclusive, or the trace of an error is missing, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The memory model that was explored, if it is none of sequential consistency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_model: Option<MemoryModel>,
    /// Whether accesses to volatile variables were taken for atomic ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile_atomic: bool,
    /// Which hangs were looked for.
    pub hangs: Scope,
    /// The types of sections that were looked at, if they were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Whether some executions can never end, though every section that was looked at can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nonterminating: bool,
    /// Everything that was left out, with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Reason>,
    /// What the program asked of its environment, with the one answer that was explored: in any
    /// execution, or, if the verdict is an error, in the one that the trace shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Reason>,
    /// The inputs that the program reads in the execution that the trace shows, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputValue>,
    /// The errors that were met and that the user has suppressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
    /// Distinct states visited.
    pub states: u64,
    /// Transitions followed.
    pub transitions: u64,
    /// The length of the longest shortest path: levels of the breadth-first search.
    pub depth: u64,
    /// Seconds that the search took.
    pub seconds: f64,
    /// Memory held by states and bookkeeping when the search ended, in bytes.
    pub state_bytes: u64,
    /// The most memory that the process used, in bytes.
    pub peak_memory_bytes: u64,
    /// What each worker did, if the search had several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<Worker>,
    /// The trace to the error, one action a step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Step>,
    /// The ordinal of each transition on the path to the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What `impasse replay` takes to follow the same path again, also after the source has
    /// changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Reproduction>,
    /// The states on the path to the error, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<Exploration>,
    /// What became of a path that was followed again, if that was done instead of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<Replayed>,
    /// What a real process showed of the error, if one was led along the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeRun>,
    /// The random schedules that were executed instead of a search, which has no states then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedules: Option<Schedules>,
}

/// One worker of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Worker {
    /// The number of its process, from 0.
    #[serde(default)]
    pub process: usize,
    /// States that it owns.
    pub states: u64,
    /// Transitions that it followed.
    pub transitions: u64,
    /// The most memory that its states and bookkeeping held, in bytes.
    pub state_bytes: u64,
    /// States that it sent to others.
    pub sent_states: u64,
    /// How many bytes these took.
    pub sent_bytes: u64,
}

/// An input, with the value that it has in the execution that a trace shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputValue {
    /// Its type, as in `__VERIFIER_nondet_int`.
    pub name: String,
    /// The thread that reads it.
    pub thread: u32,
    /// The file where it is read.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// Its value in decimal.
    pub value: String,
    /// Its value in hexadecimal, read without sign.
    pub hexadecimal: String,
    /// The character, if it is one byte that can be printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Random schedules that were executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedules {
    /// What chose the thread that moves: `random` or `pct`.
    pub scheduler: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Executions that ended, up to the one with the error.
    pub runs: u64,
    /// Those that were cut after the greatest number of steps.
    pub cut: u64,
    /// Those that ended at what is not supported.
    pub omitted: u64,
    /// The steps of all runs.
    pub steps: u64,
    /// The steps of the longest run.
    pub longest: u64,
}

impl Report {
    /// Returns an empty report: verified, all figures zero.
    pub fn blank() -> Report {
        Report {
            verdict: Verdict::Verified,
            error: None,
            reason: None,
            memory_model: None,
            volatile_atomic: false,
            hangs: Scope::Off,
            sections: Vec::new(),
            nonterminating: false,
            omissions: Vec::new(),
            environment: Vec::new(),
            inputs: Vec::new(),
            suppressed: Vec::new(),
            states: 0,
            transitions: 0,
            depth: 0,
            seconds: 0.0,
            state_bytes: 0,
            peak_memory_bytes: 0,
            workers: Vec::new(),
            trace: Vec::new(),
            path: None,
            replay: None,
            exploration: None,
            replayed: None,
            native: None,
            schedules: None,
        }
    }

    /// Returns the exit code of the process for this report.
    pub fn exit_code(&self) -> u8 {
        match (&self.native, &self.replayed) {
            (Some(native), _) => native.outcome.exit_code(),
            (None, Some(replayed)) => replayed.outcome.exit_code(),
            (None, None) => self.verdict.exit_code(),
        }
    }

    /// Moves the place of an error whose thread is in no code of the program's own to where the
    /// trace last shows that thread. Changes nothing if there is no such place.
    pub fn place_in_own_code(&mut self) {
        let Some(error) = &mut self.error else {
            return;
        };
        let stack = error.threads.first().map_or(&[][..], |t| &t.stack);
        if stack.iter().any(|frame| !frame.library && frame.line > 0) {
            return;
        }
        let mut steps = self.trace.iter().rev();
        if let Some(step) = steps.find(|step| step.thread == error.thread && step.line > 0) {
            error.file.clone_from(&step.file);
            error.line = step.line;
            error.column = 0;
            error.function.clone_from(&step.function);
        }
    }
}

/// A report, and the name of what was checked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// What was found.
    pub report: Report,
}

/// An error of the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorReport {
    /// One of the stable names, such as `assertion` or `data-race`.
    pub kind: String,
    /// What happened, in one sentence.
    pub message: String,
    /// The file of the innermost place in the program's own code; empty if there is none.
    pub file: String,
    /// Its line, from 1; 0 if unknown.
    pub line: u32,
    /// Its column, from 1; 0 if unknown.
    pub column: u32,
    /// The function it lies in.
    pub function: String,
    /// The number of the thread; 0 is the main thread.
    pub thread: u32,
    /// All living threads, the one that failed first.
    pub threads: Vec<ThreadReport>,
    /// Why it can never end, if it is a hang.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hang: Option<HangReport>,
}

/// Why something can never end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HangReport {
    /// The section that can never end; none if it is the program as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionReport>,
    /// What the program can do from there.
    pub region: RegionReport,
}

/// A section that can never end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SectionReport {
    /// Its type, as in `--sections`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is about, in the program's names.
    pub resource: String,
    /// The thread that it belongs to.
    pub thread: u32,
    /// Where it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<Spot>,
}

/// The states that cannot be left any more.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RegionReport {
    /// How many there are, as far as they were looked at.
    pub states: u64,
    /// Whether these are all.
    pub complete: bool,
    /// What each thread does.
    pub threads: Vec<HungThread>,
    /// Threads that wait for each other in a cycle; the first one is not repeated at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<u32>,
}

/// The status of a thread in the region of a hang.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThreadStatus {
    /// It is blocked forever.
    Blocked,
    /// It runs forever.
    Running,
    /// It has ended.
    Ended,
}

/// A thread in the region of a hang.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HungThread {
    /// Its number.
    pub thread: u32,
    /// The outermost function of the program's own code that it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routine: Option<String>,
    /// Where it was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Spot>,
    /// What it does.
    pub state: ThreadStatus,
    /// What it waits for, in words, if it is blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<String>,
    /// What it waits for, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The threads that would have to act for it to continue, as far as the operation determines
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<u32>,
    /// Where it is, or where it passes by again and again.
    pub places: Vec<Spot>,
    /// The shared variables that it reads again and again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Reading>,
    /// The shared variables that it changes again and again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// What it does again and again with locks and the like, in words, as in "locks m".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub does: Vec<String>,
    /// The locks that it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// Where it has begun to hold each of them, if that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds_since: Vec<Option<Spot>>,
}

/// A line of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Spot {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// What a thread reads again and again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reading {
    /// The variable.
    pub variable: String,
    /// All values that it finds there.
    pub values: Vec<String>,
    /// Whether any thread changes the variable in the region.
    pub changes: bool,
}

/// A thread at the error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThreadReport {
    /// Its number.
    pub thread: u32,
    /// What it waits for, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<String>,
    /// Its stack, innermost frame first.
    pub stack: Vec<Frame>,
}

/// A frame of a stack.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The file; empty if unknown.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// Whether it is code of a library, and not the program's own.
    pub library: bool,
    /// Its arguments and local variables, and their values. One that is not used any more is
    /// absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<(String, String)>,
}

/// Something that was left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// What it is.
    pub what: String,
    /// The file of the innermost place in the program's own code that leads there.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
}

/// An error that the user has suppressed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its kind, as in [`ErrorReport::kind`].
    pub kind: String,
    /// What was found, or what was not looked for.
    pub what: String,
    /// The file; empty if it is no particular place.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// Where the rule is written.
    pub rule: String,
    /// Why it is suppressed, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One action of the trace to an error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The thread that acts.
    pub thread: u32,
    /// The transition of the path that the step belongs to: an index into the moves of
    /// [`Report::replay`].
    #[serde(default)]
    pub transition: u32,
    /// The function in the program's own code.
    pub function: String,
    /// Its file; empty if unknown.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// `read`, `write`, `assign` (to a local variable in no memory), `fail` (a compare-exchange
    /// that fails), `allocate`, `free`, `delay` (a write that is delayed in a store buffer),
    /// `reach` (it has reached memory), `drop` (it never does, as the memory is gone), `operation`,
    /// `choice` or `output`.
    pub action: String,
    /// The variable read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The value read, or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The value before a write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Of an allocated object, or a part of one that is accessed: the name that it keeps on the
    /// path, as in `Node#3` and `Node#3.next`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Whether it is a detail of what a library does.
    #[serde(default, skip_serializing_if = "is_false")]
    pub library: bool,
    /// The function of the library that the program has called then, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What the variable is a part of then, if that has a name in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// Whether the error does not depend on it: it writes memory that nothing reads which matters,
    /// or reads a value that goes only there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub minor: bool,
    /// The action in words.
    pub text: String,
}

fn is_false(value: &bool) -> bool {
    !value
}
