//! `impasse test`: the tests of a program that uses googletest, Catch2 or doctest, each checked by
//! itself.

mod framework;

use crate::batch::{self, Task};
use crate::check;
use crate::console::Console;
use crate::format::Format;
use anyhow::{Result, bail};
use clap::Args;
use framework::Framework;
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_machine::system::run::{Ending, run};
use impasse_report::{Named, Report, Verdict, human};
use std::ffi::OsString;
use std::fmt::Write;
use wildmatch::WildMatch;

/// Options of `impasse test`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    check: check::Arguments,
    /// The test framework; by default the one that the program is linked with.
    #[arg(long, value_enum)]
    framework: Option<Framework>,
    /// Check only tests whose name matches, where * stands for any text; may be repeated.
    #[arg(long = "test", value_name = "NAME")]
    tests: Vec<String>,
    /// List the tests, and check none.
    #[arg(long)]
    list: bool,
}

/// The options that `impasse check` does not have, or that are not for each check.
const OWN: [&str; 4] = ["framework", "test", "format", "html"];

/// Checks the tests of a program, prints a table and the reports of those that are not verified,
/// and returns the exit code. `words` are those after `test`. Fails if the program cannot be used,
/// uses no framework or lists no test.
pub fn main(mut arguments: Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    arguments.check.for_each()?;
    arguments.check.add_flags(&framework::FLAGS);
    let mut program = Listed::new(&arguments, console)?;
    let wanted: Vec<WildMatch> = arguments
        .tests
        .iter()
        .map(|it| WildMatch::new(it))
        .collect();
    let is_wanted = |name: &String| wanted.is_empty() || wanted.iter().any(|it| it.matches(name));
    let tests: Vec<String> = program.tests()?.into_iter().filter(is_wanted).collect();
    if tests.is_empty() {
        bail!("the program lists no test, or none that --test names");
    }
    if arguments.list {
        console.print(&(tests.join("\n") + "\n"));
        return Ok(0);
    }
    let words = check::without_options(words, &OWN);
    let mut tasks = Vec::new();
    for name in &tests {
        let only = format!("--arg={}", program.only(name)?);
        let flags = framework::FLAGS.map(|flag| format!("--clang={flag}"));
        let own = std::iter::once(only).chain(flags).map(OsString::from);
        let shown = arguments.check.printing().words_of_each();
        let words = own.chain(shown).chain(words.iter().cloned());
        tasks.push(Task {
            name: name.clone(),
            words: words.collect(),
        });
    }
    drop(program);
    let (format, rendering) = (arguments.check.format(), arguments.check.rendering());
    let is_table = matches!(format, Format::Human | Format::Github);
    let width = tests.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default().min(48);
    let done = |named: &Named| {
        if is_table {
            console.print(&row(named, width));
        }
    };
    let (reports, code) = batch::run(console, &tasks, done)?;
    if is_table {
        console.print("\n");
        for named in &reports {
            if named.report.verdict != Verdict::Verified {
                console.print(&format.next(named, rendering));
            }
        }
    }
    console.print(&format.last(&reports, rendering));
    arguments.check.printing().write_overview(&reports)?;
    Ok(code)
}

/// A line of the table.
fn row(named: &Named, width: usize) -> String {
    let report = &named.report;
    let (verdict, name) = (human::verdict(report.verdict), &named.name);
    let mut row = format!("{verdict}  {name:<width$}  ");
    match &report.error {
        Some(error) => {
            let _ = write!(row, "{}", error.kind);
            if error.line > 0 {
                let _ = write!(row, " at {}:{}", error.file, error.line);
            }
        }
        None => row += &states(report),
    }
    row.trim_end().to_owned() + "\n"
}

fn states(report: &Report) -> String {
    let reason = report.reason.as_deref().and_then(|it| it.lines().next());
    match reason {
        Some(reason) => reason.into(),
        None => {
            let states = impasse_report::rendering::grouped(report.states);
            let suppressed = match report.suppressed.len() {
                0 => String::new(),
                count => format!(", suppressions: {count}"),
            };
            format!("{states} states, {:.2} s{suppressed}", report.seconds)
        }
    }
}

/// A program that lists its tests.
struct Listed {
    system: System,
    framework: Framework,
}

impl Listed {
    fn new(arguments: &Arguments, console: &Console) -> Result<Listed> {
        let program = arguments.check.program(console)?;
        let Some(framework) = arguments.framework.or_else(|| Framework::of(&program)) else {
            bail!("the program uses none of googletest, Catch2 and doctest; --framework names one");
        };
        let options = Options {
            spurious_wakeups: false,
            spurious_failures: false,
            address_reuse: false,
            ..arguments.check.inputs_options()?
        };
        let system = System::new(program, options).map_err(|error| anyhow::anyhow!(error))?;
        Ok(Listed { system, framework })
    }

    fn tests(&mut self) -> Result<Vec<String>> {
        self.list(None)
    }

    /// The argument with which the program runs a test. Fails if it does not run it then.
    fn only(&mut self, test: &str) -> Result<String> {
        let only = self.framework.only(test);
        let selected = self.list(Some(&only))?;
        if !selected.iter().any(|name| name == test) {
            bail!("{test}: the program does not find this test by {only}");
        }
        Ok(only)
    }

    /// The tests that the program lists with this argument.
    fn list(&mut self, only: Option<&str>) -> Result<Vec<String>> {
        let mut printed = String::new();
        for listing in self.framework.listings() {
            let own = self.system.options.arguments.first().cloned();
            let listing = listing.iter().copied().chain(only).map(str::to_owned);
            self.system.options.arguments = own.into_iter().chain(listing).collect();
            printed = self.output()?;
            if !printed.contains(framework::UNKNOWN_OPTION) {
                break;
            }
        }
        Ok(self.framework.tests(&printed))
    }

    /// All that the program prints.
    fn output(&self) -> Result<String> {
        let mut printed = Vec::new();
        let mut print = |_, bytes: &[u8]| printed.extend_from_slice(bytes);
        match run(&self.system, &mut print, &|| false) {
            Ending::Exit(_) => Ok(String::from_utf8_lossy(&printed).into_owned()),
            Ending::Fault(fault) => bail!("listing the tests: {}", fault.message),
            Ending::Omission(omission) => {
                bail!("listing the tests: not supported: {}", omission.what)
            }
            Ending::Infeasible => bail!("listing the tests: an assumption does not hold"),
            Ending::Interrupted => bail!("interrupted"),
        }
    }
}
