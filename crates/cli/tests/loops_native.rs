//! What `impasse loops` says of small random programs, against what they do natively.
//!
//! Natively the state at the head of each loop is compared with earlier ones: a state that is there
//! again shows that the program never terminates. It is compiled with `-O0`, with and without
//! `-fwrapv`, and executed on the inputs of the verdict or on many. Where
//! `nonterminating` has no condition, the sanitizer for undefined behaviour must stay silent.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{impasse_process, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// How many programs are tried usually.
const PROGRAMS: u64 = 16;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

const TYPES: [(&str, &str); 5] = [
    ("int", "int"),
    ("unsigned", "uint"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("long", "long"),
];
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const INPUTS: [i64; 14] = [
    0,
    1,
    -1,
    2,
    7,
    100,
    -100,
    255,
    32767,
    -32768,
    2147483647,
    -2147483648,
    1 << 32,
    65535,
];

/// What the program is compiled with for the native run.
const HARNESS: &str = r#"#include <stdlib.h>
#include <string.h>
static char **words;
static long next(void) { return *words ? strtol(*words++, 0, 10) : 0; }
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
short __VERIFIER_nondet_short(void) { return next(); }
long __VERIFIER_nondet_long(void) { return next(); }
struct state { long head, a, b, c, d; };
static void look(struct state now)
{
    static struct state kept;
    static long steps, power = 1;
    if (steps > 0 && memcmp(&kept, &now, sizeof now) == 0)
        _Exit(99);
    if (++steps == power) {
        kept = now;
        power *= 2;
    }
    if (steps > 3000000)
        _Exit(77);
}
#define TICK(n) look((struct state){n, a, b, c, d})
int program(void);
int main(int count, char **arguments) { words = arguments + 1; return program() & 0; }
#define main program
"#;

struct Generator {
    random: Rng,
    heads: u32,
    text: String,
}

impl Generator {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.random.choice(of.iter().copied()).expect("one")
    }

    fn constant(&mut self) -> String {
        self.one(&[
            "0", "1", "2", "3", "5", "10", "16", "100", "255", "1000", "-1", "-7",
        ])
        .to_owned()
    }

    fn value(&mut self) -> String {
        match self.random.u8(0..5) {
            0..=1 => self.constant(),
            _ => self.one(&NAMES).to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let left = self.one(&NAMES);
        let how = self.one(&["<", "<=", ">", ">=", "!=", "==", "!=", "<", ">"]);
        let right = self.value();
        match self.random.u8(0..9) {
            0 => format!("{left} {how} {right} && {} > 0", self.one(&NAMES)),
            1 => format!("{left} % 4 != {}", self.random.u8(0..5)),
            2 => "1".to_owned(),
            _ => format!("{left} {how} {right}"),
        }
    }

    fn statement(&mut self, depth: u32, pad: usize) {
        let (name, left) = (self.one(&NAMES), self.one(&NAMES));
        let space = " ".repeat(pad);
        match self.random.u8(0..14) {
            0..=3 => {
                let (how, by) = (self.one(&["+=", "-="]), self.constant());
                let _ = writeln!(self.text, "{space}{name} {how} {by};");
            }
            4..=5 => {
                let (how, right) = (self.one(&["+", "-", "*", "&", "|", "^"]), self.value());
                let _ = writeln!(self.text, "{space}{name} = {left} {how} {right};");
            }
            6 => {
                let (how, by) = (self.one(&["/", "%"]), self.one(&["2", "3", "7", "10"]));
                let _ = writeln!(self.text, "{space}{name} = {left} {how} {by};");
            }
            7 => {
                let (how, by) = (self.one(&["<<", ">>"]), self.one(&["1", "2", "3"]));
                let _ = writeln!(self.text, "{space}{name} = {left} {how} {by};");
            }
            8 => {
                let value = self.value();
                let _ = writeln!(self.text, "{space}{name} = {value};");
            }
            9 => {
                let how = self.one(&["<<", ">>", "/", "%"]);
                let _ = writeln!(self.text, "{space}{name} = {name} {how} {left};");
            }
            10..=11 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{space}if ({condition}) {{");
                self.statement(depth, pad + 4);
                if self.random.bool() {
                    let _ = writeln!(self.text, "{space}}} else {{");
                    self.statement(depth, pad + 4);
                }
                let _ = writeln!(self.text, "{space}}}");
            }
            12 if depth > 0 => self.repeat(depth - 1, pad),
            _ => {
                let _ = writeln!(self.text, "{space}{name}--;");
            }
        }
    }

    fn repeat(&mut self, depth: u32, pad: usize) {
        self.heads += 1;
        let (space, head) = (" ".repeat(pad), self.heads);
        let condition = self.condition();
        let _ = writeln!(self.text, "{space}while ({condition}) {{");
        let _ = writeln!(self.text, "{space}    TICK({head});");
        for _ in 0..self.random.u8(1..4) {
            self.statement(depth, pad + 4);
        }
        let _ = writeln!(self.text, "{space}}}");
    }

    fn program(mut self) -> String {
        let mut read = String::new();
        for name in NAMES {
            let (ty, reads) = self.random.choice(TYPES).expect("a type");
            let first = match self.random.u8(0..3) {
                0 => self.constant(),
                _ => format!("__VERIFIER_nondet_{reads}()"),
            };
            let _ = writeln!(read, "    {ty} {name} = {first};");
        }
        for _ in 0..self.random.u8(1..3) {
            self.repeat(1, 4);
        }
        let declared = TYPES.map(|(ty, reads)| format!("{ty} __VERIFIER_nondet_{reads}(void);\n"));
        let declared = declared.concat();
        format!(
            "#ifndef TICK\n#define TICK(n)\n{declared}#endif\nint main(void)\n{{\n{read}{}    return 0;\n}}\n",
            self.text
        )
    }
}

fn test(seed: u64) -> Result<(), Failed> {
    let generator = Generator {
        random: Rng::with_seed(seed),
        heads: 0,
        text: String::new(),
    };
    let text = generator.program();
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("program.c");
    std::fs::write(&source, &text)?;
    let arguments = ["loops", "--format", "json", "--max-time", "4"];
    let mut arguments: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    arguments.extend([source, PathBuf::from("--"), PathBuf::from("-w")]);
    let output = impasse_process(&arguments);
    let result: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no result: {}", String::from_utf8_lossy(&output.stderr)))?;
    let said = |what: &str| Err(format!("{what}\n{text}\n{result}").into());
    match result["verdict"].as_str() {
        Some("terminating") => {
            for flags in [&["-fwrapv"][..], &[]] {
                let native = compile(folder.path(), &text, flags)?;
                for values in guesses(seed) {
                    if run(&native, &values)? == Some(99) {
                        return said(&format!("it does not end on {values:?}, with {flags:?}"));
                    }
                }
            }
            Ok(())
        }
        Some("nonterminating") => {
            let inputs = result["inputs"].as_array().into_iter().flatten();
            let values: Option<Vec<i64>> = inputs
                .map(|input| input["value"].as_str()?.parse().ok())
                .collect();
            let values = values.ok_or("inputs are numbers")?;
            let native = compile(folder.path(), &text, &["-fwrapv"])?;
            if !matches!(run(&native, &values)?, Some(99 | 77)) {
                return said("natively it ends");
            }
            if result["condition"].is_null() {
                // Compilers define what is shifted to the left out of a signed number.
                let flags = [
                    "-fsanitize=undefined",
                    "-fno-sanitize=shift-base",
                    "-fno-sanitize-recover=all",
                ];
                let native = compile(folder.path(), &text, &flags)?;
                if !matches!(run(&native, &values)?, Some(99 | 77)) {
                    return said("natively it is undefined, or ends");
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Inputs to try.
fn guesses(seed: u64) -> Vec<Vec<i64>> {
    let mut random = Rng::with_seed(seed ^ 0x5eed);
    let mut all: Vec<Vec<i64>> = INPUTS.iter().map(|&value| vec![value; 4]).collect();
    for _ in 0..10 {
        let mixed = (0..4).map(|_| random.choice(INPUTS).expect("one"));
        all.push(mixed.collect());
    }
    all
}

fn compile(folder: &Path, text: &str, flags: &[&str]) -> Result<PathBuf, Failed> {
    let (source, program) = (folder.join("native.c"), folder.join("native"));
    std::fs::write(&source, format!("{HARNESS}{text}"))?;
    let output = Command::new("gcc")
        .args(["-O0", "-w", "-o"])
        .arg(&program)
        .args(flags)
        .arg(&source)
        .output()?;
    match output.status.success() {
        true => Ok(program),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// The exit status of a run: 99 if a state was there again, 77 if it takes long.
fn run(program: &Path, values: &[i64]) -> Result<Option<i32>, Failed> {
    let values = values.iter().map(i64::to_string);
    let output = Command::new(program).args(values).output()?;
    Ok(output.status.code())
}
