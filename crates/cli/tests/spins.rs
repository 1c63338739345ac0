//! Programs that are made up, with loops that spin before they do something: explored with steps
//! that run on through iterations, and without. The verdicts must agree, and so must all outcomes.
//!
//! Some loops are spin loops, others come close: they write, use the counter for something else,
//! read it after the loop, take its address, have two counters or a loop inside, block, go on after
//! an exchange, or let what they read decide how they count or up to where.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{Answer, impasse, try_made_up};
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spins");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    let model = ["sc", "c11", "tso", "c11"][number as usize / 6 % 4];
    let orders = match model == "c11" {
        true => weaker_orders(number),
        false => String::new(),
    };
    match number.is_multiple_of(3) {
        true => {
            fs::write(&path, orders + &Maker::new(number).program())?;
            compare_verdicts(number, &path, model)
        }
        false => {
            fs::write(&path, orders + &Maker::new(number).small_program())?;
            compare_outcomes(&path, model)
        }
    }
}

/// Lets all atomic operations be weaker than sequentially consistent; in some programs, none.
fn weaker_orders(number: u64) -> String {
    let mut random = Rng::with_seed(number);
    let mut order = |orders: [&'static str; 3]| orders[random.usize(0..3)];
    let load = order(["relaxed", "acquire", "acquire"]);
    let store = order(["relaxed", "release", "release"]);
    let update = order(["relaxed", "acq_rel", "acq_rel"]);
    if number.is_multiple_of(5) {
        return String::new();
    }
    let operations = [
        ("load", "a", load),
        ("store", "a, n", store),
        ("fetch_add", "a, n", update),
        ("fetch_sub", "a, n", update),
    ];
    let mut text = "#include <stdatomic.h>\n".to_owned();
    for (name, arguments, order) in operations {
        text += &format!(
            "#undef atomic_{name}\n#define atomic_{name}({arguments}) \\\n\tatomic_{name}_explicit({arguments}, memory_order_{order})\n"
        );
    }
    for name in ["compare_exchange_strong", "compare_exchange_weak"] {
        text += &format!(
            "#undef atomic_{name}\n#define atomic_{name}(a, e, n) \\\n\tatomic_{name}_explicit(a, e, n, memory_order_{update}, memory_order_relaxed)\n"
        );
    }
    text
}

/// Compares all outcomes. Steps do not run on where a range of inputs is given, though the program
/// reads none.
fn compare_outcomes(path: &Path, model: &str) -> Result<(), Failed> {
    let file = path.to_string_lossy();
    let outcomes = |flags: &[&str]| {
        let fixed = ["outcomes", &file, "--threads", "1"];
        let more = ["--memory-model", model, "--max-time", "20"];
        let output = impasse([&fixed[..], &more, flags, &["--", "-DNDEBUG"]].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (slow, fast) = (outcomes(&["--nondet", "0..1"]), outcomes(&[]));
    if !slow.contains("inconclusive") && fast != slow {
        return Err(format!("{file}: with spin loops\n{fast}without\n{slow}").into());
    }
    Ok(())
}

/// Compares verdicts, and the numbers of states on one thread and two.
fn compare_verdicts(number: u64, path: &Path, model: &str) -> Result<(), Failed> {
    let hangs = ["local", "global"][number as usize % 2];
    let check = |por, threads, flags: &[&str]| {
        let options = ["--por", por, "--memory-model", model];
        let more = [
            "--threads",
            threads,
            "--hangs",
            hangs,
            "--max-states",
            "200000",
        ];
        Answer::of(path, &[&options[..], &more, flags].concat())
    };
    let reference = if number.is_multiple_of(8) {
        "off"
    } else {
        "full"
    };
    let slow = check(reference, "1", &[])?;
    let fast = check("persistent", "1", &[])?;
    let parallel = check("persistent", "2", &[])?;
    let file = path.display();
    if fast != parallel {
        return Err(format!("{file}: {fast:?} on one thread, {parallel:?} on two").into());
    }
    // Of several errors each search reports the one that it finds first. An error of an execution
    // is real; a hang must be there for both.
    let same = match slow.kind != fast.kind && fast.kind == "hang" {
        true => check(reference, "1", &["--", "-DNDEBUG"])?.verdict == "error",
        false => slow.verdict == fast.verdict,
    };
    if slow.verdict != "inconclusive" && !same {
        return Err(format!("{file}: {fast:?} with spin loops, {slow:?} without").into());
    }
    Ok(())
}

/// Makes up a program.
struct Maker {
    random: Rng,
    /// How many loops there are.
    loops: usize,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker {
            random: Rng::with_seed(seed),
            loops: 0,
        }
    }

    fn program(mut self) -> String {
        let threads = self.random.usize(2..=3);
        let most = if threads == 2 { 3 } else { 2 };
        let mut text = HEAD.to_owned();
        let mut main = format!("\tpthread_t id[{threads}];\n");
        for me in 0..threads {
            let mut body: String = (0..self.random.usize(1..=most))
                .map(|_| self.statement())
                .collect();
            if me == 0 || self.random.bool() {
                let at = self.random.bool();
                let spin = self.spin();
                body = if at { spin + &body } else { body + &spin };
            }
            text += &format!(
                "static void *thread{me}(void *given)\n{{\n\tint done = 0;\n{body}\treturn given;\n}}\n\n"
            );
            main += &format!("\tpthread_create(&id[{me}], 0, thread{me}, 0);\n");
        }
        if self.random.bool() {
            main += "\tint done = 0;\n";
            main += &self.statement();
        }
        for me in 0..threads {
            main += &format!("\tpthread_join(id[{me}], 0);\n");
        }
        text += &format!("int main(void)\n{{\n{main}\treturn 0;\n}}\n");
        text
    }

    /// One or two threads that spin, and one that writes what they read. The outcomes say what each
    /// has found.
    fn small_program(mut self) -> String {
        let spinning = [1, 1, 2][self.random.usize(0..3)];
        let mut text = HEAD.to_owned();
        let mut main = format!("\tpthread_t id[{}];\n", spinning + 1);
        for me in 0..=spinning {
            let body = match me < spinning {
                true => self.small_spin(me) + &format!("\tr{me} = 1 + done;\n"),
                false => (0..self.random.usize(2..=4))
                    .map(|_| self.write())
                    .collect(),
            };
            text += &format!(
                "IMPASSE_OUTCOME(int, r{me});\nstatic void *thread{me}(void *given)\n{{\n\tint done = 0;\n\t(void)done;\n{body}\treturn given;\n}}\n\n"
            );
            main += &format!("\tpthread_create(&id[{me}], 0, thread{me}, 0);\n");
        }
        for me in 0..=spinning {
            main += &format!("\tpthread_join(id[{me}], 0);\n");
        }
        main += "\tz_ = x + 10 * y + 100 * z;\n";
        text += &format!("IMPASSE_OUTCOME(int, z_);\nint main(void)\n{{\n{main}\treturn 0;\n}}\n");
        text
    }

    /// A loop that reads one variable, and is a spin loop or breaks one rule.
    fn small_spin(&mut self, me: usize) -> String {
        let (a, value) = ("x", [1, 1, 1, 2][self.random.usize(0..4)]);
        let exit = ["break;", "{ done = 1; break; }"][self.random.usize(0..2)];
        let action = match self.random.u8(0..3) {
            0 => exit.to_owned(),
            _ => self.action(exit),
        };
        let until = self.random.u8(0..3);
        let last = match self.random.u8(0..6) {
            0 | 1 => format!("\t\tif (got == {until})\n\t\t\t{exit}\n"),
            2 | 3 => self.uneven("x", "{ done = 16; break; }"),
            _ => String::new(),
        };
        let bound = self.random.u8(3..7);
        let head = match self.random.u8(0..4) {
            0 => format!("\tn = {bound};\n\twhile (n-- > 0) {{\n"),
            _ => format!("\tfor (n = 0; n < {bound}; n++) {{\n"),
        };
        let after = match self.random.u8(0..6) {
            0 => "\tdone += 2 * n;\n",
            1 => "\tdone += 2 * m;\n",
            2 => "\tdone += 2 * seen;\n",
            3 => "\tif (!done)\n\t\tsem_wait(&semaphore);\n",
            _ => "",
        };
        format!(
            "\tint n, m = 0, seen = 0, limit = 4;\n{head}\t\tint got = atomic_load(&{a});\n\t\tif (got == {value}) {{\n\t\t\t{action}\n\t\t}}\n{last}\t}}\n{after}\t(void)m, (void)seen, (void)limit;\n"
        ) + &format!("\tatomic_fetch_add(&many[{me}], 1);\n")
    }

    /// Counting, or a limit, that depends on what the iteration reads.
    fn uneven(&mut self, a: &str, exit: &str) -> String {
        let value = self.random.u8(1..4);
        let chosen = |name: &str, one: u8, other: u8| match value {
            1 => format!("int {name} = {other}; if (atomic_load(&{a})) {name} = {one};"),
            2 => {
                format!("int {name}; if (atomic_load(&{a})) {name} = {one}; else {name} = {other};")
            }
            _ => format!(
                "int {name}; switch (atomic_load(&{a})) {{ case 1: {name} = {one}; break; default: {name} = {other}; }}"
            ),
        };
        match self.random.bool() {
            true => format!("\t\t{{ {} if (n == at) {exit} }}\n", chosen("at", value, 9)),
            false => format!(
                "\t\t{{ {} n += by; if (n == {value}) {exit} }}\n",
                chosen("by", 1, 0)
            ),
        }
    }

    fn write(&mut self) -> String {
        let a = self.atomic();
        let value = self.random.u8(0..3);
        match self.random.u8(0..6) {
            0 => format!("\tatomic_fetch_add(&{a}, 1);\n"),
            1 => "\tsem_post(&semaphore);\n".into(),
            2 => format!("\tatomic_store(&{a}, {value});\n"),
            _ => format!("\tatomic_store(&x, {value});\n"),
        }
    }

    fn atomic(&mut self) -> &'static str {
        ["x", "y", "z"][self.random.usize(0..3)]
    }

    /// A loop that spins, or nearly does.
    fn spin(&mut self) -> String {
        self.loops += 1;
        let name = self.loops;
        let bound = self.random.u8(1..5);
        let counter = match self.random.u8(0..16) {
            0 => "volatile int",
            1 => "static _Thread_local int",
            2 => "unsigned char",
            3 => "unsigned",
            _ => "int",
        };
        let (start, test, step) = match self.random.u8(0..7) {
            0 => (bound, "n > 0".to_owned(), "n--"),
            1 => (0, format!("n != {}", 2 * bound), "n += 2"),
            2 => (1, format!("n <= {bound} && n < 4"), "n++"),
            3 => (0, format!("n < {bound}"), "++n"),
            4 => (0, "n < limit".to_owned(), "n++"),
            _ => (0, format!("n < {bound}"), "n++"),
        };
        let exit = ["break;", "goto out;", "{ done = 1; break; }"][self.random.usize(0..3)]
            .replace("out", &format!("out{name}"));
        let mut body = String::new();
        if self.random.u8(0..4) == 0 {
            body += &self.near(&exit);
        }
        for _ in 0..self.random.usize(1..=2) {
            body += &self.read(&exit);
        }
        if self.random.u8(0..3) == 0 {
            body += &self.near(&exit);
        }
        let after = self.after();
        let before = match self.random.u8(0..8) {
            0 => "\tint seen = atomic_load(&x);\n",
            _ => "\tint seen = 0;\n",
        };
        let text = match self.random.u8(0..5) {
            0 => format!("\tn = {start};\n\twhile ({test}) {{\n{body}\t\t{step};\n\t}}\n"),
            1 => format!("\tn = {start};\n\tdo {{\n{body}\t\t{step};\n\t}} while ({test});\n"),
            2 => format!(
                "\tn = {start};\n\tfor (;;) {{\n{body}\t\tif (!({test}))\n\t\t\tbreak;\n\t\t{step};\n\t}}\n"
            ),
            _ => format!("\tfor (n = {start}; {test}; {step}) {{\n{body}\t}}\n"),
        };
        let text = match self.random.u8(0..8) {
            0 => format!("\tfor (int again = 0; again < 2; again++) {{\n{text}\t}}\n"),
            1 => format!("\twhile (atomic_load(&z) == 0 && !done) {{\n{text}\t}}\n"),
            _ => text,
        };
        format!(
            "\t{{\n\t{counter} n;\n\tint m = 0, limit = {bound};\n{before}{text}out{name}: ;\n\t(void)m, (void)limit, (void)seen;\n{after}\t}}\n"
        )
    }

    /// What a spin loop may do.
    fn read(&mut self, exit: &str) -> String {
        let (a, b) = (self.atomic(), self.atomic());
        let value = self.random.u8(0..3);
        match self.random.u8(0..11) {
            0 | 1 => format!("\t\tif (atomic_load(&{a}) == {value})\n\t\t\t{exit}\n"),
            2 => format!("\t\tif (atomic_load(&{a}) && atomic_load(&{b}))\n\t\t\t{exit}\n"),
            3 => format!("\t\tif (atomic_load(&{a}) != atomic_load(&{b}))\n\t\t\t{exit}\n"),
            4 | 5 => format!(
                "\t\t{{ int got = atomic_load(&{a});\n\t\tif (got > 0 && atomic_compare_exchange_strong(&{a}, &got, got - 1))\n\t\t\t{exit} }}\n"
            ),
            6 => "\t\tsched_yield();\n".into(),
            7 => format!(
                "\t\t{{ int want = {value};\n\t\tif (atomic_compare_exchange_weak(&{a}, &want, {value} + 1))\n\t\t\t{exit} }}\n"
            ),
            8 => format!("\t\tif (tries({value}))\n\t\t\t{exit}\n"),
            9 => format!(
                "\t\tif (atomic_load(&{a}) < {value}) {{\n\t\t\tsched_yield();\n\t\t\tif (atomic_load(&{b}) > 1)\n\t\t\t\t{exit}\n\t\t}}\n"
            ),
            _ => format!("\t\tatomic_load(&{a});\n"),
        }
    }

    /// What no spin loop may do.
    fn action(&mut self, exit: &str) -> String {
        let (b, value) = (self.atomic(), self.random.u8(0..4));
        match self.random.u8(0..16) {
            0 | 1 => format!("atomic_fetch_add(&{b}, 1);"),
            2 => format!("atomic_store(&{b}, {value});"),
            3 => "m++;".into(),
            4 => "n++;".into(),
            5 => "continue;".into(),
            6 => format!("if (n == {value}) {exit}"),
            7 => format!("if (n == {value}) atomic_store(&{b}, 1);"),
            8 => "sem_wait(&semaphore);".into(),
            9 => format!("seen = atomic_load(&{b});"),
            10 => format!("limit = atomic_load(&{b});"),
            11 => format!("if (atomic_compare_exchange_strong(&{b}, &seen, 2)) continue;"),
            12 => format!(
                "{{ seen = 0; if (atomic_compare_exchange_strong(&{b}, &seen, 1)) continue; }}"
            ),
            13 => {
                format!("for (int k = 0; k < 2; k++) if (atomic_load(&{b}) == {value}) done = 1;")
            }
            14 => "atomic_load(&many[n & 1]);".into(),
            _ => format!("n += atomic_load(&{b});"),
        }
    }

    /// What no spin loop may do, mostly where something has a certain value.
    fn near(&mut self, exit: &str) -> String {
        let a = self.atomic();
        let value = self.random.u8(0..3);
        let action = self.action(exit);
        let test = match self.random.u8(0..4) {
            0 => String::new(),
            1 => format!("if (n == {value})"),
            _ => format!("if (atomic_load(&{a}) == {value})"),
        };
        match self.random.u8(0..10) {
            0 => "\t\t{ int *at = (int *)&n;\n\t\t(void)at; }\n".into(),
            1 => "\t\tif (!pthread_mutex_trylock(&mutex)) {\n\t\t\tpthread_mutex_unlock(&mutex);\n\t\t\tbreak;\n\t\t}\n".into(),
            2 => "\t\tpthread_mutex_lock(&mutex);\n\t\tpthread_mutex_unlock(&mutex);\n".into(),
            3 => format!("\t\tif (plain == {value})\n\t\t\t{exit}\n"),
            4 => self.uneven(a, exit),
            _ => format!("\t\t{test} {{ {action} }}\n"),
        }
    }

    /// What follows a loop.
    fn after(&mut self) -> String {
        let a = self.atomic();
        let value = self.random.u8(0..3);
        match self.random.u8(0..14) {
            0 => "\tassert(n < 3);\n".into(),
            1 => "\tdone += 2 * n;\n".into(),
            10 => "\tdone += 2 * m;\n".into(),
            11 => "\tdone += 2 * seen;\n".into(),
            2 => "\tif (!done)\n\t\tsem_wait(&semaphore);\n".into(),
            3 => format!("\tif (!done)\n\t\twhile (atomic_load(&{a}) == {value})\n\t\t\t;\n"),
            4 => format!("\tif (!done)\n\t\tassert(atomic_load(&{a}) != {value});\n"),
            5 => format!("\tassert(done || atomic_load(&{a}) != {value});\n"),
            6 => "\tif (atomic_fetch_sub(&x, 1) <= 0)\n\t\tsem_wait(&semaphore);\n".into(),
            7 => format!("\tif (seen == {value})\n\t\tatomic_store(&z, 2);\n"),
            8 => "\tplain = done;\n".into(),
            9 => format!("\tif (done)\n\t\tatomic_store(&{a}, {value});\n"),
            _ => String::new(),
        }
    }

    fn statement(&mut self) -> String {
        let (a, b) = (self.atomic(), self.atomic());
        let value = self.random.u8(0..3);
        match self.random.u8(0..14) {
            0..3 => format!("\tatomic_store(&{a}, {value});\n"),
            3 => format!("\tatomic_fetch_add(&{a}, 1);\n"),
            4 => "\tif (atomic_fetch_add(&x, 1) < 0)\n\t\tsem_post(&semaphore);\n".into(),
            5 => "\tsem_post(&semaphore);\n".into(),
            6 => format!("\tassert(atomic_load(&{a}) < 3);\n"),
            7 => format!("\tatomic_store(&{a}, atomic_load(&{b}));\n"),
            8 => format!(
                "\tpthread_mutex_lock(&mutex);\n\tatomic_store(&{a}, {value});\n\tatomic_store(&{b}, 1);\n\tpthread_mutex_unlock(&mutex);\n"
            ),
            9 => format!("\tif (atomic_load(&{a}) == {value})\n\t\tatomic_store(&{b}, 1);\n"),
            10 => format!("\tatomic_store(&{a}, 1);\n\tatomic_store(&{a}, 0);\n"),
            11 => format!("\tdone = waits({value});\n"),
            12 => "\tplain = 1;\n".into(),
            _ => self.spin(),
        }
    }
}

const HEAD: &str = r#"#include <assert.h>
#include <impasse.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x, y, z, many[2];
static int plain;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int tries(int value)
{
	int expected = value;
	return atomic_compare_exchange_strong(&z, &expected, value + 1);
}

static int waits(int times)
{
	for (int i = 0; i < times; i++)
		if (atomic_load(&y) == 1)
			return 1;
	return 0;
}

"#;
