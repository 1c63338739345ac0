//! Programs that are made up, in which several threads run the same function. Symmetry reduction
//! must not lose an outcome: the final values must be those of the same program in which each
//! thread asks for its id, so that the reduction does not apply. They aim at what tells threads
//! apart: what they have read, memory that one thread has alone, locks, what they were given, when
//! they are joined, and what main does meanwhile.
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symmetry");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    let model = ["sc", "c11"][number as usize % 2];
    let program = Maker::new(number).program(model);
    fs::write(&path, program)?;
    same_outcomes(&path, model, "APART")
}

/// Makes up a program.
struct Maker {
    random: Rng,
    /// The values that the thread has read, of which it has so many.
    read: usize,
    /// Whether it holds the mutex where code is being made.
    locked: bool,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker {
            random: Rng::with_seed(seed),
            read: 0,
            locked: false,
        }
    }

    fn program(mut self, model: &str) -> String {
        let threads = self.random.usize(2..=3);
        let most = match (threads, model) {
            (2, _) => 5,
            (_, "c11") => 2,
            _ => 3,
        };
        let body = self.statements(most, 2);
        let given = ["0", "&object", "made()"][self.random.usize(0..3)];
        let free = if given == "made()" {
            "\tfree(given);\n"
        } else {
            ""
        };
        let mut text = format!(
            "{HEAD}static void *work(void *given)\n{{\n\tASK;\n\tunsigned seen = 1;\n\tint own[2] = {{ 0 }}, r0 = 0;\n\tkeep(own);\n\
             {body}{free}\tadd(seen);\n\treturn given;\n}}\n\nint main(void)\n{{\n\tpthread_t id[{threads}];\n"
        );
        for thread in 0..threads {
            text += &format!("\tpthread_create(&id[{thread}], 0, work, {given});\n");
            if self.random.u8(0..6) == 0 {
                text += &self.of_main();
            }
        }
        if self.random.u8(0..4) == 0 {
            text += &self.of_main();
        }
        let how = self.random.u8(0..8);
        for thread in 0..threads {
            text += &match how {
                0 => format!("\tjoin(id[{thread}]);\n"),
                1 if thread == 0 => format!("\tpthread_join(id[0], 0);\n{}", self.of_main()),
                2 => format!("\tpthread_join(id[{}], 0);\n", threads - 1 - thread),
                _ => format!("\tpthread_join(id[{thread}], 0);\n"),
            };
        }
        text + "}\n"
    }

    fn of_main(&mut self) -> String {
        let variable = self.random.usize(0..3);
        match self.random.bool() {
            true => format!("\tatomic_fetch_add(&x{variable}, 4);\n"),
            false => format!(
                "\tatomic_store(&x{variable}, atomic_load(&x{}) + 2);\n",
                2 - variable
            ),
        }
    }

    fn statements(&mut self, most: usize, depth: usize) -> String {
        let count = self.random.usize(most.div_ceil(2)..=most);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    /// A value that the thread has read.
    fn value(&mut self) -> String {
        match self.random.u8(0..4) {
            0 => "own[0]".into(),
            1 => "local".into(),
            _ => format!("r{}", self.random.usize(0..=self.read)),
        }
    }

    /// Declares one more value, which only what follows in the same block has.
    fn reads(&mut self, value: &str) -> String {
        self.read += 1;
        let number = self.read;
        format!("\tint r{number} = {value};\n\tseen = seen * 5 + r{number};\n")
    }

    fn block(&mut self, depth: usize) -> String {
        let read = self.read;
        let body = self.statements(2, depth - 1);
        self.read = read;
        format!("{{\n{body}\t}}\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        let variable = self.random.usize(0..3);
        let order = ["relaxed", "seq_cst"][self.random.usize(0..2)];
        match self.random.u8(0..14) {
            0 | 1 => self.reads(&format!(
                "atomic_fetch_add_explicit(&x{variable}, 1, memory_order_{order})"
            )),
            2 | 3 => self.reads(&format!(
                "atomic_load_explicit(&x{variable}, memory_order_{order})"
            )),
            4 | 5 => {
                let value = self.value();
                format!(
                    "\tatomic_store_explicit(&x{variable}, {value} % 3 + 1, memory_order_{order});\n"
                )
            }
            6 if depth > 0 => {
                let (value, least) = (self.value(), self.random.u8(0..2));
                format!("\tif ({value} > {least}) {}", self.block(depth))
            }
            7 if depth > 0 && !self.locked => {
                self.locked = true;
                let body = self.block(depth);
                self.locked = false;
                format!(
                    "\tpthread_mutex_lock(&mutex);\n\tcounter++;\n\t{body}\tpthread_mutex_unlock(&mutex);\n"
                )
            }
            8 => format!("\tput(&own[0], {});\n", self.value()),
            9 => format!("\tlocal = {};\n", self.value()),
            10 => {
                let value = self.value();
                format!(
                    "\t{{\n\tint *made = malloc(sizeof *made);\n\t*made = {value};\n\tatomic_fetch_add(&x{variable}, *made % 2);\n\tfree(made);\n\t}}\n"
                )
            }
            11 => self.reads("given ? atomic_fetch_add((atomic_int *)given, 1) : 0"),
            12 => format!(
                "\t{{\n\tint expected = {};\n\tatomic_compare_exchange_strong(&x{variable}, &expected, 2);\n\t}}\n",
                self.random.u8(0..2)
            ),
            _ => "\tsem_wait(&semaphore);\n\tsem_post(&semaphore);\n".into(),
        }
    }
}

const HEAD: &str = r#"#include <impasse.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef APART
#define ASK ((void)pthread_self())
#else
#define ASK ((void)0)
#endif

IMPASSE_OUTCOME(atomic_int, x0);
IMPASSE_OUTCOME(atomic_int, x1);
IMPASSE_OUTCOME(atomic_int, x2);
IMPASSE_OUTCOME(atomic_uint, sum);

static atomic_int object;
static int counter;
static _Thread_local int local;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static __attribute__((constructor)) void begin(void)
{
	sem_init(&semaphore, 0, 1);
}

static void *made(void)
{
	return calloc(1, sizeof(atomic_int));
}

static void join(pthread_t id)
{
	void *result;
	pthread_join(id, &result);
	atomic_fetch_add(&x0, result != 0);
}

/* Adds what a thread has read, so that outcomes say what threads have read, but not which. */
static void add(unsigned seen)
{
	atomic_fetch_add_explicit(&sum, seen * seen + seen, memory_order_relaxed);
}

static void put(int *where, int value)
{
	*where = value;
}

static void keep(int *where)
{
	put(where + 1, 0);
}

"#;
