//! Programs that are made up, in which threads hand objects with atomics over to each other under
//! C11. A search guesses that whoever gets such an object has seen what its only thread had, and
//! drops older messages (`docs/internals/c11.md`, "Atomics that one thread alone can reach"). The
//! outcomes must be those of the same program with objects that every thread can reach at any time.
//! Some of the programs hand over without synchronising, so that the guess is wrong.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{same_outcomes, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 40;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("handed-over");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    fs::write(&path, program(&mut Rng::with_seed(number)))?;
    same_outcomes(&path, "c11", "GLOBAL")
}

/// Makes up a program. The first thread hands its object over, the second one takes what it finds,
/// and a third one does either.
fn program(random: &mut Rng) -> String {
    let threads = if random.u8(0..4) == 0 { 3 } else { 2 };
    let mut text = HEAD.to_owned();
    for thread in 0..threads {
        let hands_over = thread == 0 || thread == 2 && random.bool();
        let body = match hands_over {
            true => handing_over(random),
            false => taking(random, if threads == 2 { 3 } else { 2 }),
        };
        text += &format!(
            "static void *work{thread}(void *given)\n{{\n\tstruct object *mine = given;\n\tint seen = 0;\n\
             {body}\tr{thread} = seen;\n\treturn mine;\n}}\n\n"
        );
    }
    text += "int main(void)\n{\n\tpthread_t id[3];\n\tvoid *objects[3];\n";
    for thread in 0..threads {
        text += &format!("\tobjects[{thread}] = make({thread});\n");
    }
    for thread in 0..threads {
        text += &format!(
            "\tpthread_create(&id[{thread}], 0, work{thread}, objects[{thread}]);\n\tobjects[{thread}] = 0;\n"
        );
    }
    for thread in 0..threads {
        text += &format!("\tpthread_join(id[{thread}], &objects[{thread}]);\n");
    }
    for thread in 0..threads {
        text += &format!("\tdiscard(objects[{thread}]);\n");
    }
    text + "}\n"
}

/// Stores to the thread's own object, hands it over, and may access it again.
fn handing_over(random: &mut Rng) -> String {
    let mut body = String::new();
    for _ in 0..random.usize(1..=2) {
        body += &access(random, "mine", true);
    }
    let slot = slot(random);
    let release = order(random, "release");
    body += &match random.u8(0..3) {
        0 => format!(
            "\tstruct object *old = 0;\n\
             \tfor (int i = 0; i < 3 && !old && !atomic_compare_exchange_weak_explicit(&{slot}, &old, mine, {release}, memory_order_relaxed); i++)\n\
             \t\tatomic_store_explicit(&mine->a, 1, memory_order_relaxed);\n"
        ),
        _ => format!("\tatomic_store_explicit(&{slot}, mine, {release});\n"),
    };
    if random.bool() {
        body += &access(random, "mine", false);
    }
    body
}

/// Takes an object and accesses it so many times.
fn taking(random: &mut Rng, times: usize) -> String {
    let (slot, acquire) = (slot(random), order(random, "acquire"));
    let take = match random.u8(0..3) {
        0 => format!("atomic_exchange_explicit(&{slot}, 0, {acquire})"),
        _ => format!("atomic_load_explicit(&{slot}, {acquire})"),
    };
    let accesses: String = (0..times).map(|_| access(random, "got", false)).collect();
    format!("\tstruct object *got = {take};\n\tif (got) {{\n\tseen = 1;\n{accesses}\t}}\n")
}

fn slot(random: &mut Rng) -> &'static str {
    ["first", "first", "first", "second"][random.usize(0..4)]
}

/// The order that synchronises, or one that does not.
fn order(random: &mut Rng, strong: &str) -> String {
    match random.bool() {
        true => "memory_order_relaxed".to_owned(),
        false => format!("memory_order_{strong}"),
    }
}

fn access(random: &mut Rng, object: &str, stores: bool) -> String {
    let field = ["a", "b"][random.usize(0..2)];
    let value = random.usize(1..4);
    match random.u8(0..5) {
        0 | 1 if !stores => {
            let acquire = order(random, "acquire");
            format!("\tseen = seen * 8 + atomic_load_explicit(&{object}->{field}, {acquire});\n")
        }
        2 => {
            let release = order(random, "acq_rel");
            format!(
                "\tseen = seen * 8 + atomic_fetch_add_explicit(&{object}->{field}, 1, {release});\n"
            )
        }
        _ => {
            let release = order(random, "release");
            format!("\tatomic_store_explicit(&{object}->{field}, {value}, {release});\n")
        }
    }
}

const HEAD: &str = r#"#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int a, b;
};

IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static struct object *_Atomic first, *_Atomic second;

#ifdef GLOBAL
static struct object all[3];

static struct object *make(int number)
{
	return &all[number];
}

static void discard(struct object *object)
{
	(void)object;
}
#else
static struct object *make(int number)
{
	(void)number;
	return calloc(1, sizeof(struct object));
}

static void discard(struct object *object)
{
	free(object);
}
#endif

"#;
