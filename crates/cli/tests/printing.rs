//! Programs that are made up, whose threads print and do other things: they must get the verdict
//! that they get when all that is printed takes the lock and the buffer of its stream.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{Answer, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 16;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printing");
    fs::create_dir_all(&folder)?;
    let program = program(&mut Rng::with_seed(number));
    let answer = |name: &str, start: &str| {
        let path = folder.join(format!("{number}-{name}.c"));
        fs::write(&path, format!("{HEAD}{start}{program}"))?;
        Answer::of(&path, &["--max-states", "50000"])
    };
    let alone = answer("alone", "static void begin(void) {}\n")?;
    let locking = answer("locking", LOCKING)?;
    let inconclusive = |answer: &Answer| answer.verdict == "inconclusive";
    if inconclusive(&alone) || inconclusive(&locking) || alone.verdict == locking.verdict {
        return Ok(());
    }
    Err(format!("{number}: {alone:?}, but {locking:?} with locks and buffers").into())
}

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flags[2];
static int plain[2], guarded;

";

/// A program that has locked a stream keeps to locks and buffers.
const LOCKING: &str = "static void begin(void)
{
	flockfile(stdout);
	funlockfile(stdout);
}

";

/// Returns the text of a program but for what `begin` does.
fn program(random: &mut Rng) -> String {
    let threads = random.usize(1..=2);
    let mut text = String::new();
    for thread in 0..threads {
        let body = statements(random, 4);
        text += &format!(
            "static void *thread{thread}(void *unused)\n{{\n{body}\treturn unused;\n}}\n\n"
        );
    }
    text += "int main(void)\n{\n\tbegin();\n\tpthread_t threads[2];\n";
    for thread in 0..threads {
        text += &format!("\tpthread_create(&threads[{thread}], 0, thread{thread}, 0);\n");
    }
    text += &statements(random, 3);
    for thread in 0..threads {
        text += &format!("\tpthread_join(threads[{thread}], 0);\n");
    }
    text + &statements(random, 1) + "\treturn 0;\n}\n"
}

/// Returns statements of a thread, most of which print.
fn statements(random: &mut Rng, most: usize) -> String {
    let statement = |random: &mut Rng| {
        let variable = random.usize(0..2);
        let other = 1 - variable;
        let print = print(random, variable);
        match random.u8(0..16) {
            0..=6 => print,
            7 => format!(
                "pthread_mutex_lock(&mutex); {print} guarded++; pthread_mutex_unlock(&mutex);"
            ),
            8 => "pthread_mutex_lock(&mutex); guarded++; pthread_cond_signal(&changed); \
                  pthread_mutex_unlock(&mutex);"
                .into(),
            9 => format!(
                "pthread_mutex_lock(&mutex); while (!guarded) {{ {print} \
                 pthread_cond_wait(&changed, &mutex); }} pthread_mutex_unlock(&mutex);"
            ),
            10 | 11 => format!("flags[{variable}] = 1;"),
            12 => format!("if (flags[{variable}]) {{ {print} plain[{variable}]++; }}"),
            13 => format!("while (!flags[{variable}]) {{ {print} }}"),
            14 => format!("plain[{variable}]++;"),
            _ => format!("if (flags[{variable}]) assert(flags[{other}]);"),
        }
    };
    let count = random.usize(1..=most);
    (0..count)
        .map(|_| format!("\t{}\n", statement(random)))
        .collect()
}

/// Returns a statement that prints, perhaps the value of a variable.
fn print(random: &mut Rng, variable: usize) -> String {
    match random.u8(0..9) {
        0 | 1 => "printf(\"%d\\n\", 1);".into(),
        2 => "puts(\"text\");".into(),
        3 => "putchar('c');".into(),
        4 => "fputs(\"text\\n\", stderr);".into(),
        5 => "fwrite(\"text\", 2, 2, stdout);".into(),
        6 => "fflush(stdout);".into(),
        7 => format!("printf(\"%d\", flags[{variable}]);"),
        _ => format!("fprintf(stderr, \"%d %d\", plain[{variable}], flags[{variable}]);"),
    }
}
