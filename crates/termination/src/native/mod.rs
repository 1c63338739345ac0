//! Runs a program natively on the inputs of a certificate, for a while.
//!
//! The program is compiled so that it counts the blocks that it executes, and linked with
//! `native.c`, which gives it the inputs, those of the iteration again and again. After some
//! hundred thousand blocks, or when its memory or its time is over, it must still be running, and
//! the header of the loop must have been passed again and again. Then it is run once more, and
//! whenever the header is passed the parts of the state that decide the path are written down
//! ([`state`]): after each so many iterations all of them must be what they were, and what the
//! machine found. That is no proof, which the execution in the machine is, but it is about the very
//! code that the processor executes.

mod state;
mod symbols;

use crate::problem::Line;
use anyhow::{Context, Result, bail};
use impasse_compile::DataModel;
pub use state::State;
use state::{Part, Place};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use symbols::Symbols;
use tempfile::TempDir;

/// How many blocks are executed beyond those that the path to the loop can have.
const BEYOND: u64 = 100_000;
/// How often the header must be passed.
const OFTEN: u64 = 20;

/// How many passes of the header are written down: the last ones.
const PASSES: usize = 4096;
/// No more parts of a state than this are compared.
const MOST_PARTS: usize = 64;
/// No state is compared that repeats after more iterations than this.
const MOST_ITERATIONS: usize = 1000;

/// What is run, and what is looked for.
pub struct Run<'r> {
    /// The sources.
    pub files: &'r [PathBuf],
    /// The flags that they are compiled with.
    pub flags: &'r [String],
    /// The sizes of C's types.
    pub model: DataModel,
    /// What is read by calls, in order.
    pub inputs: Vec<u64>,
    /// The first of those that the iteration reads.
    pub again: usize,
    /// What is found in standard input.
    pub standard_input: Vec<u8>,
    /// How many instructions the path to the end of the iteration has.
    pub steps: u64,
    /// The lines of the iteration, the header first.
    pub lines: &'r [Line],
    /// The state that must repeat, if it can be compared.
    pub state: Option<State>,
}

/// A compiled program; it goes when this does.
pub struct Program {
    folder: TempDir,
    path: PathBuf,
}

/// What was seen in a run.
struct Seen {
    blocks: Vec<Block>,
    /// How many were executed.
    total: u64,
    /// What the run had no more of, if it did not execute all the blocks that it should.
    short: Option<&'static str>,
}

/// A block of the program that was executed.
struct Block {
    /// Its number.
    guard: u32,
    /// Where it starts.
    place: Option<(String, u32)>,
    /// How often.
    times: u64,
}

impl Run<'_> {
    /// Runs the program. Says what was seen.
    pub fn watch(&self, program: &Program) -> Result<Vec<String>> {
        let Seen {
            blocks,
            total,
            short,
        } = self.run(program, "")?;
        let (line, times) = self.most(&blocks)?;
        if times < OFTEN && short.is_none() {
            bail!("compiled natively, the program continues, but not through the loop");
        }
        let until = short.map_or(String::new(), |what| format!(", when its {what} is over"));
        let seen = format!(
            "compiled natively, it is still running after {total} blocks{until}, and has been at \
             {}:{} {times} times",
            line.file, line.line
        );
        let mut statements = vec![seen];
        if let Some(state) = &self.state
            && (short.is_none() || times >= PASSES as u64)
        {
            statements.extend(self.compare(program, state, &line, &blocks)?);
        }
        Ok(statements)
    }

    /// One run, in which parts of the state may be written down; the blocks that it went through.
    fn run(&self, Program { folder, path }: &Program, watched: &str) -> Result<Seen> {
        let input = folder.path().join("stdin");
        std::fs::write(&input, &self.standard_input)?;
        std::fs::write(folder.path().join("watch"), watched)?;
        let status = Command::new(path)
            .stdin(std::fs::File::open(&input)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.code() != Some(97) {
            bail!("compiled natively, the program ends on these inputs: {status}");
        }
        let report = std::fs::read_to_string(folder.path().join("report"))?;
        let first = report.lines().next().and_then(|line| line.split_once(' '));
        let (why, total) = first.context("an empty report")?;
        let rows: Vec<[&str; 3]> = report
            .lines()
            .map(|line| line.split(' ').collect::<Vec<_>>())
            .filter_map(|words| words.try_into().ok())
            .collect();
        let addresses: Vec<&str> = rows.iter().map(|row| row[1]).collect();
        let places = Symbols { program: path }.lines(&addresses)?;
        let block = |([guard, _, times], place): (&[&str; 3], _)| {
            Ok(Block {
                guard: guard.parse()?,
                place,
                times: times.parse()?,
            })
        };
        let blocks: Result<Vec<Block>> = rows.iter().zip(places).map(block).collect();
        Ok(Seen {
            blocks: blocks?,
            total: total.parse()?,
            short: match why {
                "large" => Some("memory"),
                "late" => Some("time"),
                _ => None,
            },
        })
    }

    /// Runs the program again, and compares the state whenever the header is passed.
    fn compare(
        &self,
        program: &Program,
        state: &State,
        header: &Line,
        blocks: &[Block],
    ) -> Result<Option<String>> {
        let places = state.places(&Symbols {
            program: &program.path,
        })?;
        let watched: Vec<u32> = blocks
            .iter()
            .filter(|block| block.is_at(header))
            .map(|block| block.guard)
            .collect();
        if places.is_empty() || places.len() > MOST_PARTS || state.iterations > MOST_ITERATIONS {
            return Ok(None);
        }
        let mut wanted = String::new();
        for guard in &watched {
            writeln!(wanted, "block {guard} 0 0")?;
        }
        for (part, place) in &places {
            match place {
                Place::Frame(up, offset) => {
                    writeln!(wanted, "frame {up} {offset} {}", part.bytes())?;
                }
                Place::Fixed(address) => writeln!(wanted, "fixed 0 {address} {}", part.bytes())?,
            }
        }
        self.run(program, &wanted)?;
        let text = std::fs::read_to_string(program.folder.path().join("states"))?;
        let mut passes: BTreeMap<u32, Vec<Vec<u64>>> = BTreeMap::new();
        for line in text.lines() {
            let mut words = line.split(' ');
            let guard = words.next().context("an empty line")?.parse()?;
            let values = words.map(|word| u64::from_str_radix(word, 16));
            let values = values.collect::<Result<_, _>>()?;
            passes.entry(guard).or_default().push(values);
        }
        let parts: Vec<&Part> = places.iter().map(|&(part, _)| part).collect();
        let periods = passes
            .values()
            .filter_map(|rows| Some((rows.len(), period(&parts, rows)?)));
        let Some((times, period)) = periods.max() else {
            bail!("compiled natively, it is at the loop's header in other states");
        };
        let (found, missing): (Vec<&Part>, Vec<&Part>) = state
            .parts
            .iter()
            .partition(|part| parts.iter().any(|other| std::ptr::eq(*other, *part)));
        let names = |parts: &[&Part]| {
            let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            names.join(", ")
        };
        let mut said = match period {
            1 => format!("there, the last {times} times, the same was found each time"),
            _ => format!("there, the last {times} times, the same was found every {period} times"),
        };
        write!(said, " in {}", names(&found))?;
        if !missing.is_empty() {
            write!(said, "; not compared: {}", names(&missing))?;
        }
        Ok(Some(said))
    }

    fn blocks(&self) -> u64 {
        self.steps + BEYOND
    }

    /// Compiles the program.
    pub fn compile(&self) -> Result<Program> {
        let folder = tempfile::tempdir()?;
        let harness = folder.path().join("harness.c");
        std::fs::write(&harness, self.harness(folder.path())?)?;
        let inputs = include_str!("../../../../runtime/inputs.h");
        std::fs::write(folder.path().join("inputs.h"), inputs)?;
        let object = folder.path().join("harness.o");
        let path = folder.path().join("program");
        let clang = || {
            let mut command = Command::new("clang-19");
            if self.model == DataModel::Ilp32 {
                command.args(["-m32", "-msse2"]);
            }
            command
        };
        let compiled = run(clang()
            .args(["-O0", "-w", "-fno-omit-frame-pointer", "-c"])
            .arg(&harness)
            .arg("-o")
            .arg(&object));
        compiled.with_context(|| match self.model {
            DataModel::Lp64 => "the package libc6-dev may be missing",
            DataModel::Ilp32 => "the package gcc-multilib may be missing",
        })?;
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
        writeln!(
            text,
            "0}};\nenum {{ count = {}, again = {}, passes = {PASSES}, parts = {MOST_PARTS} }};",
            self.inputs.len(),
            self.again
        )?;
        writeln!(text, "static const uint64_t blocks = {};", self.blocks())?;
        for name in ["report", "watch", "states"] {
            let path = folder.join(name).display().to_string();
            writeln!(text, "static const char {name}[] = {path:?};")?;
        }
        text.push_str(include_str!("native.c"));
        Ok(text)
    }

    /// How often the header was passed; where the compiler has put it on another line, how often
    /// the iteration's line that was passed most.
    fn most(&self, blocks: &[Block]) -> Result<(Line, u64)> {
        let times = |wanted: &Line| {
            let at = blocks.iter().filter(|block| block.is_at(wanted));
            at.map(|block| block.times).max().unwrap_or(0)
        };
        let Some(header) = self.lines.first() else {
            bail!("the loop has no lines");
        };
        if times(header) >= OFTEN {
            return Ok((header.clone(), times(header)));
        }
        let best = self.lines.iter().max_by_key(|line| times(line));
        let best = best.unwrap_or(header);
        Ok((best.clone(), times(best)))
    }
}

impl Block {
    fn is_at(&self, line: &Line) -> bool {
        let name = Path::new(&line.file).file_name();
        self.place
            .as_ref()
            .is_some_and(|(file, at)| *at == line.line && Path::new(file).file_name() == name)
    }
}

/// After how many passes of a block the state repeats, always, from the first one on that is
/// what the machine found. None if none is, or if it does not always repeat.
fn period(parts: &[&Part], passes: &[Vec<u64>]) -> Option<usize> {
    let is_it = |row: &Vec<u64>| {
        row.len() == parts.len() && parts.iter().zip(row).all(|(part, &seen)| part.may_be(seen))
    };
    let first = passes.iter().position(is_it)?;
    let tail = &passes[first..];
    let period = 1 + tail[1..].iter().position(|row| *row == tail[0])?;
    let comes_back = tail.iter().zip(&tail[period..]).all(|(a, b)| a == b);
    comes_back.then_some(period)
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

#[cfg(test)]
mod tests {
    use super::{Part, period};

    #[test]
    fn a_state_comes_back_always_or_not_at_all() {
        let (x, p) = (Part::new("x", Some(1)), Part::new("p", None));
        let parts = [&x, &p];
        let rows =
            |rows: &[[u64; 2]]| -> Vec<Vec<u64>> { rows.iter().map(|r| r.to_vec()).collect() };
        let seen = |of: &[[u64; 2]]| period(&parts, &rows(of));
        assert_eq!(seen(&[[7, 7], [1, 5], [1, 5], [1, 5]]), Some(1));
        assert_eq!(seen(&[[1, 5], [2, 6], [1, 5], [2, 6], [1, 5]]), Some(2));
        // An address that changes, a state that is left again, one that comes once, one that never
        // does.
        assert_eq!(seen(&[[1, 5], [1, 6], [1, 5], [1, 7]]), None);
        assert_eq!(seen(&[[1, 5], [1, 5], [2, 5]]), None);
        assert_eq!(seen(&[[2, 5], [1, 5]]), None);
        assert_eq!(seen(&[[2, 5], [2, 5]]), None);
        assert_eq!(seen(&[]), None);
    }
}
