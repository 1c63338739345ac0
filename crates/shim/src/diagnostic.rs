//! What is wrong with a program, where, why, and what to do about it.

use crate::source::{SourceFile, Span};
use crate::words::counted;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

/// Longer lines of the program, in bytes, are not shown.
const MAX_WIDTH: usize = 2_000;
/// No more findings than this are printed.
const MAX_SHOWN: usize = 100;

/// One finding of the compiler.
#[derive(Clone, Debug)]
pub struct Diagnostic {
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
    /// Returns an error at a place.
    pub fn error(span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            span,
            label: label.into(),
            others: Vec::new(),
            help: None,
        }
    }

    /// Returns the diagnostic with another place.
    pub fn and(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.others.push((span, label.into()));
        self
    }

    /// Returns the diagnostic with advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The finding as a compiler prints it, with the lines of the program.
    fn render(&self, file: &SourceFile, source: &Source<&str>, colour: bool) -> String {
        let places = std::iter::once(&self.span).chain(self.others.iter().map(|(span, _)| span));
        if places
            .into_iter()
            .any(|span| file.line_length(*span) > MAX_WIDTH)
        {
            return self.render_without_lines(file);
        }
        let name = file.name.as_str();
        let range = |span: Span| (name, span.start as usize..span.end as usize);
        let mut report = Report::build(ReportKind::Error, range(self.span))
            .with_config(
                Config::default()
                    .with_color(colour)
                    .with_index_type(IndexType::Byte),
            )
            .with_message(&self.message)
            .with_label(
                Label::new(range(self.span))
                    .with_message(&self.label)
                    .with_color(Color::Red),
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
        let written = report.finish().write((name, source), &mut out);
        debug_assert!(written.is_ok(), "writing to memory does not fail");
        String::from_utf8_lossy(&out).into_owned()
    }

    fn render_without_lines(&self, file: &SourceFile) -> String {
        let at = |span| format!("{}:{}:{}", file.name, file.line(span), file.column(span));
        let mut out = format!(
            "Error: {}\n   at {}: {}\n",
            self.message,
            at(self.span),
            self.label
        );
        for (span, label) in &self.others {
            out.push_str(&format!("   at {}: {label}\n", at(*span)));
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("   Help: {help}\n"));
        }
        out
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
    /// Returns all findings as a compiler prints them, with ANSI escapes if `colour`.
    pub fn render(&self, colour: bool) -> String {
        let source = Source::from(self.file.text.as_str());
        let mut out: String = self
            .diagnostics
            .iter()
            .take(MAX_SHOWN)
            .map(|d| d.render(&self.file, &source, colour))
            .collect();
        let count = self.diagnostics.len();
        if count > MAX_SHOWN {
            out.push_str(&format!("the first {MAX_SHOWN} are shown\n"));
        }
        out.push_str(&format!(
            "{}: {}\n",
            self.file.name,
            counted(count, "error")
        ));
        out
    }
}
