//! What a compiled program's debug information says: LLVM's own tools read it.

use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

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

fn ask(tool: &str, arguments: &[&str], input: &str) -> Result<String> {
    let path = format!("/usr/lib/llvm-19/bin/{tool}");
    let mut child = Command::new(path)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context(tool.to_owned())?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    if !output.status.success() {
        bail!("{tool}: {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Symbols<'_> {
    /// The file and the line of each address, if they are known.
    pub fn lines(&self, addresses: &[&str]) -> Result<Vec<Option<(String, u32)>>> {
        let object = format!("--obj={}", self.program.display());
        let input = addresses.join("\n") + "\n";
        let text = ask(
            "llvm-symbolizer",
            &[&object, "--no-inlines", "--functions=none"],
            &input,
        )?;
        let places = text.lines().filter(|line| !line.is_empty());
        Ok(places
            .map(|place| {
                let mut parts = place.rsplitn(3, ':').skip(1);
                let line = parts.next()?.parse().ok()?;
                Some((parts.next()?.to_owned(), line))
            })
            .collect())
    }

    /// The address of the only symbol with a name.
    pub fn address(&self, name: &str) -> Result<Option<u64>> {
        let text = ask("llvm-nm", &[&self.program.display().to_string()], "")?;
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
        let question = format!("FRAME {} {function:#x}\n", self.program.display());
        let text = ask("llvm-symbolizer", &[], &question)?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        let local = |lines: &[&str]| {
            let [_, name, place, numbers] = *lines else {
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
