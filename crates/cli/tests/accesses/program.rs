//! The text of the program that holds all accesses; its arguments choose two of them.

use crate::templates::Template;

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
int __impasse_block_while_equal(volatile int *, int, int, unsigned long);
void __impasse_atomic_load_begin(const volatile void *, unsigned long);
void __impasse_atomic_update_begin(volatile void *, unsigned long);
void __impasse_atomic_access_end(void);
int __impasse_shared_lock(int *);
void __impasse_shared_await_readers(int *);
void __impasse_shared_lock_shared(int *);
int __impasse_shared_try_lock(int *, int);
void __impasse_shared_unlock(int *, int);
int __impasse_lock_both(void *, void *);
int __impasse_begin_once(int *, int, int);
void __impasse_end_once(int *, int);
void __impasse_semaphore_acquire(int *);
int __impasse_semaphore_try_acquire(int *);
void __impasse_semaphore_release(int *, long, long);
void __impasse_latch_count_down(int *, long);
int __impasse_latch_try_wait(const int *);
void __impasse_latch_wait(const int *);
int __impasse_barrier_arrive(int *, long, int);
void __impasse_barrier_complete(int *);
void __impasse_barrier_wait(const int *, int);
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
static void *places[2];
static pthread_t helpers[2];
static int spread[2][256];

/* What a thread does. Its plan is in registers: under --por off each read would be a step. */
static void run(int side, int access, int before, int chooses)
{
\tvoid *place = places[side];
\tfor (int i = 0; i < before; i++)
\t\tspread[side][2 * i] = 1;
\tif (chooses) {
\t\timpasse_choose(2);
\t\timpasse_choose(2);
\t}
\taccesses[access](place, side, &helpers[side]);
}

static void *first(void *plan)
{
\tint word = (int)(long)plan;
\trun(0, word >> 8, word >> 1 & 127, word & 1);
\treturn 0;
}

static void handle(int signal)
{
\t(void)signal;
}

/* The accesses of both threads, the distance of the second (-1: in another block), the plain
 * accesses of each before, a handler, choices. */
int main(int count, char **arguments)
{
\tif (count < 8)
\t\treturn 1;
\tint given[7];
\tfor (int i = 0; i < 7; i++)
\t\tgiven[i] = atoi(arguments[i + 1]);
\tchar *block = calloc(1, BLOCK);
\tplaces[0] = block;
\tplaces[1] = given[2] < 0 ? calloc(1, BLOCK) : block + given[2];
\tfor (int side = 0; side < 2; side++)
\t\tsetups[given[side]](places[side], &helpers[side]);
\tint access = given[1], before = given[4], signals = given[5], chooses = given[6];
\tlong plan = given[0] << 8 | given[3] << 1 | chooses;
\tif (signals)
\t\tsignal(SIGUSR1, handle);
\tpthread_t id;
\timpasse_atomic_begin();
\tpthread_create(&id, 0, first, (void *)plan);
\tif (signals)
\t\tpthread_kill(id, SIGUSR1);
\timpasse_atomic_end();
\trun(1, access, before, chooses);
\tpthread_join(id, 0);
}
";
