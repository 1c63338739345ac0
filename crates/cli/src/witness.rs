//! The option `--witness`: a witness of the error that a check finds, in a file.

use anyhow::{Context, Result, anyhow};
use impasse_compile::DataModel;
use impasse_report::Report;
use impasse_report::witness::{Task, render, violation};
use std::fs;
use std::path::{Path, PathBuf};

/// A witness that is asked for.
#[derive(Clone)]
pub struct Wanted {
    /// The file to write.
    pub path: PathBuf,
    /// The sources of the program.
    pub sources: Vec<PathBuf>,
    /// The sizes of C's types.
    pub data_model: DataModel,
}

impl Wanted {
    /// Writes the witness. Returns why there is none if there is none, and fails if a file cannot
    /// be read or written.
    pub fn write(&self, report: &Report) -> Result<Option<&'static str>> {
        let is_c = |file: &Path| file.extension().is_some_and(|it| it == "c" || it == "i");
        if !self.sources.iter().all(|file| is_c(file)) {
            return Ok(Some("the format is one for sources in C"));
        }
        let violation = match violation::of(report) {
            Ok(violation) => violation,
            Err(reason) => return Ok(Some(reason)),
        };
        let task = Task {
            files: &self.sources,
            data_model: self.data_model.name(),
            specification: &violation.specification,
        };
        let text = render(&task, &self.identity(report), &violation.segments);
        let text = text.map_err(|error| anyhow!(error))?;
        fs::write(&self.path, text).with_context(|| self.path.display().to_string())?;
        Ok(None)
    }

    /// A text that differs between errors.
    fn identity(&self, report: &Report) -> String {
        format!("{:?} {:?} {:?}", self.sources, report.error, report.inputs)
    }
}
