//! The table of litmus tests in `docs/memory-models.md`.

use crate::common::{Directives, Program, programs, root};
use crate::expected::{Expected, OfC11};
use libtest_mimic::Failed;
use std::fs;

/// The page, below the root.
pub const PAGE: &str = "docs/memory-models.md";
const TESTS: &str = "tests/memory-model/litmus";
const HEAD: &str =
    "| test | what it shows | final values | `sc` | `tso` | `c11` |\n|---|---|---|---|---|---|\n";

/// Compares the table with the tests, or writes it if that is asked for.
pub fn test() -> Result<(), Failed> {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path)?;
    let start = page.find(HEAD).ok_or("no table")? + HEAD.len();
    let rows = page[start..].split_inclusive('\n');
    let shown: String = rows.take_while(|row| row.starts_with('|')).collect();
    let tests = programs(&root().join(TESTS));
    let table: Result<String, Failed> = tests.iter().map(row).collect();
    let table = table?;
    if shown == table {
        return Ok(());
    }
    if std::env::var_os("IMPASSE_BLESS").is_some() {
        let rest = &page[start + shown.len()..];
        fs::write(&path, format!("{}{table}{rest}", &page[..start]))?;
        return Ok(());
    }
    let differs = |(shown, row): &(&str, &str)| shown != row;
    let row = shown.lines().zip(table.lines()).find(differs);
    Err(format!("the table is not that of the tests: {row:?}; IMPASSE_BLESS=1 writes it").into())
}

fn row(program: &Program) -> Result<String, Failed> {
    let path = &program.files[0];
    let expected = Expected::read(path)?;
    let directives = Directives::read(path);
    let what = directives.get("litmus").ok_or("no directive litmus")?;
    let answer = |outcomes| match expected.is_allowed_by(outcomes) {
        true => "yes",
        false => "no",
    };
    let c11 = match &expected.c11 {
        OfC11::Outcomes(outcomes) => answer(outcomes),
        OfC11::Inconclusive => "inconclusive",
    };
    let name = program.name.trim_end_matches(".c");
    let (condition, sc, tso) = (
        &expected.condition,
        answer(&expected.sc),
        answer(&expected.tso),
    );
    Ok(format!(
        "| [{name}](../{TESTS}/{}) | {what} | `{condition}` | {sc} | {tso} | {c11} |\n",
        program.name
    ))
}
