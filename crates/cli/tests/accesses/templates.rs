//! What the threads of the made-up programs access memory by: for each access that a builtin's row
//! lists a call that makes it, and instructions.

use impasse_machine::machine::builtin::Builtin;
use impasse_machine::machine::builtin::Extent;
use impasse_machine::state::memory::Access;

/// A way to access memory: C code, in which `place` is where.
pub struct Template {
    /// What makes the access, in words.
    pub name: String,
    /// What `main` does to the place first.
    pub setup: &'static str,
    /// What makes the access.
    pub code: String,
    /// How many bytes are accessed; of a freed block all.
    pub bytes: u64,
    /// Reads or writes.
    pub access: Access,
    /// Whether it races with no other atomic access.
    pub atomic: bool,
    /// Whether what else is done at the place may be an error of another kind: it is freed, or
    /// destroyed.
    pub frees: bool,
    /// What kind of object the place holds, of which operations that are atomic can be used side by
    /// side.
    pub family: &'static str,
}

/// Calls that access the memory of one argument: (the builtin, the argument, the kind of object,
/// what is done first, the call).
const CALLS: &[(&str, usize, &str, &str, &str)] = &[
    ("realloc", 0, "", "", "kept[side] = realloc(place, 8);"),
    ("free", 0, "", "", "free(place);"),
    (
        "__libc_realloc",
        0,
        "",
        "",
        "kept[side] = __libc_realloc(place, 8);",
    ),
    ("__libc_free", 0, "", "", "__libc_free(place);"),
    (
        "posix_memalign",
        0,
        "",
        "",
        "posix_memalign(place, 16, 16);",
    ),
    (
        "memcpy",
        0,
        "",
        "",
        "void *(*f)(void *, const void *, size_t) = memcpy; f(place, (char[24]){0}, 24);",
    ),
    (
        "memcpy",
        1,
        "",
        "",
        "void *(*f)(void *, const void *, size_t) = memcpy; char copy[24]; f(copy, place, 24);",
    ),
    (
        "memmove",
        0,
        "",
        "",
        "void *(*f)(void *, const void *, size_t) = memmove; f(place, (char[24]){0}, 24);",
    ),
    (
        "memmove",
        1,
        "",
        "",
        "void *(*f)(void *, const void *, size_t) = memmove; char copy[24]; f(copy, place, 24);",
    ),
    (
        "memset",
        0,
        "",
        "",
        "void *(*f)(void *, int, size_t) = memset; f(place, 0, 24);",
    ),
    (
        "pthread_mutex_init",
        0,
        "",
        "",
        "pthread_mutex_init(place, 0);",
    ),
    (
        "pthread_mutex_init",
        1,
        "",
        "pthread_mutexattr_init(place);",
        "pthread_mutex_t m; pthread_mutex_init(&m, place);",
    ),
    (
        "pthread_mutex_destroy",
        0,
        "mutex",
        "",
        "pthread_mutex_destroy(place);",
    ),
    (
        "pthread_mutex_lock",
        0,
        "mutex",
        "",
        "pthread_mutex_lock(place);",
    ),
    (
        "pthread_mutex_trylock",
        0,
        "mutex",
        "",
        "pthread_mutex_trylock(place);",
    ),
    (
        "pthread_mutex_timedlock",
        0,
        "mutex",
        "",
        "pthread_mutex_timedlock(place, &past);",
    ),
    (
        "pthread_mutex_timedlock",
        1,
        "",
        "",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_timedlock(&m, place);",
    ),
    (
        "pthread_mutex_unlock",
        0,
        "mutex",
        "",
        "pthread_mutex_lock(place); pthread_mutex_unlock(place);",
    ),
    (
        "pthread_mutex_consistent",
        0,
        "mutex",
        "",
        "pthread_mutex_consistent(place);",
    ),
    (
        "pthread_rwlock_init",
        0,
        "",
        "",
        "pthread_rwlock_init(place, 0);",
    ),
    (
        "pthread_rwlock_init",
        1,
        "",
        "pthread_rwlockattr_init(place);",
        "pthread_rwlock_t l; pthread_rwlock_init(&l, place);",
    ),
    (
        "pthread_rwlock_destroy",
        0,
        "rwlock",
        "",
        "pthread_rwlock_destroy(place);",
    ),
    (
        "pthread_rwlock_rdlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_rdlock(place);",
    ),
    (
        "pthread_rwlock_tryrdlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_tryrdlock(place);",
    ),
    (
        "pthread_rwlock_timedrdlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_timedrdlock(place, &past);",
    ),
    (
        "pthread_rwlock_timedrdlock",
        1,
        "",
        "",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_timedrdlock(&l, place);",
    ),
    (
        "pthread_rwlock_wrlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_wrlock(place);",
    ),
    (
        "pthread_rwlock_trywrlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_trywrlock(place);",
    ),
    (
        "pthread_rwlock_timedwrlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_timedwrlock(place, &past);",
    ),
    (
        "pthread_rwlock_timedwrlock",
        1,
        "",
        "",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_timedwrlock(&l, place);",
    ),
    (
        "pthread_rwlock_unlock",
        0,
        "rwlock",
        "",
        "pthread_rwlock_rdlock(place); pthread_rwlock_unlock(place);",
    ),
    (
        "pthread_spin_init",
        0,
        "",
        "",
        "pthread_spin_init(place, 0);",
    ),
    (
        "pthread_spin_destroy",
        0,
        "spin",
        "",
        "pthread_spin_destroy(place);",
    ),
    (
        "pthread_spin_lock",
        0,
        "spin",
        "",
        "pthread_spin_lock(place);",
    ),
    (
        "pthread_spin_trylock",
        0,
        "spin",
        "",
        "pthread_spin_trylock(place);",
    ),
    (
        "pthread_spin_unlock",
        0,
        "spin",
        "",
        "pthread_spin_lock(place); pthread_spin_unlock(place);",
    ),
    (
        "pthread_cond_init",
        0,
        "",
        "",
        "pthread_cond_init(place, 0);",
    ),
    (
        "pthread_cond_init",
        1,
        "",
        "pthread_condattr_init(place);",
        "pthread_cond_t c; pthread_cond_init(&c, place);",
    ),
    (
        "pthread_cond_destroy",
        0,
        "condition",
        "",
        "pthread_cond_destroy(place);",
    ),
    (
        "pthread_cond_wait",
        0,
        "condition",
        "",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_cond_wait(place, &m);",
    ),
    (
        "pthread_cond_wait",
        1,
        "mutex",
        "",
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(place); pthread_cond_wait(&c, place); pthread_mutex_unlock(place);",
    ),
    (
        "pthread_cond_timedwait",
        0,
        "condition",
        "",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_cond_timedwait(place, &m, &past);",
    ),
    (
        "pthread_cond_timedwait",
        1,
        "mutex",
        "",
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(place); pthread_cond_timedwait(&c, place, &past); pthread_mutex_unlock(place);",
    ),
    (
        "pthread_cond_timedwait",
        2,
        "",
        "",
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, place);",
    ),
    (
        "pthread_cond_signal",
        0,
        "condition",
        "",
        "pthread_cond_signal(place);",
    ),
    (
        "pthread_cond_broadcast",
        0,
        "condition",
        "",
        "pthread_cond_broadcast(place);",
    ),
    (
        "pthread_barrier_init",
        0,
        "",
        "",
        "pthread_barrier_init(place, 0, 1);",
    ),
    (
        "pthread_barrier_init",
        1,
        "",
        "pthread_barrierattr_init(place);",
        "pthread_barrier_t b; pthread_barrier_init(&b, place, 1);",
    ),
    (
        "pthread_barrier_destroy",
        0,
        "barrier",
        "pthread_barrier_init(place, 0, 1);",
        "pthread_barrier_destroy(place);",
    ),
    (
        "pthread_barrier_wait",
        0,
        "barrier",
        "pthread_barrier_init(place, 0, 1);",
        "pthread_barrier_wait(place);",
    ),
    ("sem_init", 0, "", "", "sem_init(place, 0, 1);"),
    (
        "sem_destroy",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "sem_destroy(place);",
    ),
    (
        "sem_wait",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "sem_wait(place);",
    ),
    (
        "sem_trywait",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "sem_trywait(place);",
    ),
    (
        "sem_timedwait",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "sem_timedwait(place, &past);",
    ),
    (
        "sem_timedwait",
        1,
        "",
        "",
        "sem_t s; sem_init(&s, 0, 1); sem_timedwait(&s, place);",
    ),
    (
        "sem_post",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "sem_post(place);",
    ),
    (
        "sem_getvalue",
        0,
        "semaphore",
        "sem_init(place, 0, 2);",
        "int value; sem_getvalue(place, &value);",
    ),
    (
        "sem_getvalue",
        1,
        "",
        "",
        "sem_t s; sem_init(&s, 0, 1); sem_getvalue(&s, place);",
    ),
    (
        "pthread_create",
        0,
        "",
        "",
        "pthread_create(place, 0, idle, 0);",
    ),
    (
        "pthread_create",
        1,
        "",
        "pthread_attr_init(place);",
        "pthread_t id; pthread_create(&id, place, idle, 0);",
    ),
    (
        "pthread_join",
        1,
        "",
        HELPER,
        "pthread_join(*helper, place);",
    ),
    (
        "pthread_tryjoin_np",
        1,
        "",
        HELPER,
        "pthread_tryjoin_np(*helper, place);",
    ),
    (
        "pthread_timedjoin_np",
        1,
        "",
        HELPER,
        "pthread_timedjoin_np(*helper, place, &past);",
    ),
    (
        "pthread_timedjoin_np",
        2,
        "",
        HELPER,
        "pthread_timedjoin_np(*helper, 0, place);",
    ),
    (
        "pthread_setcancelstate",
        1,
        "",
        "",
        "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, place);",
    ),
    (
        "pthread_setcanceltype",
        1,
        "",
        "",
        "pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, place);",
    ),
    ("__impasse_lock", 0, "lock", "", "__impasse_lock(place, 1);"),
    (
        "__impasse_unlock",
        0,
        "lock",
        "",
        "__impasse_unlock(place);",
    ),
    (
        "__impasse_block_while_equal",
        0,
        "lock",
        "",
        "__impasse_block_while_equal(place, 77, 0);",
    ),
    (WAIT, 0, "lock", "", "wait_for_change(place, 77);"),
    (
        "__impasse_wait_for_signal",
        0,
        "lock",
        "",
        "__impasse_wait_for_signal(place, 1 << 20, 1);",
    ),
    (
        "__impasse_output",
        1,
        "",
        "",
        "__impasse_output(1, place, 8);",
    ),
    (
        "__impasse_snapshot_read",
        1,
        "",
        "",
        "__impasse_snapshot_read(-1, place, 0, 8);",
    ),
    ("setjmp", 0, "", "", "jump_to_here(place);"),
    ("_setjmp", 0, "", "", "jump_to_here_(place);"),
    ("__setjmp", 0, "", "", "jump_to_here__(place);"),
    ("sigsetjmp", 0, "", "", "jump_to_here_masked(place, 0);"),
    ("__sigsetjmp", 0, "", "", "jump_to_here_masked_(place, 0);"),
    (
        "__impasse_next_frame",
        0,
        "",
        "",
        "__impasse_next_frame(place, 0);",
    ),
];

/// A thread to join, whose id the program keeps behind the place.
const HELPER: &str = "if (!helper[0]) pthread_create(helper, 0, idle, 0);";

const WAIT: &str =
    "_ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi";

/// Rows that no call of a C program alone can reach, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("longjmp", "reads what the same thread has written before"),
    ("_longjmp", "reads what the same thread has written before"),
    (
        "__impasse_land",
        "goes on at a landing pad, which the unwinder knows",
    ),
];

/// Instructions: (name, code, bytes, access, atomic).
const INSTRUCTIONS: &[(&str, &str, u64, Access, bool)] = &[
    (
        "a load",
        "int n = *(int *)place; kept[side] = n ? place : 0;",
        4,
        Access::Read,
        false,
    ),
    ("a store", "*(int *)place = 0;", 4, Access::Write, false),
    (
        "an atomic load",
        "__atomic_load_n((int *)place, __ATOMIC_SEQ_CST);",
        4,
        Access::Read,
        true,
    ),
    (
        "an atomic store",
        "__atomic_store_n((int *)place, 0, __ATOMIC_RELEASE);",
        4,
        Access::Write,
        true,
    ),
    (
        "an atomic addition",
        "__atomic_fetch_add((int *)place, 0, __ATOMIC_SEQ_CST);",
        4,
        Access::Write,
        true,
    ),
    (
        "a compare-exchange",
        "int n = 1; __atomic_compare_exchange_n((int *)place, &n, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);",
        4,
        Access::Write,
        true,
    ),
    (
        "a copied structure",
        "struct many copy = *(struct many *)place; kept[side] = copy.words[2] ? place : 0;",
        24,
        Access::Read,
        false,
    ),
    (
        "an assigned structure",
        "*(struct many *)place = many;",
        24,
        Access::Write,
        false,
    ),
    (
        "an argument by value",
        "take(*(struct many *)place);",
        24,
        Access::Read,
        false,
    ),
];

/// All ways to access memory. Panics if a row of a builtin is missing.
pub fn templates() -> Vec<Template> {
    let rows = Builtin::all().flat_map(|b| b.accesses().iter().map(move |row| (b.name(), row)));
    let called = rows.filter(|(name, _)| LEFT_OUT.iter().all(|(left_out, _)| name != left_out));
    let called = called.map(|(name, row)| {
        let call = CALLS
            .iter()
            .find(|call| (call.0, call.1) == (name, row.argument));
        let call =
            call.unwrap_or_else(|| panic!("no call for argument {} of {name}", row.argument));
        Template {
            name: format!("{name}, argument {}", row.argument),
            setup: call.3,
            code: call.4.into(),
            bytes: match row.extent {
                Extent::Bytes(bytes) => bytes,
                Extent::Pointer => 8,
                Extent::Argument(_) if name.starts_with("mem") => 24,
                Extent::Argument(_) => 8,
                Extent::Block => BLOCK,
            },
            access: row.access,
            atomic: row.atomic,
            frees: row.extent == Extent::Block || name.ends_with("_destroy"),
            family: call.2,
        }
    });
    let instructions = INSTRUCTIONS
        .iter()
        .map(|&(name, code, bytes, access, atomic)| Template {
            name: name.into(),
            setup: "",
            code: code.into(),
            bytes,
            access,
            atomic,
            frees: false,
            family: "atomic",
        });
    called.chain(instructions).collect()
}

/// The size of the blocks that are accessed.
pub const BLOCK: u64 = 256;

/// The program, whose arguments choose what happens.
pub fn program(templates: &[Template]) -> String {
    let mut text = format!("{HEAD}\nenum {{ BLOCK = {BLOCK} }};\n\n");
    for (n, template) in templates.iter().enumerate() {
        let Template {
            name, setup, code, ..
        } = template;
        text += &format!(
            "/* {name} */\nstatic void setup{n}(void *place, pthread_t *helper)\n{{\n\t(void)place, (void)helper;\n\t{setup}\n}}\n\n\
             static void access{n}(void *place, int side, const pthread_t *helper)\n{{\n\t(void)side, (void)helper;\n\t{code}\n}}\n\n"
        );
    }
    let list = |what: &str| -> String {
        let names = (0..templates.len()).map(|n| format!("\t{what}{n},\n"));
        names.collect()
    };
    text += &format!(
        "static void (*const setups[])(void *, pthread_t *) = {{\n{}}};\n\
         static void (*const accesses[])(void *, int, const pthread_t *) = {{\n{}}};\n{TAIL}",
        list("setup"),
        list("access"),
    );
    text
}

const HEAD: &str = "\
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <impasse.h>

void __impasse_lock(volatile int *, int);
void __impasse_unlock(volatile int *);
int __impasse_block_while_equal(volatile int *, int, int);
int __impasse_wait_for_signal(volatile unsigned long *, unsigned long, int);
void __impasse_output(int, const void *, unsigned long);
void __impasse_snapshot_read(long long, void *, long long, long long);
int __impasse_next_frame(void *, int);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);
void wait_for_change(void *, int) __asm__(\"_ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi\");
int jump_to_here(void *) __asm__(\"setjmp\");
int jump_to_here_(void *) __asm__(\"_setjmp\");
int jump_to_here__(void *) __asm__(\"__setjmp\");
int jump_to_here_masked(void *, int) __asm__(\"sigsetjmp\");
int jump_to_here_masked_(void *, int) __asm__(\"__sigsetjmp\");

struct many {
\tlong words[3];
};

static const struct many many;
static const struct timespec past;
static _Thread_local void *kept[2];

static void take(struct many given)
{
\t(void)given;
}

static void *idle(void *argument)
{
\treturn argument;
}
";

const TAIL: &str = "
/* What a thread does. */
struct plan {
\tvoid *place;
\tint access, before, chooses;
\tpthread_t helper;
};

static struct plan plans[2];
static int spread[2][256];

static void run(int side)
{
\tstruct plan plan = plans[side];
\tfor (int i = 0; i < plan.before; i++)
\t\tspread[side][2 * i] = 1;
\tif (plan.chooses) {
\t\timpasse_choose(2);
\t\timpasse_choose(2);
\t}
\taccesses[plan.access](plan.place, side, &plan.helper);
}

static void *first(void *argument)
{
\trun(0);
\treturn argument;
}

static void *second(void *argument)
{
\trun(1);
\treturn argument;
}

static void handle(int signal)
{
\t(void)signal;
}

/* The accesses of both threads, the second one's distance (-1: in another block), plain accesses of each before, a handler, choices. */
int main(int count, char **arguments)
{
\tif (count < 8)
\t\treturn 1;
\tint given[7];
\tfor (int i = 0; i < 7; i++)
\t\tgiven[i] = atoi(arguments[i + 1]);
\tchar *block = calloc(1, BLOCK);
\tvoid *places[2] = {block, given[2] < 0 ? calloc(1, BLOCK) : block + given[2]};
\tfor (int side = 0; side < 2; side++) {
\t\tplans[side] = (struct plan){places[side], given[side], given[3 + side], given[6], 0};
\t\tsetups[given[side]](places[side], &plans[side].helper);
\t}
\tif (given[5])
\t\tsignal(SIGUSR1, handle);
\tpthread_t ids[2];
\tpthread_create(&ids[0], 0, first, 0);
\tpthread_create(&ids[1], 0, second, 0);
\tif (given[5])
\t\tpthread_kill(ids[0], SIGUSR1);
\tpthread_join(ids[0], 0);
\tpthread_join(ids[1], 0);
}
";
