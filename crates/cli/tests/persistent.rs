//! Programs that are made up, explored with persistent sets and without: the verdicts must agree.
//! They aim at what persistent sets rest on: objects of single threads, objects that are handed
//! over, locks that become private, conflicts that come late, cycles that ignore a thread, sections
//! that end only after other threads have moved, inputs, threads that start threads. A third of the
//! programs is checked under x86-TSO, some of them against the flushers, and a third under C11. In
//! half of them several threads run the same function, and may be taken for one another.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{Answer, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 30;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("persistent");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    let program = Maker::new(number, number / 6 % 2 == 1).program();
    fs::write(&path, &program)?;
    let hangs = ["local", "global"][number as usize % 2];
    let model = ["sc", "tso", "c11"][number as usize / 2 % 3];
    let check = |por, model, threads, flags: &[&str]| {
        let options = ["--por", por, "--memory-model", model];
        let more = [
            "--threads",
            threads,
            "--hangs",
            hangs,
            "--max-states",
            "300000",
        ];
        let inputs = ["--nondet", "0..1", "--leaks", "off"];
        Answer::of(&path, &[&options[..], &more, &inputs, flags].concat())
    };
    let (reference, by_definition) = match (number % 8, model) {
        (0 | 3, "tso") => ("full", "tso-flusher"),
        (0 | 3, _) => ("off", model),
        _ => ("full", model),
    };
    let slow = check(reference, by_definition, "1", &[])?;
    let fast = check("persistent", model, "1", &[])?;
    let parallel = check("persistent", model, "2", &[])?;
    let file = path.display();
    if fast != parallel {
        return Err(format!("{file}: {fast:?} on one thread, {parallel:?} on two").into());
    }
    // Of several errors each search reports the one that it finds first. An error of an execution
    // is real; a hang must be there for both.
    let same = match slow.kind != fast.kind && fast.kind == "hang" {
        true => {
            let flags = ["--", "-DNDEBUG"];
            check(reference, by_definition, "1", &flags)?.verdict == "error"
        }
        false => slow.verdict == fast.verdict,
    };
    if slow.verdict != "inconclusive" && !same {
        return Err(format!("{file}: {fast:?} with persistent sets, {slow:?} without").into());
    }
    Ok(())
}

/// Makes up a program.
struct Maker {
    random: Rng,
    threads: usize,
    /// How many functions they run.
    routines: usize,
    /// The kinds of statements to choose from, and whether in their rare form; all if there are
    /// none. Few kinds meet more often.
    kinds: Vec<(u8, bool)>,
    /// The mutexes that are held where code is being made.
    held: Vec<usize>,
    text: String,
}

impl Maker {
    /// A program whose threads run functions of their own, or several the same one.
    fn new(seed: u64, alike: bool) -> Maker {
        let mut random = Rng::with_seed(seed);
        let mut threads = random.usize(2..=3);
        let mut routines = threads;
        if alike {
            routines = random.usize(1..threads);
            threads = random.usize(threads..=4);
        }
        let kinds = match random.u8(0..5) {
            0 | 1 => (0..random.usize(2..6))
                .map(|_| (random.u8(0..KINDS), random.u8(0..3) == 0))
                .collect(),
            2 => (0..random.usize(2..5))
                .map(|_| (random.u8(OF_CELLS), random.bool()))
                .collect(),
            3 => [OF_ENDS, OF_ENDS, 0..KINDS]
                .map(|kinds| (random.u8(kinds), random.bool()))
                .into(),
            _ => Vec::new(),
        };
        Maker {
            random,
            threads,
            routines,
            kinds,
            held: Vec::new(),
            text: HEAD.into(),
        }
    }

    fn program(mut self) -> String {
        let threads = self.threads;
        let routines = self.routines;
        for me in 0..routines {
            let most = if threads == 2 { 4 } else { 3 };
            let mut body = self.statements(me, most, 2);
            if self.random.bool() {
                body += &self.given();
            }
            self.text +=
                &format!("static void *thread{me}(void *given)\n{{\n{body}\treturn given;\n}}\n\n");
        }
        let mut main = format!("\tpthread_t id[{threads}];\n\tvoid *given = made();\n");
        if self.random.bool() {
            main += "\tatomic_store(&node, given);\n";
        }
        for me in 0..threads {
            let most = if routines < threads { 16 } else { 4 };
            let given = match self.random.u8(0..most) {
                0 | 1 => "given".to_owned(),
                2 => "made()".to_owned(),
                3 => format!("&more[{me}]"),
                _ => "given".to_owned(),
            };
            let routine = format!("thread{}", me % routines);
            main += &match self.random.u8(0..24) {
                0 => format!("\tlend(&id[{me}], {routine});\n"),
                1 => format!("\tcopy(&id[{me}], {routine}, (struct block) {{ 1 }});\n"),
                _ => format!("\tpthread_create(&id[{me}], 0, {routine}, {given});\n"),
            };
            if routines == threads && self.random.bool() || self.random.u8(0..8) == 0 {
                main += &format!("\tatomic_store(&ids[{me}], id[{me}]);\n");
            }
            if self.random.u8(0..5) == 0 {
                main += &self.statements(3, 1, 1);
            }
            if self.random.u8(0..8) == 0 {
                let me = me % routines;
                main += &format!("\twhile (!atomic_load(&own[{me}]))\n\t\t;\n");
            }
        }
        if self.random.bool() {
            main += &self.statements(3, 2, 1);
        }
        if self.random.u8(0..16) == 0 {
            main += "\tpthread_cancel(id[1]);\n";
        }
        let alike = routines < threads && self.random.u8(0..4) > 0;
        let unjoined = match self.text.contains("\tcancel(") {
            _ if alike => 9,
            true => self.random.u8(0..5),
            false => self.random.u8(0..10),
        };
        for me in 0..threads {
            match unjoined {
                0 if me == 0 => main += &format!("\tpthread_detach(id[{me}]);\n"),
                1..4 => main += &format!("\tjoin(id[{me}]);\n"),
                4 if me == 0 => {
                    main += "\tif (__VERIFIER_nondet_bool())\n\t\tpthread_join(id[0], 0);\n";
                }
                5 if me == 0 => main += "\tlast(id[0]);\n",
                _ => main += &format!("\tpthread_join(id[{me}], 0);\n"),
            }
        }
        match self.random.u8(0..8) {
            0 => main += "\tpthread_exit(0);\n",
            4 => main += "\tplain[0]++;\n",
            1..4 => main += &format!("\tassert(own[0] + shared < {});\n", self.random.u8(1..6)),
            _ => {}
        }
        let uses_cells = [&self.text[HEAD.len()..], &main];
        let cells = match uses_cells.iter().any(|text| text.contains("cell")) {
            true => "\tmake_cells();\n",
            false => "",
        };
        format!(
            "{}int main(void)\n{{\n{cells}{main}\tfree(slot);\n\treturn 0;\n}}\n",
            self.text
        )
    }

    fn statements(&mut self, me: usize, most: usize, depth: usize) -> String {
        let count = self.random.usize(1..=most);
        (0..count).map(|_| self.statement(me, depth)).collect()
    }

    fn statement(&mut self, me: usize, depth: usize) -> String {
        let other = self.random.usize(0..4);
        let value = self.random.u8(1..3);
        let (kind, rare) = match self.random.choice(&self.kinds) {
            Some(&kind) => kind,
            None => (self.random.u8(0..KINDS), self.random.u8(0..6) == 0),
        };
        match kind {
            0..4 => format!(
                "\tfor (int i = 0; i < {value}; i++)\n\t\tatomic_store(&own[{me}], i);\n"
            ),
            4 => format!("\tatomic_fetch_add(&own[{other}], {value});\n"),
            5 => format!("\tatomic_fetch_add(&shared, {value});\n"),
            6 => format!("\tplain[{}]++;\n", if rare { other } else { me }),
            7 => format!("\tint at{depth}{value} = atomic_load(&own[{other}]) & 3;\n\tatomic_store(&more[at{depth}{value}], {value});\n")
                .replace("\tint", "\t{ int").trim_end().to_owned() + " }\n",
            8 if depth > 0 => {
                let body = self.statements(me, 1, depth - 1);
                format!("\tif (atomic_load(&own[{other}]) == {value}) {{\n{body}\t}}\n")
            }
            9 | 10 if depth > 0 => self.locked(me, depth),
            11 if depth > 0 => {
                let body = self.statements(me, 1, depth - 1);
                format!("\tif (__VERIFIER_nondet_bool()) {{\n{body}\t}}\n")
            }
            12 if rare => format!("\twhile (atomic_load(&own[{other}]) < {value})\n\t\t;\n"),
            12 => format!("\tif (atomic_load(&shared) > {value})\n\t\tatomic_store(&own[{me}], 2);\n"),
            13 => "\thand_over();\n".into(),
            14 => "\ttake_over();\n".into(),
            15 if rare => "\tawait();\n".into(),
            15 | 16 => "\twake();\n".into(),
            17 if rare => "\tsem_wait(&semaphore);\n".into(),
            17 => "\tsem_post(&semaphore);\n".into(),
            18 if rare => format!("\tspawn_in_scope({me});\n"),
            18 => format!("\tspawn({me});\n"),
            19 => format!("\tassert(atomic_load(&own[{other}]) < {});\n", value + 2),
            20 => format!("\tint seen{depth} = {value};\n\tatomic_compare_exchange_weak(&more[{other}], &seen{depth}, 3);\n")
                .replace("\tint", "\t{ int").trim_end().to_owned() + " }\n",
            21 if self.held.is_empty() => format!(
                "\t__VERIFIER_atomic_begin();\n\tatomic_store(&own[{me}], shared);\n\tatomic_store(&shared, {value});\n\t__VERIFIER_atomic_end();\n"
            ),
            22 => format!("\t(*(int *)given_of({me}))++;\n"),
            23 => "\tfree(malloc(8));\n".into(),
            24 if rare => "\tsched_yield();\n".into(),
            24 => "\tusleep(1);\n".into(),
            25 | 26 => self.given(),
            27 if rare => "\tfree(atomic_load(&node) == given ? atomic_exchange(&node, 0) : 0);\n".into(),
            28 => "\tatomic_store((atomic_int *)given, atomic_load(&shared));\n".into(),
            30 => format!(
                "\tatomic_store_explicit(&own[{me}], {value}, memory_order_release);\n"
            ),
            31 => format!(
                "\tatomic_store_explicit(&more[{other}], {value}, memory_order_relaxed);\n"
            ),
            32 => format!(
                "\tint relaxed{depth} = atomic_load_explicit(&own[{other}], memory_order_relaxed);\n\tif (relaxed{depth})\n\t\tatomic_store_explicit(&more[{me}], relaxed{depth}, memory_order_release);\n"
            )
            .replace("\tint", "\t{ int")
            .trim_end()
            .to_owned()
                + " }\n",
            33 if rare => "\tatomic_thread_fence(memory_order_seq_cst);\n".into(),
            33 => format!(
                "\tassert(atomic_load_explicit(&own[{other}], memory_order_relaxed) + atomic_load_explicit(&more[{me}], memory_order_relaxed) < {});\n",
                value + 2
            ),
            34 if rare => "\tatomic_store(&node, 0);\n".into(),
            34 => "\tatomic_load((atomic_int *)given);\n".into(),
            36 => format!(
                "\tatomic_store(&cell({me})->number, {value});\n\tcell({me})->plain++;\n"
            ),
            37 if rare => {
                let compared = if self.random.bool() { "<" } else { ">=" };
                format!("\tassert(atomic_load(&cell({other})->number) {compared} {value});\n")
            }
            37 => format!("\tatomic_store(&cells[{me}], atomic_load(&cells[{other}]));\n"),
            38 if rare => format!("\ttable_of_cells[{me}] = table_of_cells[{other}];\n"),
            38 => format!("\tatomic_fetch_add(&table_of_cells[{me}]->number, {value});\n"),
            39 if rare => format!("\topen_cell(cell({other}));\n\tawait_cell(cell({me}));\n"),
            39 => format!("\topen_cell(cell({me}));\n"),
            40 if rare => format!("\tatomic_store(&cell({me})->next, cell({other}));\n"),
            40 => format!("\tatomic_fetch_add(&atomic_load(&cell({me})->next)->number, 1);\n"),
            41 if rare => format!("\tspawn_detached({me});\n"),
            41 => format!("\tspawn_that_detaches({me});\n"),
            42 if rare => format!("\tspawn_and_compare({me}, {other});\n"),
            42 => format!(
                "\tif (atomic_load(&ids[{other}]) == pthread_self())\n\t\tatomic_store(&own[{me}], {value});\n"
            ),
            43 if rare => format!("\tif (atomic_load(&more[{other}]))\n\t\texit({});\n", value - 1),
            43 => format!("\tif (atomic_load(&own[{other}]) == {value})\n\t\texit(0);\n"),
            44 if rare => format!("\twhile (!atomic_load(&more[{other}]))\n\t\tspawn({me});\n"),
            44 => format!(
                "\twhile (atomic_load(&own[{other}]) < {value})\n\t\tatomic_store(&own[{me}], 3 - {value});\n"
            ),
            29 if value == 1 => format!("\tcancel({});\n", other % self.threads),
            29 => "\tpthread_testcancel();\n".into(),
            _ => format!("\tatomic_load(&more[{other}]);\n"),
        }
    }

    /// An access to what the thread was given when it was started.
    fn given(&mut self) -> String {
        let value = self.random.u8(1..3);
        match self.random.bool() {
            true => format!("\tatomic_store((atomic_int *)given, {value});\n"),
            false => format!("\tassert(atomic_load((atomic_int *)given) < {value});\n"),
        }
    }

    fn locked(&mut self, me: usize, depth: usize) -> String {
        let mutex = match self.random.u8(0..3) {
            0 => me,
            _ => self.random.usize(0..4),
        };
        if self.held.contains(&mutex) {
            return "\tatomic_store(&shared, 0);\n".into();
        }
        self.held.push(mutex);
        let body = self.statements(me, 2, depth - 1);
        self.held.pop();
        match self.random.u8(0..4) {
            0 => format!(
                "\tif (!pthread_mutex_trylock(&mutex[{mutex}])) {{\n{body}\tguarded[{mutex}]++;\n\tpthread_mutex_unlock(&mutex[{mutex}]);\n\t}}\n"
            ),
            _ => format!(
                "\tpthread_mutex_lock(&mutex[{mutex}]);\n\tguarded[{mutex}]++;\n{body}\tpthread_mutex_unlock(&mutex[{mutex}]);\n"
            ),
        }
    }
}

/// The number of kinds of statements.
const KINDS: u8 = 45;
/// The kinds of those that access objects made in one place.
const OF_CELLS: Range<u8> = 36..41;
/// The kinds of those that end threads or the program, and of loops.
const OF_ENDS: Range<u8> = 41..KINDS;

const HEAD: &str = r#"#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int own[4], more[4], shared;
static int plain[4], guarded[4], woken;
static int *_Atomic slot;
static _Atomic pthread_t ids[4];
static sem_t semaphore;
static pthread_mutex_t mutex[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;

static void *_Atomic node;

static void *made(void)
{
	return calloc(1, sizeof(int));
}

static void hand_over(void)
{
	int *made = malloc(sizeof *made);
	*made = 1;
	free(atomic_exchange(&slot, made));
}

static void take_over(void)
{
	int *taken = atomic_exchange(&slot, 0);
	if (taken)
		++*taken;
	free(taken);
}

static void await(void)
{
	pthread_mutex_lock(&gate);
	while (!woken)
		pthread_cond_wait(&opened, &gate);
	pthread_mutex_unlock(&gate);
}

static void wake(void)
{
	pthread_mutex_lock(&gate);
	woken = 1;
	pthread_cond_signal(&opened);
	pthread_mutex_unlock(&gate);
}

static void *child(void *given)
{
	atomic_store((atomic_int *)given, 1);
	return 0;
}

static void spawn(int me)
{
	pthread_t id;
	pthread_create(&id, 0, child, &own[me]);
	atomic_store(&more[me], 1);
	pthread_join(id, 0);
}

static void spawn_detached(int me)
{
	pthread_t id;
	pthread_create(&id, 0, child, &own[me]);
	atomic_store(&more[me], 1);
	pthread_detach(id);
}

static void *detaching(void *given)
{
	pthread_detach(pthread_self());
	return child(given);
}

static void spawn_that_detaches(int me)
{
	pthread_t id;
	pthread_create(&id, 0, detaching, &own[me]);
}

static void spawn_and_compare(int me, int other)
{
	pthread_t id;
	pthread_create(&id, 0, child, &own[me]);
	if (id == atomic_load(&ids[other]))
		atomic_store(&own[me], 3);
	pthread_detach(id);
}

static void cancel(int number)
{
	pthread_t id = atomic_load(&ids[number]);
	if (id)
		pthread_cancel(id);
}

static void last(pthread_t id)
{
	if (__VERIFIER_nondet_bool())
		pthread_join(id, 0);
	else
		atomic_store(&own[0], 1);
}

static void join(pthread_t id)
{
	void *result;
	pthread_join(id, &result);
	assert(result != PTHREAD_CANCELED);
}

/* The scope ends before the thread is joined. */
static void spawn_in_scope(int me)
{
	pthread_t id;
	{
		atomic_int local = 0;
		pthread_create(&id, 0, child, &local);
		atomic_store(&more[me], 1);
	}
	atomic_store(&own[me], 1);
	pthread_join(id, 0);
}

/* What is given to the thread goes when these functions return. */
static void lend(pthread_t *id, void *(*run)(void *))
{
	atomic_int local = 0;
	pthread_create(id, 0, run, &local);
	atomic_store(&own[3], 1);
}

struct block {
	atomic_int words[8];
};

static void copy(pthread_t *id, void *(*run)(void *), struct block block)
{
	pthread_create(id, 0, run, &block);
	atomic_store(&own[3], 1);
}

/* Objects that are made in one place. */
struct cell {
	atomic_int number;
	int plain, open;
	pthread_mutex_t gate;
	pthread_cond_t opened;
	struct cell *_Atomic next;
};

static struct cell *_Atomic cells[4];
static struct cell *table_of_cells[4];

static void make_cells(void)
{
	for (int i = 0; i < 4; i++) {
		struct cell *made = calloc(1, sizeof *made);
		atomic_store(&cells[i], made);
		table_of_cells[3 - i] = made;
		atomic_store(&made->next, i > 1 ? made : atomic_load(&cells[0]));
	}
}

static struct cell *cell(int number)
{
	return atomic_load(&cells[number]);
}

static void await_cell(struct cell *cell)
{
	pthread_mutex_lock(&cell->gate);
	while (!cell->open)
		pthread_cond_wait(&cell->opened, &cell->gate);
	pthread_mutex_unlock(&cell->gate);
}

static void open_cell(struct cell *cell)
{
	pthread_mutex_lock(&cell->gate);
	cell->open = 1;
	pthread_cond_signal(&cell->opened);
	pthread_mutex_unlock(&cell->gate);
}

static int *given_of(int me)
{
	static _Thread_local int number;
	number = me;
	return &number;
}

"#;
