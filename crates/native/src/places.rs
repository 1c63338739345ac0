//! Where addresses of code lie in the source: llvm-symbolizer is asked, once for each address.

use anyhow::{Context, Result};
use impasse_diagnose::order::Place;
use impasse_report::Spot;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Answers where addresses of a program lie.
pub struct Places {
    asked: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    known: HashMap<u64, Own>,
    files: HashMap<String, Option<String>>,
    /// Folders of headers that are not the program's own.
    foreign: Vec<PathBuf>,
}

/// The place of a stack in the program's own code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Own {
    /// The innermost place; none if no frame is the program's own.
    pub place: Option<Place>,
    /// Whether no library is in between.
    pub direct: bool,
}

impl Places {
    /// Returns the places of a program. Headers in `foreign` are a library's, as those of the
    /// system are. Fails if llvm-symbolizer is not there.
    pub fn of(program: &Path, foreign: Vec<PathBuf>) -> Result<Places> {
        let mut asked = Command::new("/usr/lib/llvm-19/bin/llvm-symbolizer")
            .arg(format!("--obj={}", program.display()))
            .args(["--inlines", "--functions=none"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("llvm-symbolizer")?;
        let questions = asked.stdin.take().context("no pipe")?;
        let answers = BufReader::new(asked.stdout.take().context("no pipe")?);
        Ok(Places {
            asked,
            questions,
            answers,
            known: HashMap::new(),
            files: HashMap::new(),
            foreign,
        })
    }

    /// Returns the place of a stack of return addresses, innermost first.
    pub fn own(&mut self, stack: &[u64]) -> Own {
        for (depth, &address) in stack.iter().enumerate() {
            let own = self.of_code(address);
            if own.place.is_some() {
                return Own {
                    direct: own.direct && depth == 0,
                    ..own
                };
            }
        }
        Own::default()
    }

    /// The place of the code before a return address.
    fn of_code(&mut self, address: u64) -> Own {
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let own = self.ask(address.saturating_sub(1)).unwrap_or_default();
        self.known.insert(address, own.clone());
        own
    }

    /// The answer for one address: a line for each inlined function, innermost first.
    fn ask(&mut self, address: u64) -> Option<Own> {
        writeln!(self.questions, "{address:#x}").ok()?;
        self.questions.flush().ok()?;
        let mut own = Own::default();
        let mut depth = 0;
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line).ok()? == 0 || line == "\n" {
                return Some(own);
            }
            if own.place.is_none() {
                own.place = self.read(line.trim_end());
                own.direct = depth == 0;
            }
            depth += 1;
        }
    }

    /// A place, if it is the program's own: `file:line:column`.
    fn read(&mut self, line: &str) -> Option<Place> {
        let mut parts = line.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok().filter(|&line| line > 0)?;
        let file = self.own_file(parts.next()?)?;
        Some(Place {
            spot: Some(Spot { file, line }),
            column,
        })
    }

    /// The name of a file of the program's own.
    fn own_file(&mut self, file: &str) -> Option<String> {
        if let Some(known) = self.files.get(file) {
            return known.clone();
        }
        let path = Path::new(file);
        let path = path.canonicalize().unwrap_or(path.to_owned());
        let is_own = !path.starts_with("/usr")
            && path.is_absolute()
            && !self.foreign.iter().any(|folder| path.starts_with(folder));
        let own = is_own.then(|| path.display().to_string());
        self.files.insert(file.to_owned(), own.clone());
        own
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        let _ = self.asked.kill();
        let _ = self.asked.wait();
    }
}

/// Returns a place with the full name of its file.
pub fn full(place: &Place) -> Place {
    let spot = place.spot.as_ref().map(|spot| Spot {
        file: Path::new(&spot.file)
            .canonicalize()
            .map_or(spot.file.clone(), |path| path.display().to_string()),
        line: spot.line,
    });
    Place {
        spot,
        column: place.column,
    }
}
