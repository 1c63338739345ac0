//! How a report is printed: options.

use crate::console::Console;
use crate::format::Format;
use clap::Args;
use impasse_diagnose::Shown;
use impasse_report::rendering::Rendering;
use impasse_report::{Named, Report};

/// How a report is printed.
#[derive(Args, Clone, Copy)]
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
}

impl Printing {
    /// Returns the form of reports.
    pub fn format(self) -> Format {
        self.format
    }

    /// Returns how reports are rendered.
    pub fn rendering(self) -> Rendering {
        Rendering {
            whole_trace: self.full_trace,
            library_frames: self.library_frames,
        }
    }

    /// Returns which steps a trace has.
    pub fn shown(self) -> Shown {
        Shown {
            all: self.full_trace,
            library: self.library_frames,
        }
    }

    /// Returns what prints the reports of the program with this name.
    pub fn output(self, console: &Console, name: String) -> Output {
        Output {
            console: console.clone(),
            printing: self,
            name,
        }
    }
}

/// Prints the reports of a program.
#[derive(Clone)]
pub struct Output {
    console: Console,
    printing: Printing,
    name: String,
}

impl Output {
    /// Returns where it prints.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// Prints a report and returns the exit code.
    pub fn print(&self, report: &Report) -> u8 {
        let named = Named {
            name: self.name.clone(),
            report: report.clone(),
        };
        let text = self.printing.format.one(&named, self.printing.rendering());
        self.console.print(&text);
        report.exit_code()
    }
}
