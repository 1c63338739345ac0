//! How a report is printed: options.

use crate::console::Console;
use crate::format::Format;
use crate::witness;
use anyhow::{Context, Result};
use clap::Args;
use impasse_diagnose::Shown;
use impasse_report::rendering::Rendering;
use impasse_report::{Named, Report, explorer};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// The exit code where the page cannot be written.
const BAD_INPUT: u8 = 2;

/// How a report is printed.
#[derive(Args, Clone)]
pub struct Printing {
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every step of the trace, and the values that local variables get.
    #[arg(long)]
    full_trace: bool,
    /// Show the steps and frames of libraries; with --full-trace, all their reads and writes.
    #[arg(long)]
    library_frames: bool,
    /// Also write an error as a page for a browser, with the source, the timeline, and the state at
    /// each step.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Record the states on the path to an error, for a page that shows several checks.
    #[arg(long, hide = true)]
    states_on_path: bool,
}

impl Printing {
    /// Returns the form of reports.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns how reports are rendered.
    pub fn rendering(&self) -> Rendering {
        Rendering {
            whole_trace: self.full_trace,
            library_frames: self.library_frames,
        }
    }

    /// Returns the further options of each of several checks, with which a page can show it.
    pub fn words_of_each(&self) -> Option<OsString> {
        self.html.as_ref().map(|_| "--states-on-path".into())
    }

    /// Writes the page of several checks, if one is asked for. Fails if the file cannot be written.
    pub fn write_overview(&self, reports: &[Named]) -> Result<()> {
        let Some(path) = &self.html else {
            return Ok(());
        };
        let page = explorer::overview(reports);
        fs::write(path, page).with_context(|| path.display().to_string())
    }

    /// Returns which steps a trace has.
    pub fn shown(&self) -> Shown {
        Shown {
            all: self.full_trace,
            library: self.library_frames,
            states: self.html.is_some() || self.states_on_path,
        }
    }

    /// Returns what prints the reports of the program with this name.
    pub fn output(&self, console: &Console, name: String) -> Output {
        Output {
            console: console.clone(),
            printing: self.clone(),
            name,
            witness: None,
        }
    }
}

/// Prints the reports of a program.
#[derive(Clone)]
pub struct Output {
    console: Console,
    printing: Printing,
    name: String,
    witness: Option<witness::Wanted>,
}

impl Output {
    /// Returns where it prints.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// Lets it write a witness as well.
    pub fn with_witness(self, witness: Option<witness::Wanted>) -> Output {
        Output { witness, ..self }
    }

    /// Prints a report, writes the files that are asked for, and returns the exit code: that of bad
    /// input if one cannot be written.
    pub fn print(&self, report: &Report) -> u8 {
        let named = Named {
            name: self.name.clone(),
            report: report.clone(),
        };
        let text = self.printing.format.one(&named, self.printing.rendering());
        self.console.print(&text);
        match self.write_files(&named) {
            Ok(()) => report.exit_code(),
            Err(error) => {
                self.console.print_error(&format!("impasse: {error:#}\n"));
                BAD_INPUT
            }
        }
    }

    fn write_files(&self, named: &Named) -> Result<()> {
        self.write_page(named)?;
        let Some(witness) = &self.witness else {
            return Ok(());
        };
        if let Some(reason) = witness.write(&self.console, &named.report)? {
            let file = witness.path.display();
            let text = format!("{file} was not written: {reason}\n");
            self.console.print_error(&text);
        }
        Ok(())
    }

    /// Writes the page, if one is asked for and there is an error. Fails if the file cannot be
    /// written.
    fn write_page(&self, named: &Named) -> Result<()> {
        let Some(path) = &self.printing.html else {
            return Ok(());
        };
        let file = path.display();
        if named.report.error.is_none() || named.report.exploration.is_none() {
            let text = format!("{file} was not written: there is no trace to show\n");
            self.console.print_error(&text);
            return Ok(());
        }
        fs::write(path, explorer::page(named)).with_context(|| file.to_string())
    }
}
