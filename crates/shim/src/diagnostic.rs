//! What is wrong with a program, where, why, and what to do about it.

use crate::source::{SourceFile, Span};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program cannot be used.
    Error,
    /// The program can be used, but probably does not mean this.
    Warning,
}

/// One finding of the compiler.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub label: String,
    /// Other places that matter.
    pub others: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: label.into(),
            others: Vec::new(),
            help: None,
        }
    }

    /// Adds another place.
    pub fn and(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.others.push((span, label.into()));
        self
    }

    /// Adds what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The finding as a compiler prints it, with the lines of the program.
    pub fn render(&self, file: &SourceFile, colour: bool) -> String {
        let (kind, paint) = match self.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let name = file.name.as_str();
        let range = |span: Span| (name, span.start as usize..span.end as usize);
        let mut report = Report::build(kind, range(self.span))
            .with_config(
                Config::default()
                    .with_color(colour)
                    .with_index_type(IndexType::Byte),
            )
            .with_message(&self.message)
            .with_label(
                Label::new(range(self.span))
                    .with_message(&self.label)
                    .with_color(paint),
            );
        for (span, label) in &self.others {
            report = report.with_label(
                Label::new(range(*span))
                    .with_message(label)
                    .with_color(Color::Blue),
            );
        }
        if let Some(help) = &self.help {
            report = report.with_help(help);
        }
        let mut out = Vec::new();
        let written = report
            .finish()
            .write((name, Source::from(&file.text)), &mut out);
        debug_assert!(written.is_ok(), "writing to memory does not fail");
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// A program that cannot be used: its text and all that is wrong with it.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The program.
    pub file: SourceFile,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rejected {
    /// All findings as a compiler prints them.
    pub fn render(&self, colour: bool) -> String {
        let mut out: String = self
            .diagnostics
            .iter()
            .map(|d| d.render(&self.file, colour))
            .collect();
        let count = self.diagnostics.len();
        out.push_str(&format!(
            "{}: {count} error{}\n",
            self.file.name,
            if count == 1 { "" } else { "s" }
        ));
        out
    }
}
