//! Runs a program natively on the inputs of a certificate, for a while.
//!
//! The program is compiled so that it counts the blocks that it executes, and linked with `native.c`, which gives it the inputs, those of
//! the turn again and again. After some hundred thousand blocks it must still be running, and the head of the loop must have been
//! passed again and again. That is no proof, which the execution in the machine is, but it is about the very code that the processor executes.

use anyhow::{Context, Result, bail};
use impasse_lasso::problem::Line;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// How many blocks are executed beyond those that the way to the loop can have.
const BEYOND: u64 = 100_000;
/// How often the head must be passed.
const OFTEN: u64 = 20;

/// What is run, and what is looked for.
pub struct Run<'r> {
    /// The sources.
    pub files: &'r [PathBuf],
    /// The flags that they are compiled with.
    pub flags: &'r [String],
    /// What is read by calls, in order.
    pub inputs: Vec<u64>,
    /// The first of those that the turn reads.
    pub again: usize,
    /// What is found in standard input.
    pub standard_input: Vec<u8>,
    /// How many instructions the way to the end of the turn has.
    pub steps: u64,
    /// The lines of the turn, the head first.
    pub lines: &'r [Line],
}

/// A compiled program; it goes when this does.
pub struct Program {
    folder: TempDir,
    path: PathBuf,
}

impl Run<'_> {
    /// Runs the program. Says what was seen.
    pub fn watch(&self, program: &Program) -> Result<String> {
        let Program { folder, path } = program;
        let input = folder.path().join("stdin");
        std::fs::write(&input, &self.standard_input)?;
        let status = Command::new(path)
            .stdin(std::fs::File::open(&input)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.code() != Some(97) {
            bail!("compiled natively, the program ends on these inputs: {status}");
        }
        let report = std::fs::read_to_string(folder.path().join("report"))?;
        let (line, times) = self.most(path, &report)?;
        if times < OFTEN {
            bail!("compiled natively, the program goes on, but not through the loop");
        }
        Ok(format!(
            "compiled natively, it is still running after {} blocks, and has been at {}:{} {times} times",
            self.blocks(),
            line.file,
            line.line
        ))
    }

    fn blocks(&self) -> u64 {
        self.steps + BEYOND
    }

    /// Compiles the program.
    pub fn compile(&self) -> Result<Program> {
        let folder = tempfile::tempdir()?;
        let harness = folder.path().join("harness.c");
        std::fs::write(&harness, self.harness(folder.path())?)?;
        let object = folder.path().join("harness.o");
        let path = folder.path().join("program");
        let clang = || Command::new("clang-19");
        run(clang()
            .args(["-O1", "-w", "-c"])
            .arg(&harness)
            .arg("-o")
            .arg(&object))?;
        let coverage = "-fsanitize-coverage=trace-pc-guard,no-prune";
        let mut command = clang();
        // What the coverage calls is our own, and the runtime a package of its own.
        let alone = "-fno-sanitize-link-runtime";
        command.args(["-g", "-O0", "-w", "-no-pie", "-fno-pie", coverage, alone]);
        command.args(self.flags).args(self.files).arg(&object);
        command.args(["-lm", "-pthread"]).arg("-o").arg(&path);
        run(&mut command)?;
        Ok(Program { folder, path })
    }

    /// The harness with what is made for this program.
    fn harness(&self, folder: &Path) -> Result<String> {
        let mut text = String::from("#include <stdint.h>\nstatic const uint64_t inputs[] = {");
        for input in &self.inputs {
            write!(text, "{input}u, ")?;
        }
        let report = folder.join("report");
        write!(
            text,
            "0}};\nenum {{ count = {}, again = {} }};\nstatic const uint64_t blocks = {};\nstatic const char report[] = {:?};\n{}",
            self.inputs.len(),
            self.again,
            self.blocks(),
            report.display().to_string(),
            include_str!("native.c"),
        )?;
        Ok(text)
    }

    /// How often the head was passed; where the compiler has put it on another line, how often the turn's line that was passed most.
    fn most(&self, program: &Path, report: &str) -> Result<(Line, u64)> {
        let blocks: Vec<(&str, u64)> = report
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(address, times)| Ok((address, times.parse()?)))
            .collect::<Result<_>>()?;
        let mut symbolizer = Command::new("/usr/lib/llvm-19/bin/llvm-symbolizer");
        symbolizer.arg(format!("--obj={}", program.display()));
        symbolizer.args(["--no-inlines", "--functions=none"]);
        symbolizer.args(blocks.iter().map(|(address, _)| address));
        let output = symbolizer.output().context("llvm-symbolizer")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let places = text.lines().filter(|line| !line.is_empty());
        let mut passed: Vec<(String, u32, u64)> = Vec::new();
        for (place, &(_, times)) in places.zip(&blocks) {
            let mut parts = place.rsplitn(3, ':').skip(1);
            let line = parts.next().and_then(|line| line.parse().ok());
            if let (Some(line), Some(file)) = (line, parts.next()) {
                passed.push((file.to_owned(), line, times));
            }
        }
        let times = |wanted: &Line| {
            let name = Path::new(&wanted.file).file_name();
            let at = passed.iter().filter(|(file, line, _)| {
                *line == wanted.line && Path::new(file).file_name() == name
            });
            at.map(|(_, _, times)| *times).max().unwrap_or(0)
        };
        let Some(head) = self.lines.first() else {
            bail!("the loop has no lines");
        };
        if times(head) >= OFTEN {
            return Ok((head.clone(), times(head)));
        }
        let best = self.lines.iter().max_by_key(|line| times(line));
        let best = best.unwrap_or(head);
        Ok((best.clone(), times(best)))
    }
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().context("clang-19")?;
    if !output.status.success() {
        bail!(
            "it does not compile natively: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(())
}
