//! `impasse replay --native`: the path in a real process.

use crate::inputs::Inputs;
use anyhow::{Result, anyhow};
use impasse_compile::Toolchain;
use impasse_diagnose::order::order;
use impasse_machine::system::System;
use impasse_native::{Program, Start, replay};
use impasse_report::{NativeOutcome, NativeRun, Report};
use std::time::Duration;

/// How long one execution may take, without a debugger.
const TIME: Duration = Duration::from_secs(20);

/// What is needed to run the program of a result as a process.
pub struct Native {
    toolchain: Toolchain,
    sources: Vec<impasse_compile::Source>,
    flags: Vec<String>,
    start: Start,
}

impl Native {
    /// Returns how the program of these inputs runs as a process, under gdb if it is `debugged`.
    /// Fails if the inputs cannot be used.
    pub fn of(inputs: &Inputs, debugged: bool) -> Result<Native> {
        Ok(Native {
            toolchain: Toolchain::locate(&Toolchain::default_cache())?,
            sources: inputs.sources()?,
            flags: inputs.flags.chosen(&[])?,
            start: Start {
                arguments: inputs.arguments.iter().map(Into::into).collect(),
                environment: inputs.environment.clone(),
                stdin: inputs.stdin.clone(),
                folder: inputs.files_from.clone(),
                debugged,
                ..Start::default()
            },
        })
    }

    /// Runs the program along the path of a report, and returns the report with what the process
    /// shows of its error. Fails if no process can be started.
    pub fn shown(self, system: &System, report: Report) -> Result<Report> {
        let (Some(error), Some(path)) = (&report.error, &report.path) else {
            let native = NativeRun {
                outcome: NativeOutcome::NotTried,
                text: "the path leads to no error".into(),
            };
            return Ok(Report {
                native: Some(native),
                ..report
            });
        };
        let path = path
            .parse()
            .map_err(|_| anyhow!("{path} is no path of this program"))?;
        let program = Program {
            toolchain: &self.toolchain,
            sources: self.sources,
            flags: self.flags,
            time: TIME,
            start: self.start,
        };
        let native = replay(&program, &order(system, &path), error)?;
        Ok(Report {
            native: Some(native),
            ..report
        })
    }
}
