//! Little programs of threads that synchronise, and what they look like in C.

use std::fmt;

/// Where in a thread's code to continue.
pub type Label = usize;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mutex(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Condition(pub usize);

/// An atomic number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Flag(pub usize);

/// What a thread does in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Lock(Mutex),
    /// Continues elsewhere if that fails.
    TryLock(Mutex, Label),
    /// The same, as the time may be over at once.
    TimedLock(Mutex, Label),
    Unlock(Mutex),
    Wait(Condition, Mutex),
    TimedWait(Condition, Mutex),
    Signal(Condition),
    Broadcast(Condition),
    Read,
    TryRead(Label),
    Write,
    TryWrite(Label),
    /// Gives up the reader-writer lock.
    Release,
    /// Waits at the barrier.
    Meet,
    /// Waits for the semaphore.
    Take,
    Post,
    /// Begins a section on a variable of this number.
    Begin(usize),
    End(usize),
    Set(Flag, u8),
    /// Continues elsewhere if the flag is that number, or if it is not.
    Branch {
        flag: Flag,
        equal: bool,
        number: u8,
        to: Label,
    },
    GoTo(Label),
    Create(usize),
    Join(usize),
    /// Ends the thread.
    Leave,
    /// Ends the program.
    Exit,
}

/// Threads that share two mutexes, two condition variables, a reader-writer lock, a barrier, a
/// semaphore, and two flags.
pub struct Program {
    /// The code of each thread; the first one is main's. When it is done, a thread ends, and the
    /// program with main.
    pub threads: Vec<Vec<Operation>>,
    /// How many threads meet at the barrier.
    pub meeting: usize,
    /// What the semaphore begins with.
    pub tokens: u8,
    /// Whether there is one more thread, which never ends and for which no section waits.
    pub blinks: bool,
}

const SHARED: &str = "\
#include <impasse/section.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static struct timespec soon;
static atomic_int f[2], blinking;
static int x[64];
static pthread_t ids[4];

static void *blink(void *none)
{
	for (;;)
		blinking = !blinking;
	return none;
}

";

impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(SHARED)?;
        for (number, code) in self.threads.iter().enumerate().skip(1) {
            writeln!(out, "static void *thread{number}(void *none)\n{{")?;
            statements(code, out)?;
            writeln!(out, "\treturn none;\n}}\n")?;
        }
        writeln!(out, "int main(void)\n{{")?;
        writeln!(out, "\tpthread_barrier_init(&b, 0, {});", self.meeting)?;
        writeln!(out, "\tsem_init(&s, 0, {});", self.tokens)?;
        if self.blinks {
            writeln!(out, "\tpthread_create(&ids[0], 0, blink, 0);")?;
        }
        statements(&self.threads[0], out)?;
        writeln!(out, "\treturn 0;\n}}")
    }
}

fn statements(code: &[Operation], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (label, operation) in code.iter().enumerate() {
        writeln!(out, "l{label}:\n\t{operation};")?;
    }
    writeln!(out, "l{}:", code.len())
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Operation::*;
        match *self {
            Lock(Mutex(m)) => write!(out, "pthread_mutex_lock(&m[{m}])"),
            TryLock(Mutex(m), to) => write!(out, "if (pthread_mutex_trylock(&m[{m}])) goto l{to}"),
            TimedLock(Mutex(m), to) => {
                write!(
                    out,
                    "if (pthread_mutex_timedlock(&m[{m}], &soon)) goto l{to}"
                )
            }
            Unlock(Mutex(m)) => write!(out, "pthread_mutex_unlock(&m[{m}])"),
            Wait(Condition(c), Mutex(m)) => write!(out, "pthread_cond_wait(&c[{c}], &m[{m}])"),
            TimedWait(Condition(c), Mutex(m)) => {
                write!(out, "pthread_cond_timedwait(&c[{c}], &m[{m}], &soon)")
            }
            Signal(Condition(c)) => write!(out, "pthread_cond_signal(&c[{c}])"),
            Broadcast(Condition(c)) => write!(out, "pthread_cond_broadcast(&c[{c}])"),
            Read => out.write_str("pthread_rwlock_rdlock(&w)"),
            TryRead(to) => write!(out, "if (pthread_rwlock_tryrdlock(&w)) goto l{to}"),
            Write => out.write_str("pthread_rwlock_wrlock(&w)"),
            TryWrite(to) => write!(out, "if (pthread_rwlock_trywrlock(&w)) goto l{to}"),
            Release => out.write_str("pthread_rwlock_unlock(&w)"),
            Meet => out.write_str("pthread_barrier_wait(&b)"),
            Take => out.write_str("sem_wait(&s)"),
            Post => out.write_str("sem_post(&s)"),
            Begin(x) => write!(out, "impasse_section_begin(&x[{x}])"),
            End(x) => write!(out, "impasse_section_end(&x[{x}])"),
            Set(Flag(f), number) => write!(out, "f[{f}] = {number}"),
            Branch {
                flag: Flag(f),
                equal,
                number,
                to,
            } => {
                let relation = if equal { "==" } else { "!=" };
                write!(out, "if (f[{f}] {relation} {number}) goto l{to}")
            }
            GoTo(to) => write!(out, "goto l{to}"),
            Create(thread) => write!(out, "pthread_create(&ids[{thread}], 0, thread{thread}, 0)"),
            Join(thread) => write!(out, "pthread_join(ids[{thread}], 0)"),
            Leave => out.write_str("pthread_exit(0)"),
            Exit => out.write_str("exit(0)"),
        }
    }
}
