//! The option `--witness`: a witness of the error that a check finds, or of what always holds at
//! the loops of a program that it verifies, in a file.
//!
//! A search keeps nothing of the states that could be said of a place in the source. So what holds
//! at loops is taken from a proof that the program ends, which is looked for in the same program
//! for a short time.

use crate::console::Console;
use crate::sequential::system;
use anyhow::{Context, Result, anyhow};
use impasse_compile::DataModel;
use impasse_report::witness::{Kind, Task, render, violation};
use impasse_report::{Report, Verdict};
use impasse_termination::answer::Question;
use impasse_termination::nontermination::Arithmetic;
use impasse_termination::search::Goal;
use impasse_termination::subject::{Links, UnknownFunctions, Wanted as Execution};
use impasse_termination::witness::of_invariants;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a proof that has invariants is looked for, and how much work that may be.
const LONGEST: Duration = Duration::from_secs(20);
const MOST_WORK: Duration = Duration::from_secs(5);

/// A witness that is asked for.
#[derive(Clone)]
pub struct Wanted {
    /// The file to write.
    pub path: PathBuf,
    /// The sources of the program.
    pub sources: Vec<PathBuf>,
    /// The flags that they are compiled with.
    pub flags: Vec<String>,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// Why a program that is verified has none, if that is known from the options.
    pub not_if_verified: Option<&'static str>,
}

impl Wanted {
    /// Writes the witness. Returns why there is none if there is none, and fails if a file cannot
    /// be read or written.
    pub fn write(&self, console: &Console, report: &Report) -> Result<Option<&'static str>> {
        let is_c = |file: &Path| file.extension().is_some_and(|it| it == "c" || it == "i");
        if !self.sources.iter().all(|file| is_c(file)) {
            return Ok(Some("the format is one for sources in C"));
        }
        let text = match report.verdict {
            Verdict::Verified => self.correctness(console, report)?,
            _ => self.violation(report)?,
        };
        match text {
            Ok(text) => fs::write(&self.path, text),
            Err(reason) => return Ok(Some(reason)),
        }
        .with_context(|| self.path.display().to_string())?;
        Ok(None)
    }

    fn violation(&self, report: &Report) -> Result<Result<String, &'static str>> {
        let violation = match violation::of(report) {
            Ok(violation) => violation,
            Err(reason) => return Ok(Err(reason)),
        };
        let task = self.task(&violation.specification);
        let identity = self.identity(report);
        let text = render(&task, Kind::Violation, &identity, &violation.segments);
        Ok(Ok(text.map_err(|error| anyhow!(error))?))
    }

    fn correctness(
        &self,
        console: &Console,
        report: &Report,
    ) -> Result<Result<String, &'static str>> {
        if let Some(reason) = self.not_if_verified {
            return Ok(Err(reason));
        }
        if !report.environment.is_empty() || !report.suppressed.is_empty() {
            return Ok(Err(
                "the verdict holds of one environment, or but for what is suppressed",
            ));
        }
        let wanted = Execution {
            main: None,
            stdin_bytes: 0,
            havoc_globals: false,
            havoc_locals: false,
            unknown_functions: UnknownFunctions::Stop,
            data_model: self.data_model,
            links: Links::None,
        };
        let system = system(console, &self.sources, &self.flags, &wanted)?;
        let question = Question {
            system: &system,
            files: &self.sources,
            flags: &self.flags,
            wanted,
            goal: Goal::End,
            arithmetic: Arithmetic::Machine,
            work: Some(MOST_WORK),
        };
        let outcome = question.answer(LONGEST)?;
        let calls = |file: &PathBuf| anyhow::Ok(fs::read_to_string(file)?.contains("reach_error"));
        let calls: Result<Vec<bool>> = self.sources.iter().map(calls).collect();
        let property = match calls?.contains(&true) {
            true => "! call(reach_error())",
            false => "valid-deref",
        };
        let specification = format!("CHECK( init(main()), LTL(G {property}) )");
        of_invariants(&self.task(&specification), &outcome)
    }

    fn task<'t>(&'t self, specification: &'t str) -> Task<'t> {
        Task {
            files: &self.sources,
            data_model: self.data_model.name(),
            specification,
        }
    }

    /// A text that differs between errors.
    fn identity(&self, report: &Report) -> String {
        format!("{:?} {:?} {:?}", self.sources, report.error, report.inputs)
    }
}
