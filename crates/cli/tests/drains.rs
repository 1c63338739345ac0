//! Which calls drain the store buffer: store buffering around each, in the machine and natively.
//!
//! Each of two threads stores to its variable, makes the call, and loads the other's. Where the
//! call drains, one of them sees the other's store: the program is verified under x86-TSO. Where it
//! does not, both may miss it. What the processor reorders must be reordered here.
//! `IMPASSE_DRAINS=1000000 ./impasse-test --test drains` makes so many rounds natively, instead of
//! a few.

mod common;

use common::{impasse, set_up};
use impasse_machine::builtin::Drains;
use impasse_machine::machine::builtin::Builtin;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A call, and what is around it; `N` is 0 or 1, the thread.
struct Case {
    /// The builtin that it calls.
    builtin: &'static str,
    /// Which of its calls it is, where they differ.
    kind: &'static str,
    /// Declarations.
    declares: &'static str,
    /// What `main` does first.
    setup: &'static str,
    /// What the thread does before its store, in each round.
    before: &'static str,
    call: &'static str,
    /// What it does after its load.
    after: &'static str,
    drains: bool,
    /// The headers, in C or in C++.
    headers: &'static str,
}

/// A case that needs nothing before the call.
const fn case(
    builtin: &'static str,
    drains: bool,
    declares: &'static str,
    setup: &'static str,
    call: &'static str,
) -> Case {
    Case {
        builtin,
        kind: "",
        declares,
        setup,
        before: "",
        call,
        after: "",
        drains,
        headers: HEADERS,
    }
}

/// The same in C++.
const fn case_in_cxx(
    builtin: &'static str,
    drains: bool,
    declares: &'static str,
    call: &'static str,
) -> Case {
    Case {
        headers: CXX_HEADERS,
        ..case(builtin, drains, declares, "", call)
    }
}

impl Case {
    const fn of(self, kind: &'static str) -> Case {
        Case { kind, ..self }
    }

    const fn within(self, before: &'static str, after: &'static str) -> Case {
        Case {
            before,
            after,
            ..self
        }
    }

    fn name(&self) -> String {
        match self.kind {
            "" => self.builtin.into(),
            kind => format!("{} {kind}", self.builtin),
        }
    }
}

const MUTEXES: &str = "static pthread_mutex_t m[2];";
const RECURSIVE: &str = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); \
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); \
    pthread_mutex_init(&m[0], &a); pthread_mutex_init(&m[1], &a);";
const CHECKING: &str = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); \
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); \
    pthread_mutex_init(&m[0], &a); pthread_mutex_init(&m[1], &a);";
const LOCK: &str = "pthread_mutex_lock(&m[N]);";
const UNLOCK: &str = "pthread_mutex_unlock(&m[N]);";
const RWLOCKS: &str = "static pthread_rwlock_t m[2];";
const SPINS: &str = "static pthread_spinlock_t m[2];";
const SPINS_READY: &str = "pthread_spin_init(&m[0], 0); pthread_spin_init(&m[1], 0);";
const CONDITIONS: &str = "static pthread_cond_t m[2];";
const BARRIERS: &str = "static pthread_barrier_t m[2];";
const BARRIERS_READY: &str =
    "pthread_barrier_init(&m[0], 0, 1); pthread_barrier_init(&m[1], 0, 1);";
const SEMAPHORES: &str = "static sem_t m[2];";
const ZERO: &str = "sem_init(&m[0], 0, 0); sem_init(&m[1], 0, 0);";
const ONE: &str = "sem_init(&m[0], 0, 1); sem_init(&m[1], 0, 1);";
const UNITS: &str =
    "static counting_semaphore<9> m[2] = {counting_semaphore<9>(1), counting_semaphore<9>(1)};";
const LATCHES: &str = "static latch m[2] = {latch(2000000000), latch(2000000000)};";
const PHASES: &str = "static barrier<> m[2] = {barrier<>(1), barrier<>(1)};";
const COMPLETED_PHASES: &str = "struct Done { void operator()() noexcept {} }; \
    static barrier<Done> m[2] = {barrier<Done>(1), barrier<Done>(1)};";
const ROUTINE: &str = "static void routine(void) {} static pthread_once_t m[2];";
const NOTHING: &str = "static void *nothing(void *u) { return u; } static pthread_t m[2];";
const START: &str = "pthread_create(&m[N], 0, nothing, 0);";
const JOIN: &str = "pthread_join(m[N], 0);";

#[rustfmt::skip]
const CASES: &[Case] = &[
    case("pthread_mutex_init", false, MUTEXES, "", "pthread_mutex_init(&m[N], 0);"),
    case("pthread_mutex_destroy", false, MUTEXES, "", "pthread_mutex_destroy(&m[N]);")
        .within("pthread_mutex_init(&m[N], 0);", ""),
    case("pthread_mutex_lock", true, MUTEXES, "", LOCK).within("", UNLOCK),
    case("pthread_mutex_lock", false, MUTEXES, RECURSIVE, LOCK).of("recursively").within(LOCK,
        "pthread_mutex_unlock(&m[N]); pthread_mutex_unlock(&m[N]);"),
    case("pthread_mutex_lock", false, MUTEXES, CHECKING, LOCK).of("in vain").within(LOCK, UNLOCK),
    case("pthread_mutex_trylock", true, MUTEXES, "", "pthread_mutex_trylock(&m[N]);").within("",
        UNLOCK),
    case("pthread_mutex_trylock", false, MUTEXES, "", "pthread_mutex_trylock(&m[N]);")
        .of("in vain").within(LOCK, UNLOCK),
    case("pthread_mutex_timedlock", true, MUTEXES, "",
        "pthread_mutex_timedlock(&m[N], &(struct timespec){0});").within("", UNLOCK),
    case("pthread_mutex_unlock", true, MUTEXES, "", UNLOCK).within(LOCK, ""),
    case("pthread_mutex_unlock", false, MUTEXES, RECURSIVE, UNLOCK).of("recursively")
        .within("pthread_mutex_lock(&m[N]); pthread_mutex_lock(&m[N]);", UNLOCK),
    case("pthread_mutex_unlock", false, MUTEXES, CHECKING, UNLOCK).of("in vain"),
    case("pthread_mutex_consistent", false, MUTEXES, "", "pthread_mutex_consistent(&m[N]);"),
    case("pthread_rwlock_init", false, RWLOCKS, "", "pthread_rwlock_init(&m[N], 0);"),
    case("pthread_rwlock_destroy", false, RWLOCKS, "", "pthread_rwlock_destroy(&m[N]);")
        .within("pthread_rwlock_init(&m[N], 0);", ""),
    case("pthread_rwlock_rdlock", true, RWLOCKS, "", "pthread_rwlock_rdlock(&m[N]);").within("",
        "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_tryrdlock", true, RWLOCKS, "", "pthread_rwlock_tryrdlock(&m[N]);")
        .within("", "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_tryrdlock", false, RWLOCKS, "", "pthread_rwlock_tryrdlock(&m[N]);")
        .of("in vain").within("pthread_rwlock_wrlock(&m[N]);", "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_timedrdlock", true, RWLOCKS, "",
        "pthread_rwlock_timedrdlock(&m[N], &(struct timespec){0});").within("",
        "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_wrlock", true, RWLOCKS, "", "pthread_rwlock_wrlock(&m[N]);").within("",
        "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_trywrlock", true, RWLOCKS, "", "pthread_rwlock_trywrlock(&m[N]);")
        .within("", "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_trywrlock", false, RWLOCKS, "", "pthread_rwlock_trywrlock(&m[N]);")
        .of("in vain").within("pthread_rwlock_rdlock(&m[N]);", "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_timedwrlock", true, RWLOCKS, "",
        "pthread_rwlock_timedwrlock(&m[N], &(struct timespec){0});").within("",
        "pthread_rwlock_unlock(&m[N]);"),
    case("pthread_rwlock_unlock", true, RWLOCKS, "", "pthread_rwlock_unlock(&m[N]);")
        .within("pthread_rwlock_wrlock(&m[N]);", ""),
    case("pthread_spin_init", false, SPINS, "", "pthread_spin_init(&m[N], 0);"),
    case("pthread_spin_destroy", false, SPINS, SPINS_READY, "pthread_spin_destroy(&m[N]);"),
    case("pthread_spin_lock", true, SPINS, SPINS_READY, "pthread_spin_lock(&m[N]);").within("",
        "pthread_spin_unlock(&m[N]);"),
    case("pthread_spin_trylock", true, SPINS, SPINS_READY, "pthread_spin_trylock(&m[N]);")
        .within("", "pthread_spin_unlock(&m[N]);"),
    case("pthread_spin_unlock", false, SPINS, SPINS_READY, "pthread_spin_unlock(&m[N]);")
        .within("pthread_spin_lock(&m[N]);", ""),
    case("pthread_cond_init", false, CONDITIONS, "", "pthread_cond_init(&m[N], 0);"),
    case("pthread_cond_destroy", true, CONDITIONS, "", "pthread_cond_destroy(&m[N]);")
        .within("pthread_cond_init(&m[N], 0);", ""),
    case("pthread_cond_timedwait", true,
        "static pthread_cond_t m[2]; static pthread_mutex_t held[2];", "",
        "pthread_cond_timedwait(&m[N], &held[N], &(struct timespec){0});")
        .within("pthread_mutex_lock(&held[N]);", "pthread_mutex_unlock(&held[N]);"),
    case("pthread_cond_signal", false, CONDITIONS, "", "pthread_cond_signal(&m[N]);"),
    case("pthread_cond_broadcast", false, CONDITIONS, "", "pthread_cond_broadcast(&m[N]);"),
    case("pthread_barrier_init", false, BARRIERS, "", "pthread_barrier_init(&m[N], 0, 1);"),
    case("pthread_barrier_destroy", true, BARRIERS, "", "pthread_barrier_destroy(&m[N]);")
        .within("pthread_barrier_init(&m[N], 0, 1);", ""),
    case("pthread_barrier_wait", true, BARRIERS, BARRIERS_READY, "pthread_barrier_wait(&m[N]);"),
    case("sem_init", false, SEMAPHORES, "", "sem_init(&m[N], 0, 1);"),
    case("sem_destroy", false, SEMAPHORES, ONE, "sem_destroy(&m[N]);"),
    case("sem_wait", true, SEMAPHORES, ONE, "sem_wait(&m[N]);").within("", "sem_post(&m[N]);"),
    case("sem_trywait", true, SEMAPHORES, ONE, "sem_trywait(&m[N]);").within("",
        "sem_post(&m[N]);"),
    case("sem_trywait", false, SEMAPHORES, ZERO, "sem_trywait(&m[N]);").of("in vain"),
    case("sem_timedwait", true, SEMAPHORES, ONE, "sem_timedwait(&m[N], &(struct timespec){0});")
        .within("", "sem_post(&m[N]);"),
    case("sem_post", true, SEMAPHORES, ZERO, "sem_post(&m[N]);").within("", "sem_wait(&m[N]);"),
    case("sem_getvalue", false, SEMAPHORES, ONE, "int value; sem_getvalue(&m[N], &value);"),
    case_in_cxx("__impasse_lock_both", true, "static mutex m[2][2];", "lock(m[N][0], m[N][1]);")
        .within("", "m[N][0].unlock(); m[N][1].unlock();"),
    case_in_cxx("__impasse_semaphore_acquire", true, UNITS, "m[N].acquire();").within("",
        "m[N].release();"),
    case_in_cxx("__impasse_semaphore_try_acquire", true, UNITS, "while (!m[N].try_acquire());")
        .within("", "m[N].release();"),
    case_in_cxx("__impasse_semaphore_try_acquire", false, UNITS, "(void)m[N].try_acquire();")
        .of("in vain").within("m[N].acquire();", "m[N].release();"),
    case_in_cxx("__impasse_semaphore_release", true, UNITS, "m[N].release();").within("",
        "m[N].acquire();"),
    case_in_cxx("__impasse_latch_count_down", true, LATCHES, "m[N].count_down();"),
    case_in_cxx("__impasse_latch_try_wait", false, LATCHES, "(void)m[N].try_wait();"),
    case_in_cxx("__impasse_latch_wait", false, "static latch m[2] = {latch(0), latch(0)};",
        "m[N].wait();"),
    case_in_cxx("__impasse_barrier_arrive", true, PHASES, "(void)m[N].arrive();"),
    case_in_cxx("__impasse_barrier_complete", true, COMPLETED_PHASES, "(void)m[N].arrive();"),
    case_in_cxx("__impasse_barrier_wait", false, PHASES, "m[N].wait(std::move(token));")
        .within("auto token = m[N].arrive();", ""),
    case("pthread_create", true, NOTHING, "", START).within("", JOIN),
    case("pthread_join", true, NOTHING, "", JOIN).within(START, ""),
    case("pthread_tryjoin_np", false, "static pthread_t m[2];", "m[0] = m[1] = pthread_self();",
        "pthread_tryjoin_np(m[N], 0);"),
    case("pthread_timedjoin_np", true, "static pthread_t m[2];", "m[0] = m[1] = pthread_self();",
        "pthread_timedjoin_np(m[N], 0, &(struct timespec){0});"),
    case("pthread_detach", true, NOTHING, "", "pthread_detach(m[N]);").within(START, ""),
    case("sched_yield", true, "", "", "sched_yield();"),
    case("pthread_cancel", true, NOTHING, "", "pthread_cancel(m[N]);").within(START, JOIN),
    case("pthread_setcancelstate", true, "", "",
        "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);").within("",
        "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);"),
    case("pthread_setcancelstate", false, "", "",
        "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);").of("in vain"),
    case("pthread_setcanceltype", true, "", "",
        "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);").within("",
        "pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);"),
    case("pthread_setcanceltype", false, "", "",
        "pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);").of("in vain"),
    case("__impasse_cancel_requested", false, "", "", "pthread_testcancel();"),
    case("__impasse_time", false, "", "", "time(0);"),
    case("__impasse_time", false, "", "",
        "struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);").of("monotonic"),
    case("pthread_mutex_timedlock", true, MUTEXES, "",
        "pthread_mutex_timedlock(&m[N], &(struct timespec){0});").of("in vain").within(LOCK,
        UNLOCK),
    case("pthread_spin_trylock", true, SPINS, SPINS_READY, "pthread_spin_trylock(&m[N]);")
        .of("in vain").within("pthread_spin_lock(&m[N]);", "pthread_spin_unlock(&m[N]);"),
    case("sem_timedwait", true, SEMAPHORES, ZERO, "sem_timedwait(&m[N], &(struct timespec){0});")
        .of("in vain"),
    case("__impasse_begin_once", true, ROUTINE, "", "pthread_once(&m[N], routine);").within("",
        "m[N] = (pthread_once_t)PTHREAD_ONCE_INIT;"),
    case("__impasse_begin_once", false, ROUTINE,
        "pthread_once(&m[0], routine); pthread_once(&m[1], routine);",
        "pthread_once(&m[N], routine);").of("done"),
];

/// Rows without a case: they need another thread to end, or never return.
const OMITTED: &[&str] = &["pthread_cond_wait", "pthread_exit"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let mut trials = vec![Trial::test("each row has a case", each_row_has_a_case)];
    for case in CASES {
        let model = move || checked(case);
        trials.push(Trial::test(format!("model {}", case.name()), model));
        let native = move || measured(case);
        let here = cfg!(all(target_arch = "x86_64", target_env = "gnu"));
        let trial = Trial::test(format!("native {}", case.name()), native);
        trials.push(trial.with_ignored_flag(!here));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn each_row_has_a_case() -> Result<(), Failed> {
    for builtin in Drains::rows() {
        let here = |case: &Case| case.builtin == builtin;
        if !CASES.iter().any(here) && !OMITTED.contains(&builtin) {
            return Err(format!("{builtin} has no case").into());
        }
        Builtin::find(builtin).ok_or("no such builtin")?;
    }
    Ok(())
}

/// A round of both threads.
const THREADS: &str = "
static atomic_int x, y;
static int r0, r1;
DECLARES
static void *thread0(void *u)
{
#define N 0
	BEFORE
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	{ CALL r0 = atomic_load_explicit(&y, memory_order_relaxed); }
	AFTER
#undef N
	return u;
}

static void *thread1(void *u)
{
#define N 1
	BEFORE
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	{ CALL r1 = atomic_load_explicit(&x, memory_order_relaxed); }
	AFTER
#undef N
	return u;
}
";

const ONCE: &str = "
int main(void)
{
	SETUP
	pthread_t threads[2];
	pthread_create(&threads[0], 0, thread0, 0);
	pthread_create(&threads[1], 0, thread1, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	assert(r0 || r1);
}
";

/// Round after round: exits with 1 if the loads have overtaken the stores in any.
const AGAIN: &str = "
static atomic_int arrived;

static void meet(int round)
{
	atomic_fetch_add(&arrived, 1);
	for (int n = 0; atomic_load(&arrived) < round; n++)
		if (n % 1000 == 999)
			sched_yield();
}

static void *rounds(void *thread)
{
	for (int round = 0; round < ROUNDS; round++) {
		if (!thread)
			x = y = 0;
		meet(round * 6 + 2);
		thread ? thread1(0) : thread0(0);
		meet(round * 6 + 4);
		if (!thread && !r0 && !r1)
			exit(1);
		meet(round * 6 + 6);
	}
	return 0;
}

int main(void)
{
	SETUP
	pthread_t threads[2];
	pthread_create(&threads[0], 0, rounds, 0);
	pthread_create(&threads[1], 0, rounds, &threads[1]);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	return 0;
}
";

const HEADERS: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
";

const CXX_HEADERS: &str = "#include <assert.h>
#include <atomic>
#include <barrier>
#include <latch>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <semaphore>
#include <stdlib.h>
using namespace std;
";

/// Writes the program of a case.
fn write(case: &Case, main: &str, name: &str) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drains");
    fs::create_dir_all(&folder)?;
    let text = format!("{}{THREADS}{main}", case.headers)
        .replace("DECLARES", case.declares)
        .replace("SETUP", case.setup)
        .replace("BEFORE", case.before)
        .replace("CALL", case.call)
        .replace("AFTER", case.after);
    let extension = match case.headers == CXX_HEADERS {
        true => "cpp",
        false => "c",
    };
    let name = format!("{}-{name}.{extension}", case.name().replace(' ', "-"));
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}

/// The case by both semantics.
fn checked(case: &Case) -> Result<(), Failed> {
    let path = write(case, ONCE, "model")?;
    for model in ["tso", "tso-flusher"] {
        let options = ["check", "--memory-model", model];
        let output = impasse(options.into_iter().chain([path.to_str().expect("a name")]));
        let expected = if case.drains { 0 } else { 1 };
        if output.status.code() != Some(expected) {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{}, {model}: {text}{errors}", path.display()).into());
        }
    }
    Ok(())
}

/// The case on this processor, with this machine's C library.
fn measured(case: &Case) -> Result<(), Failed> {
    let rounds = std::env::var("IMPASSE_DRAINS").unwrap_or_else(|_| "2000".into());
    let path = write(case, &AGAIN.replace("ROUNDS", &rounds), "native")?;
    let program = path.with_extension("exe");
    let mut compile = match case.headers == CXX_HEADERS {
        true => Command::new("clang++-19"),
        false => Command::new("clang-19"),
    };
    if case.headers == CXX_HEADERS {
        compile.arg("-std=c++20");
    }
    compile.args(["-O2", "-pthread", "-w", "-o"]);
    let output = compile.arg(&program).arg(&path).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    match Command::new(&program).status()?.code() {
        Some(0) => Ok(()),
        Some(1) if !case.drains => Ok(()),
        code => Err(format!("{}: {code:?}", path.display()).into()),
    }
}
