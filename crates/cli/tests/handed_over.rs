//! Programs that are made up, in which threads hand objects with atomics over to each other under
//! C11. A search guesses that whoever gets such an object has seen what its only thread had, and
//! drops older messages (`docs/internals/c11.md`, "Atomics that one thread alone can reach"). The
//! outcomes must be those of the same program with objects that every thread can reach all the time.
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
const PROGRAMS: u64 = 24;

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

/// Makes up a program. The first thread hands over, the others take, or both.
fn program(random: &mut Rng) -> String {
    let threads = random.usize(2..=3);
    let most = if threads == 2 { 5 } else { 3 };
    let mut text = HEAD.to_owned();
    for thread in 0..threads {
        let count = random.usize(2..=most);
        let owns = thread == 0 || random.bool();
        let body: String = (0..count).map(|_| statement(random, owns)).collect();
        text += &format!(
            "static void *work{thread}(void *given)\n{{\n\tstruct object *mine = given, *got = 0;\n\
             \tint seen = 0;\n{body}\tr{thread} = seen;\n\treturn mine;\n}}\n\n"
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

fn statement(random: &mut Rng, owns: bool) -> String {
    let slot = ["first", "second"][random.usize(0..2)];
    let field = ["a", "b"][random.usize(0..2)];
    let value = random.usize(1..4);
    let weak = random.bool();
    let order = |strong: &str| match weak {
        true => "memory_order_relaxed".to_owned(),
        false => format!("memory_order_{strong}"),
    };
    let (release, acquire) = (order("release"), order("acquire"));
    let object = if owns && random.u8(0..3) > 0 {
        "mine"
    } else {
        "got"
    };
    match random.u8(0..8) {
        0 if owns => format!("\tatomic_store_explicit(&{slot}, mine, {release});\n"),
        1 if owns => format!(
            "\tfor (struct object *old = 0; !old && !atomic_compare_exchange_weak_explicit(&{slot}, &old, mine, {release}, memory_order_relaxed);)\n\
             \t\tatomic_store_explicit(&mine->{field}, {value}, memory_order_relaxed);\n"
        ),
        0..=3 => format!("\tgot = atomic_load_explicit(&{slot}, {acquire});\n"),
        4 => format!(
            "\tif ({object})\n\t\tatomic_store_explicit(&{object}->{field}, {value}, {release});\n"
        ),
        5 => format!(
            "\tif ({object})\n\t\tseen = seen * 4 + atomic_fetch_add_explicit(&{object}->{field}, 1, {acquire});\n"
        ),
        _ => format!(
            "\tif ({object})\n\t\tseen = seen * 4 + atomic_load_explicit(&{object}->{field}, {acquire});\n"
        ),
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
