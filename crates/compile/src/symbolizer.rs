//! llvm-symbolizer: what the debug information of a compiled program says of its addresses.

use std::io::{BufRead, BufReader, Error, ErrorKind, Result, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Where it is installed.
const PROGRAM: &str = "/usr/lib/llvm-19/bin/llvm-symbolizer";

/// A running llvm-symbolizer, which answers one question after the other.
pub struct Symbolizer {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

impl Symbolizer {
    /// Starts it for a program. Fails if it is not installed.
    pub fn start(program: &Path) -> Result<Symbolizer> {
        let mut child = Command::new(PROGRAM)
            .arg(format!("--obj={}", program.display()))
            .args(["--inlines", "--functions=none"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Ok(Symbolizer {
            child,
            questions,
            answers,
        })
    }

    /// Returns the lines of the answer to a question. Fails if llvm-symbolizer has ended.
    pub fn ask(&mut self, question: &str) -> Result<Vec<String>> {
        writeln!(self.questions, "{question}")?;
        self.questions.flush()?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                return Err(Error::new(
                    ErrorKind::UnexpectedEof,
                    "llvm-symbolizer ended",
                ));
            }
            match line.trim_end() {
                "" => return Ok(lines),
                text => lines.push(text.to_owned()),
            }
        }
    }

    /// Returns the places of the code at an address, which is written as `0x12` is, innermost
    /// first: several where functions are inlined there, `None` for one that is unknown. Fails if
    /// llvm-symbolizer has ended.
    pub fn places(&mut self, address: &str) -> Result<Vec<Option<SourcePlace>>> {
        let lines = self.ask(address)?;
        Ok(lines.iter().map(|line| place(line)).collect())
    }
}

impl Drop for Symbolizer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A place as it is written: `file:line:column`.
fn place(text: &str) -> Option<SourcePlace> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok().filter(|&line| line > 0)?;
    Some(SourcePlace {
        file: parts.next()?.to_owned(),
        line,
        column,
    })
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_read_and_unknown_ones_are_none() {
        let found = place("/a:b/c.c:12:3").expect("a place");
        assert_eq!(
            (found.file.as_str(), found.line, found.column),
            ("/a:b/c.c", 12, 3)
        );
        assert_eq!(place("??:0:0"), None);
        assert_eq!(place("a.c:0:0"), None);
        assert_eq!(place("??"), None);
    }
}
