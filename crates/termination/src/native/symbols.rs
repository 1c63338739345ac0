//! What a compiled program's debug information says: LLVM's own tools read it.

use anyhow::{Context, Result, bail};
use impasse_compile::symbolizer::Symbolizer;
use std::path::Path;
use std::process::Command;

/// A variable in the frame of a function.
pub struct Local {
    /// Its name.
    pub name: String,
    /// The line of its declaration.
    pub line: u32,
    /// Where it lies, from the frame's base.
    pub offset: i64,
    /// Its size.
    pub bytes: u64,
}

/// What is asked of a program.
pub struct Symbols<'p> {
    /// Where it lies.
    pub program: &'p Path,
}

/// The symbols of a program, as llvm-nm prints them.
fn symbols(program: &Path) -> Result<String> {
    let mut tool = Command::new("/usr/lib/llvm-19/bin/llvm-nm");
    let output = tool.arg(program).output().context("llvm-nm")?;
    if !output.status.success() {
        bail!("llvm-nm: {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Symbols<'_> {
    /// The file and the line of each address, if they are known.
    pub fn lines(&self, addresses: &[&str]) -> Result<Vec<Option<(String, u32)>>> {
        let mut symbolizer = self.symbolizer()?;
        let innermost = |address: &&str| {
            let place = symbolizer.places(address)?.into_iter().next().flatten();
            Ok(place.map(|place| (place.file, place.line)))
        };
        addresses.iter().map(innermost).collect()
    }

    fn symbolizer(&self) -> Result<Symbolizer> {
        Symbolizer::start(self.program).context("llvm-symbolizer")
    }

    /// The address of the only symbol with a name.
    pub fn address(&self, name: &str) -> Result<Option<u64>> {
        let text = symbols(self.program)?;
        let mut found = text.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            (words.nth(1)? == name).then_some(address)
        });
        let first = found.next();
        Ok(first.filter(|_| found.next().is_none()))
    }

    /// The variables in the frame of the function at an address.
    pub fn locals(&self, function: u64) -> Result<Vec<Local>> {
        let lines = self.symbolizer()?.ask(&format!("FRAME {function:#x}"))?;
        let local = |lines: &[String]| {
            let [_, name, place, numbers] = lines else {
                return None;
            };
            let mut numbers = numbers.split(' ');
            Some(Local {
                name: name.to_owned(),
                line: place.rsplit(':').next()?.parse().ok()?,
                offset: numbers.next()?.parse().ok()?,
                bytes: numbers.next()?.parse().ok()?,
            })
        };
        Ok(lines.chunks(4).filter_map(local).collect())
    }
}
