//! `impasse cc` and `impasse c++`: the system's compilers, which record in each object how it was
//! compiled.

use crate::console::Console;
use anyhow::{Context, Result, bail};
use clap::Args;
use impasse_compile::recorded::{Product, Record, SECTION, assembly, lines, product};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::NamedTempFile;

/// Options of `impasse cc` and `impasse c++`.
#[derive(Args)]
pub struct Arguments {
    /// Arguments of the compiler.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// A compiler: the variable that names it, and its usual name.
pub struct Compiler {
    variable: &'static str,
    name: &'static str,
}

/// The compiler for C.
pub const C: Compiler = Compiler {
    variable: "IMPASSE_CC",
    name: "cc",
};

/// The compiler for C++.
pub const CXX: Compiler = Compiler {
    variable: "IMPASSE_CXX",
    name: "c++",
};

/// Compiles as the compiler does, and returns its exit code. What cannot be recorded is named, and
/// does no harm to the build. Fails if the compiler cannot be started.
pub fn main(arguments: Arguments, compiler: Compiler, console: &Console) -> Result<u8> {
    let name = std::env::var_os(compiler.variable);
    let name = name.unwrap_or_else(|| compiler.name.into());
    let words: Vec<OsString> = std::iter::once(name).chain(arguments.words).collect();
    let made = match made(&words) {
        Ok(made) => made,
        Err(error) => {
            console.print_error(&unrecorded(&format!("{error:#}")));
            None
        }
    };
    match made {
        Some(Product::Linked(records)) => {
            let mut file = tempfile::Builder::new().suffix(".s").tempfile()?;
            file.write_all(assembly(&records).as_bytes())?;
            let more = [
                OsStr::new("-x"),
                OsStr::new("assembler"),
                file.path().as_os_str(),
            ];
            run(&words, &more)
        }
        Some(Product::Objects(made)) => {
            let code = run(&words, &[])?;
            // Configure scripts compile to /dev/null.
            let made = made
                .iter()
                .filter(|(object, _)| code == 0 && object.is_file());
            for (object, record) in made {
                if let Err(error) = add_record(object, record) {
                    let object = object.display();
                    console.print_error(&unrecorded(&format!("{object}: {error:#}")));
                }
            }
            Ok(code)
        }
        None => run(&words, &[]),
    }
}

fn unrecorded(why: &str) -> String {
    format!("impasse: warning: what is compiled here cannot be checked later: {why}\n")
}

fn made(words: &[OsString]) -> Result<Option<Product>> {
    let text = |word: &OsString| word.clone().into_string();
    let words: Result<Vec<String>, OsString> = words.iter().map(text).collect();
    let Ok(words) = words else {
        bail!("an argument is not UTF-8");
    };
    Ok(product(&words, &std::env::current_dir()?)?)
}

/// Runs the compiler with the streams of this process, and returns its exit code.
fn run(words: &[OsString], more: &[&OsStr]) -> Result<u8> {
    let (name, arguments) = words.split_first().context("no compiler")?;
    let mut command = Command::new(name);
    let status = command.args(arguments).args(more).status();
    let status = status.with_context(|| format!("{}: cannot be started", name.display()))?;
    let signal = status.signal().map(|signal| 128 + signal);
    Ok(status.code().or(signal).map_or(1, |code| code as u8))
}

fn add_record(object: &Path, record: &Record) -> Result<()> {
    let mut file = NamedTempFile::new()?;
    file.write_all(&lines([record]))?;
    let mut command = Command::new("objcopy");
    command.arg("--add-section");
    command.arg(format!("{SECTION}={}", file.path().display()));
    command
        .arg("--set-section-flags")
        .arg(format!("{SECTION}=readonly"));
    let output = command.arg(object).stdin(Stdio::null()).output();
    let output = output.context("objcopy: cannot be started; install the package binutils")?;
    match output.status.success() {
        true => Ok(()),
        false => bail!("{}", String::from_utf8_lossy(&output.stderr).trim_end()),
    }
}
