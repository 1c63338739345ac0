//! Programs that are made up, explored with each reduction, under sequential consistency and
//! x86-TSO: the verdicts must agree. With steps remembered and without, the whole graphs must.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{impasse, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 60;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reductions");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    fs::write(&path, Maker::new(number).program())?;
    let model = ["sc", "tso"][number as usize % 2];
    let slow = verdict(&path, model, "off", "on")?;
    for reduction in ["full", "local"] {
        let fast = verdict(&path, model, reduction, "on")?;
        let executed = verdict(&path, model, reduction, "off")?;
        if fast != executed {
            let file = path.display();
            return Err(format!(
                "{file}: {model}, {reduction}: {fast:?} with steps remembered, {executed:?} without"
            )
            .into());
        }
        // What exceeds the limits without reduction need not do so with it.
        if fast.0 != slow.0 && slow.0 != "inconclusive" {
            let file = path.display();
            return Err(
                format!("{file}: {model}: {fast:?} with {reduction}, {slow:?} without").into(),
            );
        }
    }
    Ok(())
}

/// The verdict, the kind of error, and the numbers of states and transitions.
fn verdict(
    path: &Path,
    model: &str,
    reduction: &str,
    step_cache: &str,
) -> Result<(String, [Value; 3]), Failed> {
    let path = path.to_string_lossy();
    let options = [
        "--threads",
        "1",
        "--max-states",
        "300000",
        "--memory-model",
        model,
        "--por",
        reduction,
        "--step-cache",
        step_cache,
    ];
    let output = impasse([&["check", "--format", "json", &*path], &options[..]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{path}, {model}, {reduction}: {errors}")
    })?;
    let verdict = report["verdict"].as_str().unwrap_or_default();
    let kind = report["error"]["kind"].clone();
    let numbers = [
        kind,
        report["states"].clone(),
        report["transitions"].clone(),
    ];
    Ok((verdict.into(), numbers))
}

/// Makes up a program: threads that lock, count, publish and free, most of the time with
/// discipline.
struct Maker {
    random: Rng,
    /// Whether plain variables are accessed under their mutex only.
    disciplined: bool,
    /// The mutexes that are held where code is being made.
    held: Vec<usize>,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = Rng::with_seed(seed);
        let disciplined = random.u32(0..4) > 0;
        Maker {
            random,
            disciplined,
            held: Vec::new(),
        }
    }

    fn program(&mut self) -> String {
        let count = self.random.usize(2..=3);
        let most = if count == 2 { 3 } else { 2 };
        let mut text = HEAD.to_owned();
        text += if self.random.bool() { APART } else { TOGETHER };
        text += FUNCTIONS;
        for thread in 0..count {
            let body = self.statements(most, 2);
            text += &format!(
                "static void *thread{thread}(void *argument)\n{{\n\tint *local = argument;\n{body}\treturn local;\n}}\n\n"
            );
        }
        let start: String = (0..count)
            .map(|n| format!("\tpthread_create(&ids[{n}], 0, thread{n}, &variable);\n"))
            .collect();
        let joined = if self.rarely() { count - 1 } else { count };
        let join: String = (0..joined)
            .map(|n| format!("\tpthread_join(ids[{n}], 0);\n"))
            .collect();
        let meanwhile = match self.random.bool() {
            true => self.statements(1, 1),
            false => String::new(),
        };
        let most = self.random.u32(1..6);
        text + &format!(
            "int main(void)\n{{\n\tint variable = 0, *local = &variable;\n\tpthread_t ids[{count}];\n{start}{meanwhile}{join}\
             \tassert(x[0] + variable < {most});\n\tfree(p);\n}}\n"
        )
    }

    fn rarely(&mut self) -> bool {
        self.random.u32(0..12) == 0
    }

    fn statements(&mut self, most: usize, depth: usize) -> String {
        let count = self.random.usize(1..=most);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> String {
        let value = self.random.u32(1..3);
        match self.random.u32(0..17) {
            0..4 if depth > 0 => self.locked(depth),
            0..7 => self.plain(),
            7 => format!("\tf = {value};\n"),
            8 => match self.random.u32(0..3) {
                0 => "\tf++;\n".into(),
                _ => format!("\tatomic_store_explicit(&f, {value}, memory_order_release);\n"),
            },
            9 if depth > 0 => format!("\tif (f == {value}) {{\n{}\t}}\n", self.statements(2, depth - 1)),
            9 if self.rarely() => format!("\twhile (f < {value})\n\t\tsched_yield();\n"),
            10 => format!("\tfree(atomic_exchange(&p, made({value})));\n"),
            11 => "\t{\n\t\tint *q = atomic_exchange(&p, 0);\n\t\tif (q)\n\t\t\t*q += 1;\n\t\tfree(q);\n\t}\n".into(),
            12 if self.random.bool() => "\thand_over();\n".into(),
            12 if !self.disciplined => "\tif (p)\n\t\tf = *p;\n".into(),
            13 if !self.disciplined => "\tpublish();\n".into(),
            13 if self.rarely() => "\tleave();\n".into(),
            14 => format!("\tpost({value});\n"),
            15 => "\ttake();\n".into(),
            16 if !self.disciplined => "\tpeek();\n".into(),
            16 => format!("\tif (atomic_load_explicit(&f, memory_order_acquire) != {value})\n\t\tpost({value});\n"),
            _ => format!("\tassert(f != {});\n", value + 2),
        }
    }

    /// A critical section; now and then it is left without unlocking.
    fn locked(&mut self, depth: usize) -> String {
        let mutex = self.random.usize(0..2);
        if self.held.contains(&mutex) {
            return self.plain();
        }
        self.held.push(mutex);
        let body = self.statements(2, depth - 1);
        self.held.pop();
        let unlock = match self.rarely() && self.rarely() {
            true => String::new(),
            false => format!("\tpthread_mutex_unlock(&m[{mutex}]);\n"),
        };
        match self.random.u32(0..6) {
            0 => format!("\tif (!pthread_mutex_trylock(&m[{mutex}])) {{\n{body}{unlock}\t}}\n"),
            _ => format!("\tpthread_mutex_lock(&m[{mutex}]);\n{body}{unlock}"),
        }
    }

    /// An access that is not atomic.
    fn plain(&mut self) -> String {
        let of = match (self.disciplined, self.held.last()) {
            (true, None) => return "\tf += 2;\n".into(),
            (true, Some(&mutex)) => mutex,
            (false, _) => self.random.usize(0..2),
        };
        let place = match (of, self.random.bool()) {
            (0, true) => "*local".to_owned(),
            _ => format!("x[{of}]"),
        };
        let value = self.random.u32(1..4);
        match self.random.u32(0..4) {
            0 => format!("\t{place} = {value};\n"),
            1 => format!("\tassert({place} != {value});\n"),
            _ => format!("\t{place}++;\n"),
        }
    }
}

const HEAD: &str = "\
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

";

/// What threads share, each variable by itself.
const APART: &str = "\
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x[2];
static atomic_int f;
static int *_Atomic p;
static int message;
static atomic_int posting, posted;

";

/// The same as one object, in which some words are parts of two variables.
const TOGETHER: &str = "\
static struct {
\tchar name[3];
\tatomic_int f;
\tpthread_mutex_t m[2];
\tint message, x[2];
\tatomic_int posting;
\tint *_Atomic p;
\tatomic_int posted;
} all = {.m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};
#define m all.m
#define x all.x
#define f all.f
#define p all.p
#define message all.message
#define posting all.posting
#define posted all.posted

";

const FUNCTIONS: &str = "\
static int *made(int value)
{
\tint *q = malloc(sizeof *q);
\t*q = value;
\treturn q;
}

static void *count(void *argument)
{
\t++*(int *)argument;
\tf = 1;
\treturn 0;
}

static void hand_over(void)
{
\tstruct {
\t\tpthread_t id;
\t\tint *q;
\t} given = {.q = atomic_exchange(&p, 0)};
\tif (!given.q)
\t\treturn;
\tpthread_create(&given.id, 0, count, given.q);
\tpthread_join(given.id, 0);
\tfree(given.q);
}

static void post(int value)
{
\tif (!atomic_exchange(&posting, 1)) {
\t\tmessage += value;
\t\tatomic_store_explicit(&posted, 1, memory_order_release);
\t}
}

static void take(void)
{
\tif (atomic_load_explicit(&posted, memory_order_acquire) && atomic_exchange(&posted, 0)) {
\t\tmessage++;
\t\tassert(message != 4);
\t\tatomic_store_explicit(&posting, 0, memory_order_release);
\t}
}

static void peek(void)
{
\tif (atomic_load_explicit(&posted, memory_order_acquire))
\t\tassert(message != 4);
}

static void publish(void)
{
\tint *q = made(0);
\tfree(atomic_exchange(&p, q));
\t*q = 1;
}

static void leave(void)
{
\tint outlived = 0;
\tpthread_t id;
\tpthread_create(&id, 0, count, &outlived);
\tpthread_detach(id);
\twhile (!f)
\t\tsched_yield();
}

";
