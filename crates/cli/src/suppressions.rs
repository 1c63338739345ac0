//! Suppressions: rules in files and in comments of the program.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::base::suppression::{Rule, Suppressions};
use impasse_program::link::Program;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The project file.
pub const PROJECT_FILE: &str = "impasse.toml";

/// What begins a suppression in a comment.
const MARK: &str = "impasse: suppress ";

/// Where to find suppressions.
#[derive(Args, Clone, Default)]
pub struct SuppressionOptions {
    /// Suppress the errors that the rules of this TOML file name, [[suppress]] tables; may be
    /// repeated. Those of ./impasse.toml always count.
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,
}

/// A `[[suppress]]` table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    kind: Option<String>,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    variable: Option<String>,
    reason: Option<String>,
}

/// A file with rules; a project file has other tables as well.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    suppress: Vec<Spanned<Table>>,
}

impl SuppressionOptions {
    /// Returns the rules for a program: those of the files and of its comments. Fails if a file
    /// cannot be read or a rule makes no sense.
    pub fn rules(&self, program: &Program) -> Result<Suppressions> {
        let mut rules = Vec::new();
        let project = Path::new(PROJECT_FILE);
        let project = project.exists().then_some(project);
        for path in project
            .into_iter()
            .chain(self.suppressions.iter().map(PathBuf::as_path))
        {
            let name = || path.display().to_string();
            let text = std::fs::read_to_string(path).with_context(name)?;
            rules.extend(in_file(&text, &name()).with_context(name)?);
        }
        for file in source_files(program) {
            // Sources of bitcode may be elsewhere.
            if let Ok(text) = std::fs::read(&file) {
                rules.extend(in_comments(&String::from_utf8_lossy(&text), &file)?);
            }
        }
        Ok(Suppressions::new(rules))
    }
}

/// The files of the program's own code.
fn source_files(program: &Program) -> BTreeSet<String> {
    let files = program.users().flat_map(|unit| &program.debug(unit).files);
    let own = files.filter(|file| !file.starts_with("/library/") && !file.is_empty());
    own.cloned().collect()
}

/// The rules of a TOML file.
fn in_file(text: &str, name: &str) -> Result<Vec<Rule>> {
    let file: File = toml::from_str(text)?;
    let rule = |table: Spanned<Table>| {
        let line = text[..table.span().start].matches('\n').count() + 1;
        let origin = format!("{name}:{line}");
        rule(table.into_inner(), &origin).with_context(|| format!("line {line}"))
    };
    file.suppress.into_iter().map(rule).collect()
}

fn rule(table: Table, origin: &str) -> Result<Rule> {
    let kind = table.kind.as_deref().map(kind).transpose()?;
    let names = [&table.function, &table.file, &table.variable];
    if kind.is_none() && table.line.is_none() && names.iter().all(|name| name.is_none()) {
        bail!("the rule would suppress every error; name a kind or a place");
    }
    if table.line.is_some() && table.file.is_none() {
        bail!("a line needs a file");
    }
    if kind == Some(ErrorKind::Hang) && table.variable.is_some() {
        bail!("suppress hangs by function or line, not by variable");
    }
    Ok(Rule {
        kind,
        function: table.function,
        file: table.file,
        line: table.line,
        variable: table.variable,
        origin: origin.into(),
        reason: table.reason,
    })
}

fn kind(name: &str) -> Result<ErrorKind> {
    let mut kinds = ErrorKind::ALL.iter().copied();
    kinds
        .find(|kind| kind.name() == name)
        .ok_or_else(|| anyhow!("{name}: no kind of error; docs/errors lists them"))
}

/// The rules in the comments of a source file, `// impasse: suppress KIND, KIND: REASON`. A comment
/// is about its line, or about the next one if it stands alone.
fn in_comments(text: &str, file: &str) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((before, words)) = line.split_once(MARK) else {
            continue;
        };
        let before = before.trim_end();
        let Some(code) = before.strip_suffix("//").or(before.strip_suffix("/*")) else {
            continue;
        };
        let origin = format!("{file}:{number}");
        let words = words.split("*/").next().unwrap_or_default();
        let (kinds, reason) = match words.split_once(':') {
            Some((kinds, reason)) => (kinds, Some(reason.trim().to_owned())),
            None => (words, None),
        };
        for name in kinds.split(',') {
            rules.push(Rule {
                kind: Some(kind(name.trim()).with_context(|| origin.clone())?),
                file: Some(file.into()),
                line: Some(number + u32::from(code.trim().is_empty())),
                origin: origin.clone(),
                reason: reason.clone(),
                ..Rule::default()
            });
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_about_its_line_or_the_next() {
        let text = "int a;\nhits++; // impasse: suppress data-race: only statistics\n\
            \t/* impasse: suppress memory-leak, assertion */\nf();\n// suppress\n";
        let rules = in_comments(text, "a.c").expect("they are right");
        let found: Vec<_> = rules
            .iter()
            .map(|rule| (rule.kind, rule.line, rule.reason.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                (Some(ErrorKind::DataRace), Some(2), Some("only statistics")),
                (Some(ErrorKind::MemoryLeak), Some(4), None),
                (Some(ErrorKind::Assertion), Some(4), None),
            ]
        );
        let error = in_comments("x // impasse: suppress races\n", "a.c").expect_err("no kind");
        assert_eq!(
            format!("{error:#}"),
            "a.c:1: races: no kind of error; docs/errors lists them"
        );
    }

    #[test]
    fn rules_that_make_no_sense_are_errors() {
        let error = |text: &str| format!("{:#}", in_file(text, "x.toml").expect_err("it is wrong"));
        let head = "[check.app]\nfiles = [\"a.c\"]\n\n[[suppress]]\n";
        assert!(
            error(&format!("{head}reason = \"why not\"")).starts_with("line 4: the rule would")
        );
        assert!(error(&format!("{head}kind = \"race\"")).starts_with("line 4: race: no kind"));
        assert!(
            error(&format!("{head}kind = \"abort\"\nline = 3")).contains("a line needs a file")
        );
        assert!(error(&format!("{head}kinds = \"abort\"")).contains("unknown field"));
        assert!(error(&format!("{head}kind = \"hang\"\nvariable = \"m\"")).contains("variable"));
        let rules = in_file(&format!("{head}kind = \"abort\""), "x.toml").expect("it is right");
        assert_eq!(rules[0].origin, "x.toml:4");
    }
}
