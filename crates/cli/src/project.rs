//! The project file `impasse.toml`: what `impasse check` checks when it is given no files.
//!
//! Keys are options of `impasse check` without their dashes; so the file has no definition of its
//! own. Those before the first table count for all checks.

use crate::batch::Task;
use crate::suppressions::PROJECT_FILE;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use toml::{Table, Value};

/// Keys that are no options.
const FILES: &str = "files";
const FLAGS: &str = "flags";
const CHECKS: &str = "check";
const SUPPRESSIONS: &str = "suppress";

/// Returns the checks of the project file in the current folder, each with `words`, the options of
/// the command line, which replace those of the file. Fails if there is no such file, if it is
/// wrong, or if `validate` fails for the words of a check.
pub fn checks(
    words: &[OsString],
    only: &[String],
    validate: &dyn Fn(&[OsString]) -> Result<()>,
) -> Result<Vec<Task>> {
    if !Path::new(PROJECT_FILE).exists() {
        bail!("name the files of the program, or describe the project in {PROJECT_FILE}");
    }
    let text = std::fs::read_to_string(PROJECT_FILE).context(PROJECT_FILE)?;
    let tasks = in_text(&text, words, validate).context(PROJECT_FILE)?;
    let unknown = only
        .iter()
        .find(|name| !tasks.iter().any(|task| task.name == **name));
    if let Some(name) = unknown {
        bail!("{PROJECT_FILE}: there is no [check.{name}]");
    }
    let is_wanted = |task: &Task| only.is_empty() || only.contains(&task.name);
    Ok(tasks.into_iter().filter(is_wanted).collect())
}

fn in_text(
    text: &str,
    words: &[OsString],
    validate: &dyn Fn(&[OsString]) -> Result<()>,
) -> Result<Vec<Task>> {
    let mut defaults: Table = toml::from_str(text)?;
    defaults.remove(SUPPRESSIONS);
    let checks = match defaults.remove(CHECKS) {
        Some(Value::Table(checks)) => checks,
        Some(_) => bail!("`check` is not a table; write [check.NAME]"),
        None => bail!("there is no check; add [check.NAME] with `files` or `target`"),
    };
    let mut tasks = Vec::new();
    for (name, options) in checks {
        let at = || format!("[check.{name}]");
        let Value::Table(options) = options else {
            bail!("{} is not a table", at());
        };
        let words = words_of(&defaults, &options, words).with_context(at)?;
        validate(&words).with_context(at)?;
        tasks.push(Task { name, words });
    }
    Ok(tasks)
}

/// The words for a check: its options, the defaults that it does not replace, and `last`, which
/// replace both. Flags for the compiler add up.
fn words_of(defaults: &Table, options: &Table, last: &[OsString]) -> Result<Vec<OsString>> {
    let mut words = Vec::new();
    let is_given = |key: &str| {
        let option = format!("--{key}");
        last.iter().any(|word| {
            let word = word.to_string_lossy();
            word.split('=').next() == Some(&option)
        })
    };
    let is_default = |key: &String| key == FLAGS || !options.contains_key(key);
    let defaults = defaults.iter().filter(|(key, _)| is_default(key));
    for (key, value) in defaults.chain(options) {
        if !is_given(key) {
            words.extend(option(key, value)?);
        }
    }
    words.extend_from_slice(last);
    Ok(words)
}

fn option(key: &str, value: &Value) -> Result<Vec<OsString>> {
    let one = |value: &Value| -> Result<Option<OsString>> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(true) => return Ok(Some(format!("--{key}").into())),
            Value::Boolean(false) => return Ok(None),
            Value::Array(_) | Value::Table(_) | Value::Datetime(_) => {
                bail!("{key}: neither a text, a number, true or false, nor a list of these")
            }
        };
        Ok(Some(match key {
            FILES | FLAGS => text.into(),
            _ => format!("--{key}={text}").into(),
        }))
    };
    let values = match value {
        Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    let words: Result<Vec<Option<OsString>>> = values.iter().map(one).collect();
    Ok(words?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, last: &str) -> Result<Vec<(String, String)>> {
        let last = last.split_whitespace().map(OsString::from);
        let tasks = in_text(text, &last.collect::<Vec<_>>(), &|_| Ok(()))?;
        let plain = |word: &OsString| word.to_string_lossy().into_owned();
        let joined = |task: Task| {
            let words: Vec<String> = task.words.iter().map(plain).collect();
            (task.name, words.join(" "))
        };
        Ok(tasks.into_iter().map(joined).collect())
    }

    const PROJECT: &str = "max-states = 100\nflags = \"-DA\"\n\
        [check.one]\nfiles = [\"a.c\", \"b.c\"]\nflags = [\"-DB\"]\noptimise = true\n\
        [check.two]\nfiles = \"c.c\"\nmax-states = 7\nsigned-overflow = false\n\
        [[suppress]]\nkind = \"abort\"\n";

    #[test]
    fn a_check_replaces_defaults_and_the_command_line_both() {
        let pair = |name: &str, words: &str| (name.to_owned(), words.to_owned());
        assert_eq!(
            words(PROJECT, "").expect("it is right"),
            [
                pair("one", "-DA --max-states=100 a.c b.c -DB --optimise"),
                pair("two", "-DA c.c --max-states=7"),
            ]
        );
        assert_eq!(
            words(PROJECT, "--max-states 9 -DC").expect("it is right")[1],
            pair("two", "-DA c.c --max-states 9 -DC")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text| format!("{:#}", words(text, "").expect_err("it is wrong"));
        assert!(error("max-states = 3").contains("add [check.NAME]"));
        assert!(error("[check.app]\nfiles = [[\"a.c\"]]\n").contains("nor a list"));
    }
}
