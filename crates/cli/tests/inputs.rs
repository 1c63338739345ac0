//! Programs that are made up, with one to four inputs of at most four bits: following the inputs
//! symbolically must give the verdict, and the kind of error, that trying every value gives.
//!
//! The inputs are values of `__VERIFIER_nondet_int`, bytes of standard input, bytes of an argument,
//! or values of `rand`. Some programs run under x86-TSO, and some compute with floating-point
//! numbers.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number,
//! and `IMPASSE_PROGRAMS_FROM` the number of the first one.

mod common;

use common::{impasse, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 50;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made-up-inputs");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    fs::write(&path, Maker::new(number).program())?;
    let path = path.to_string_lossy();
    let source = Source::of(number);
    let model: &[&str] = match is_tso(number) {
        true => &["--memory-model", "tso", "--races", races(number)],
        false => &[],
    };
    let followed = [source.flags(), model].concat();
    let tried = [&followed, source.tried()].concat();
    if compares_outcomes(number) {
        return compare_outcomes(&path, [&tried, &followed]);
    }
    let tried = check(&path, &tried)?;
    let followed = check(&path, &followed)?;
    let (tried, followed) = (Answer::of(&tried), Answer::of(&followed));
    if tried == followed || tried.verdict == "inconclusive" {
        return Ok(());
    }
    let is_late = followed.reason.contains("the solver cannot decide in time");
    if has_floats(number) && followed.verdict == "inconclusive" && is_late {
        return Ok(());
    }
    // Whether a section ends for all values is not always known.
    if followed.verdict == "inconclusive" && followed.reason.contains("if inputs have") {
        return match tried.kind.as_str() {
            Some("hang") | None => Ok(()),
            _ => Err(format!("{path}: {tried:?}, but symbolically {followed:?}").into()),
        };
    }
    Err(format!("{path}: {tried:?}, but symbolically {followed:?}").into())
}

/// Whether the outcomes of the program with a number are compared, instead of its errors.
fn compares_outcomes(number: u64) -> bool {
    number % 4 == 1
}

/// Whether the program with a number runs under x86-TSO.
fn is_tso(number: u64) -> bool {
    number % 5 == 3
}

/// Whether the program with a number computes with floating-point numbers.
fn has_floats(number: u64) -> bool {
    number % 10 == 6
}

/// Whether races are reported of such a program; otherwise, all stores are delayed.
fn races(number: u64) -> &'static str {
    match number % 3 {
        0 => "on",
        _ => "off",
    }
}

/// Where the inputs of a program come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Nondet,
    StandardInput,
    Argument,
    Rand,
}

impl Source {
    fn of(number: u64) -> Source {
        match number % 10 {
            7 => Source::StandardInput,
            8 => Source::Argument,
            9 => Source::Rand,
            _ => Source::Nondet,
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Source::Nondet => &[],
            Source::StandardInput => &["-DSTDIN", "--stdin-bytes", "2"],
            Source::Argument => &["-DARGUMENT", "--arg-bytes", "2"],
            Source::Rand => &["-DRAND", "--any-rand"],
        }
    }

    /// The flags by which all values are tried, besides.
    fn tried(self) -> &'static [&'static str] {
        match self {
            Source::Nondet => &["-DTRY"],
            Source::StandardInput | Source::Argument => &["--nondet", "0..7"],
            Source::Rand => &["--nondet", "0..15"],
        }
    }

    /// How many inputs there are at most.
    fn most(self) -> u32 {
        match self {
            Source::StandardInput | Source::Argument => 2,
            Source::Nondet | Source::Rand => 4,
        }
    }
}

/// Whether variables have the same final values.
fn compare_outcomes(path: &str, [tried, followed]: [&[&str]; 2]) -> Result<(), Failed> {
    let outcomes = |flags: &[&str]| {
        let words = [&["outcomes", "--threads", "1", path], flags].concat();
        String::from_utf8_lossy(&impasse(words).stdout).into_owned()
    };
    let (tried, followed) = (outcomes(tried), outcomes(followed));
    if tried == followed && !tried.contains("error: ") {
        return Ok(());
    }
    Err(format!("{path}: outcomes\n{tried}but symbolically\n{followed}").into())
}

/// What a report says, as far as it must agree.
#[derive(Debug)]
struct Answer {
    verdict: String,
    kind: Value,
    reason: String,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        (&self.verdict, &self.kind) == (&other.verdict, &other.kind)
    }
}

impl Answer {
    fn of(report: &Value) -> Answer {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Answer {
            verdict: text(&report["verdict"]),
            kind: report["error"]["kind"].clone(),
            reason: text(&report["reason"]),
        }
    }
}

fn check(path: &str, more: &[&str]) -> Result<Value, Failed> {
    let options = ["--threads", "1", "--max-states", "200000"];
    let words = [&["check", "--format", "json", path], &options[..], more].concat();
    let output = impasse(words);
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{path}: {errors}").into()
    })
}

/// What can go wrong in a program, so that there is one kind of error at most.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    Assertion,
    Bounds,
    Division,
    Hang,
    Race,
    /// Nothing: the outcomes are compared.
    Nothing,
}

const THEMES: [Theme; 6] = [
    Theme::Assertion,
    Theme::Assertion,
    Theme::Bounds,
    Theme::Division,
    Theme::Hang,
    Theme::Race,
];

/// Makes up a program: threads that compute with inputs and with what they share.
struct Maker {
    random: Rng,
    theme: Theme,
    /// How many inputs may still be read.
    inputs: u32,
    /// Whether atomics have weaker orders than sequential consistency.
    is_weak: bool,
    /// Whether the program runs under x86-TSO.
    is_tso: bool,
    has_floats: bool,
    /// The expressions that the statement being made can read.
    readable: Vec<String>,
    locals: u32,
}

const HEAD: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "impasse.h"

#ifdef TRY
static int input(int n)
{
	return impasse_choose(n);
}
#elif defined STDIN
static int input(int n)
{
	unsigned char byte;
	read(0, &byte, 1);
	impasse_assume(byte < n && byte < 8);
	return byte;
}
#elif defined ARGUMENT
static char *text;
static atomic_int at;

static int input(int n)
{
	int own = at++, value = own < strlen(text) ? text[own] : 0;
	impasse_assume(value >= 0 && value < n && value < 8);
	return value;
}
#elif defined RAND
static int input(int n)
{
	int value = rand();
	impasse_assume(value < n && value < 16);
	return value;
}
#else
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int input(int n)
{
	int value = __VERIFIER_nondet_int();
	__VERIFIER_assume(value >= 0 && value < n);
	return value;
}
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
IMPASSE_OUTCOME(int, a);
IMPASSE_OUTCOME(int, b);
IMPASSE_OUTCOME(atomic_int, c);
IMPASSE_OUTCOME(atomic_int, d);
static int plain;
static short array[4] = { 1, 2, 3, 4 };
static int first, second;

static volatile union {
	unsigned whole;
	unsigned short halves[2];
	unsigned char bytes[4];
} shared;

struct pair {
	int low, high;
};

union number {
	int whole;
	short halves[2];
};

static struct pair swapped(struct pair pair)
{
	return (struct pair){ pair.high, pair.low };
}

/* A divisor that clang does not know: it takes a division by a constant zero for no value. */
static int unknown(int n)
{
	volatile int own = n;
	return own;
}

static int twice(int n)
{
	return n > 2 ? n + n : 2 * n;
}

"#;

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = Rng::with_seed(seed);
        let theme = match compares_outcomes(seed) {
            true => Theme::Nothing,
            false => THEMES[random.usize(0..THEMES.len())],
        };
        let inputs = random.u32(1..=4).min(Source::of(seed).most());
        Maker {
            random,
            theme,
            inputs,
            is_weak: seed % 3 == 2,
            is_tso: is_tso(seed) && races(seed) == "off",
            has_floats: has_floats(seed),
            readable: Vec::new(),
            locals: 0,
        }
    }

    fn program(&mut self) -> String {
        let mut text = HEAD.to_owned();
        let early = self.random.u32(0..=self.inputs.min(2));
        self.inputs -= early;
        let count = self.random.usize(1..=2);
        for thread in 0..count {
            self.readable = vec!["first".into(), "second".into()];
            self.locals = 0;
            let body = self.statements(2);
            text += &format!(
                "static void *thread{thread}(void *argument)\n{{\n{body}\treturn argument;\n}}\n\n"
            );
        }
        text += "int main(int argc, char **argv)\n{\n\tpthread_t ids[2];\n";
        text += "#ifdef ARGUMENT\n\ttext = argv[1];\n#endif\n";
        for name in ["first", "second"].into_iter().take(early as usize) {
            text += &format!("\t{name} = input({});\n", self.random.u32(2..=6));
        }
        for n in 0..count {
            text += &format!("\tpthread_create(&ids[{n}], 0, thread{n}, 0);\n");
        }
        self.readable = vec!["first".into(), "second".into()];
        self.locals = 0;
        text += &self.statements(1);
        for n in 0..count {
            text += &format!("\tpthread_join(ids[{n}], 0);\n");
        }
        self.readable.extend(["a", "b", "c", "d"].map(String::from));
        if self.theme == Theme::Assertion {
            let condition = self.condition();
            text += &format!("\tassert({condition} || {});\n", self.condition());
        }
        text + "\treturn 0;\n}\n"
    }

    fn statements(&mut self, most: usize) -> String {
        let count = self.random.usize(1..=most + 2);
        (0..count).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> String {
        if self.inputs > 0 && self.random.u32(0..3) == 0 {
            self.inputs -= 1;
            let name = format!("x{}", self.locals);
            self.locals += 1;
            self.readable.push(name.clone());
            return format!("\tint {name} = input({});\n", self.random.u32(2..=16));
        }
        if self.is_tso && self.random.u32(0..4) == 0 {
            return self.delayed();
        }
        if self.has_floats && self.random.u32(0..3) == 0 {
            return self.floats();
        }
        match self.random.u32(0..14) {
            0 | 1 => self.locked(),
            2 => {
                let (target, value) = (self.pick(&["c", "d"]), self.expression());
                let operation = self.pick(&["add", "sub", "xor", "and"]);
                if self.is_weak {
                    let order = self.pick(&["relaxed", "release"]);
                    return match self.random.bool() {
                        true => format!(
                            "\tatomic_store_explicit(&{target}, {value}, memory_order_{order});\n"
                        ),
                        false => format!(
                            "\tatomic_fetch_{operation}_explicit(&{target}, {value}, memory_order_{order});\n"
                        ),
                    };
                }
                format!("\tatomic_fetch_{operation}(&{target}, {value});\n")
            }
            3 => {
                let (expected, value) = (self.expression(), self.expression());
                let target = self.pick(&["c", "d"]);
                let strength = self.pick(&["strong", "weak"]);
                format!(
                    "\t{{\n\t\tint expected = {expected};\n\t\tatomic_compare_exchange_{strength}(&{target}, &expected, {value});\n\t}}\n"
                )
            }
            4 => {
                let condition = self.condition();
                let inner = self.special();
                format!("\tif ({condition}) {{\n{inner}\t}}\n")
            }
            5 => {
                let name = format!("y{}", self.locals);
                self.locals += 1;
                let value = self.expression();
                self.readable.push(name.clone());
                format!("\tint {name} = {value};\n")
            }
            6 => {
                let bound = self.expression();
                format!("\tfor (int i = 0; i < ({bound} & 3); i++)\n\t\tc++;\n")
            }
            7 => {
                let (value, index) = (self.expression(), self.expression());
                format!(
                    "\tswitch ({value} & 3) {{\n\tcase 0: d = 1; break;\n\tcase 2: d = array[{index} & 3]; break;\n\tdefault: c = {index};\n\t}}\n"
                )
            }
            8..11 => self.in_bytes(),
            _ => self.special(),
        }
    }

    /// Values taken apart and put together in memory, and passed to functions.
    fn in_bytes(&mut self) -> String {
        let name = format!("z{}", self.locals);
        self.locals += 1;
        let (value, other) = (self.expression(), self.expression());
        let (index, target) = (self.leaf(), self.pick(&["c", "d"]));
        self.readable.push(name.clone());
        match self.random.u32(0..9) {
            0 => format!(
                "\tint {name} = {value};\n\t((unsigned char *)&{name})[{index} & 3] = {other};\n\t{name} &= 0xff07;\n"
            ),
            1 => format!(
                "\tint {name} = {value};\n\t{{\n\t\tunsigned char bytes[8] = {{ 0 }};\n\t\tmemcpy(bytes + 1, &{name}, 4);\n\t\tbytes[2] = {other};\n\t\tmemcpy(&{name}, bytes + 1, 4);\n\t}}\n"
            ),
            2 => format!(
                "\tstruct pair pair{name} = {{ {value}, {other} }};\n\tint {name} = swapped(pair{name}).low;\n"
            ),
            3 => format!(
                "\tint {name};\n\t{{\n\t\tlong long wide = (long long){value} << 32 | (unsigned){other};\n\t\t{name} = wide >> 31;\n\t}}\n"
            ),
            4 => format!("\tint {name} = twice({value}) - (unsigned char)({other} + 1);\n"),
            5 => format!(
                "\tint {name};\n\t{{\n\t\tshort *place = array + ({value} & 3);\n\t\t{name} = place >= array + 2 ? *place : place - array;\n\t}}\n"
            ),
            6 => format!(
                "\tint *heap{name} = malloc(sizeof(int));\n\t*heap{name} = {value};\n\tint {name} = *heap{name};\n\tfree(heap{name});\n"
            ),
            7 => format!(
                "\tint {name} = {value} % 5;\n\tif ({name} > 2)\n\t\t{name} = -{name} / 2;\n\tatomic_fetch_or(&{target}, {name} & 1);\n"
            ),
            _ => format!(
                "\tunion number union{name} = {{ .whole = {value} }};\n\tunion{name}.halves[{index} & 1] = {other};\n\tint {name} = union{name}.whole & 0x3000f;\n"
            ),
        }
    }

    /// A number that is computed in floating-point arithmetic.
    fn floats(&mut self) -> String {
        let (value, other) = (self.expression(), self.leaf());
        // Z3 takes long for products and quotients of 64 bits.
        let operator = self.pick(&["+", "-", "+", "-", "*"]);
        let float = match operator {
            "*" => "float",
            _ => self.pick(&["float", "double"]),
        };
        let number = self.random.u32(0..6);
        let name = format!("v{}", self.locals);
        self.locals += 1;
        self.readable.push(name.clone());
        let computed =
            format!("\t{float} {name}f = ({float}){value} {operator} ({float}){other};\n");
        let result = match self.random.u32(0..5) {
            0 => format!("{name}f > {number}.25 ? 1 : {name}f == {name}f ? 2 : 3"),
            1 => format!("!({name}f < {number}) + 2 * ({name}f != {other})"),
            2 => format!("{name}f > -100 && {name}f < 100 ? (int)((float){name}f / 3) : 7"),
            3 => format!("{name}f >= 0 && {name}f < 256 ? (unsigned char){name}f : -{name}f > 1"),
            _ => format!("(float){name}f == (double){name}f"),
        };
        format!("{computed}\tint {name} = {result};\n")
    }

    /// Stores to parts of what threads share, and loads of others.
    fn delayed(&mut self) -> String {
        let (value, index) = (self.expression(), self.leaf());
        let name = format!("w{}", self.locals);
        self.locals += 1;
        let store = match self.random.u32(0..4) {
            0 => format!("shared.whole = {value} & 7;"),
            1 => format!("shared.halves[{index} & 1] = {value} & 7;"),
            2 => format!("shared.bytes[{index} & 3] = {value} & 7;"),
            _ => {
                format!("int {name}s = {value} & 7;\n\tmemcpy((char *)&shared + 2, &{name}s, 2);")
            }
        };
        let load = match self.random.u32(0..4) {
            0 => "shared.whole % 5",
            1 => "shared.halves[1]",
            2 => "shared.halves[0] + shared.bytes[2]",
            _ => "shared.bytes[1]",
        };
        self.readable.push(name.clone());
        format!("\t{store}\n\tint {name} = {load};\n")
    }

    /// Something that may be an error, of the program's theme.
    fn special(&mut self) -> String {
        let value = self.expression();
        match self.theme {
            Theme::Assertion => format!("\tassert({});\n", self.condition()),
            Theme::Bounds => format!("\tc = array[{value}];\n"),
            Theme::Division => format!("\td = 7 / unknown({value} - {});\n", self.random.u32(0..6)),
            Theme::Hang => match self.random.u32(0..4) {
                0 => {
                    let condition = self.condition();
                    format!(
                        "\tpthread_mutex_lock(&mutex);\n\tif ({condition})\n\t\tpthread_mutex_lock(&other);\n\tpthread_mutex_unlock(&mutex);\n"
                    )
                }
                1 => format!("\twhile ((c & 3) == ({value} & 3))\n\t\t;\n"),
                2 => {
                    let condition = self.condition();
                    format!(
                        "\tpthread_mutex_lock(&other);\n\tif ({condition})\n\t\tpthread_mutex_unlock(&other);\n"
                    )
                }
                _ => format!("\twhile ({value} > d)\n\t\td++;\n"),
            },
            Theme::Nothing => format!("\tc ^= {value};\n"),
            Theme::Race => {
                let condition = self.condition();
                format!("\tif ({condition})\n\t\tplain = {value};\n")
            }
        }
    }

    fn locked(&mut self) -> String {
        let kept = self.readable.len();
        self.readable.extend(["a", "b"].map(String::from));
        let (target, value) = (self.pick(&["a", "b"]), self.expression());
        let guard = match self.random.bool() {
            true => format!("if ({})\n\t\t\t", self.condition()),
            false => String::new(),
        };
        self.readable.truncate(kept);
        format!(
            "\tpthread_mutex_lock(&mutex);\n\t\t{guard}{target} = {value};\n\tpthread_mutex_unlock(&mutex);\n"
        )
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.usize(0..of.len())]
    }

    fn leaf(&mut self) -> String {
        match self.random.u32(0..5) {
            0 => self.random.u32(0..8).to_string(),
            1 if self.is_weak => {
                let order = self.pick(&["relaxed", "acquire"]);
                format!(
                    "atomic_load_explicit(&{}, memory_order_{order})",
                    self.pick(&["c", "d"])
                )
            }
            1 => self.pick(&["c", "d"]).into(),
            _ => self.readable[self.random.usize(0..self.readable.len())].clone(),
        }
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.leaf(), self.leaf());
        match self.random.u32(0..8) {
            0 | 1 => format!(
                "({left} {} {right})",
                self.pick(&["+", "-", "*", "&", "|", "^"])
            ),
            2 => format!("({left} / 2)"),
            3 => format!("(short)({left} * 3)"),
            4 => format!("({} ? {left} : {right})", self.condition()),
            5 => format!("({left} << {})", self.random.u32(0..3)),
            _ => left,
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.leaf(), self.leaf());
        let operator = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.u32(0..4) {
            0 => format!("({left} % 3 {operator} {right})"),
            1 => format!("({left} + {right} {operator} {})", self.random.u32(0..6)),
            _ => format!("({left} {operator} {right})"),
        }
    }
}
