/* Threads, and what they wait for. A thread never waits in the C library: it says that it is
 * blocked, and tries again when it is told to. */
#define _GNU_SOURCE
#include "steered.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The function of the C library that one of ours stands for. */
#define REAL(name)                                                                                 \
	({                                                                                         \
		static __typeof__(&name) found;                                                    \
		if (!found)                                                                        \
			found = (__typeof__(&name))real(#name);                                    \
		found;                                                                             \
	})

#define MOST_THREADS 1024

static struct {
	pthread_t handle;
	volatile bool ended;
	/* Or detached. */
	bool joined;
} threads[MOST_THREADS];
static uint32_t count = 1;
static pthread_key_t at_end;

struct start {
	void *(*function)(void *);
	void *argument;
	uint32_t number;
};

/* Called again and again, so that it comes after the program's own destructors. */
static void end(void *value)
{
	uintptr_t left = (uintptr_t)value;
	uint32_t number = left >> 8;
	if ((left & 0xff) > 1) {
		pthread_setspecific(at_end, (void *)(left - 1));
		return;
	}
	threads[number].ended = true;
	ended();
}

static void *run(void *argument)
{
	struct start start = *(struct start *)argument;
	connect_thread(start.number);
	pthread_setspecific(at_end, (void *)((uintptr_t)start.number << 8 | 3));
	return start.function(start.argument);
}

__attribute__((constructor(102))) static void begin(void)
{
	pthread_key_create(&at_end, end);
	threads[0].handle = pthread_self();
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *argument)
{
	if (!steered())
		return REAL(pthread_create)(handle, attributes, function, argument);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	uint32_t number = count < MOST_THREADS ? count++ : 0;
	struct start *start = malloc(sizeof *start);
	if (!number || !start)
		return EAGAIN;
	*start = (struct start){function, argument, number};
	int result = REAL(pthread_create)(handle, attributes, run, start);
	arrive(CLASS_WRITE, handle, sizeof *handle, CALLER);
	threads[number].handle = *handle;
	return result;
}

/* The newest thread with a handle: handles are used again. */
static uint32_t number_of(pthread_t handle)
{
	for (uint32_t n = count; n-- > 0;)
		if (pthread_equal(threads[n].handle, handle))
			return n;
	return 0;
}

int pthread_join(pthread_t handle, void **result)
{
	if (!steered())
		return REAL(pthread_join)(handle, result);
	uintptr_t caller = CALLER;
	uint32_t number = number_of(handle);
	arrive_with(CLASS_CALL, NULL, 0, number, caller);
	if (threads[number].joined || pthread_equal(handle, pthread_self()))
		failed(FAILURE_THREAD, caller);
	while (number && !threads[number].ended) {
		blocked(caller);
		pthread_testcancel();
	}
	threads[number].joined = true;
	if (result)
		arrive(CLASS_WRITE, result, sizeof *result, caller);
	return REAL(pthread_join)(handle, result);
}

int pthread_detach(pthread_t handle)
{
	if (!steered())
		return REAL(pthread_detach)(handle);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	uint32_t number = number_of(handle);
	if (threads[number].joined)
		failed(FAILURE_THREAD, CALLER);
	threads[number].joined = true;
	return REAL(pthread_detach)(handle);
}

int pthread_cancel(pthread_t handle)
{
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return REAL(pthread_cancel)(handle);
}

#define MOST_LOCKS 1024

/* Locks that are held, so that misuse is noticed. */
static struct {
	void *lock;
	uint32_t depth;
	pthread_t owner;
} held[MOST_LOCKS];

static int slot(void *lock)
{
	int empty = -1;
	for (int n = 0; n < MOST_LOCKS; n++) {
		if (held[n].lock == lock)
			return n;
		if (!held[n].lock && empty < 0)
			empty = n;
	}
	return empty;
}

static void took(void *lock)
{
	int n = slot(lock);
	if (n < 0)
		return;
	held[n].depth = held[n].lock ? held[n].depth + 1 : 1;
	held[n].lock = lock;
	held[n].owner = pthread_self();
}

static void gave(void *lock, uintptr_t caller)
{
	int n = slot(lock);
	if (n < 0)
		return;
	if (held[n].lock != lock || !pthread_equal(held[n].owner, pthread_self()))
		failed(FAILURE_MUTEX, caller);
	if (--held[n].depth == 0)
		held[n].lock = NULL;
}

/* Counts those that hold a lock that several may hold. */
static void hold(volatile void *lock, int change)
{
	int n = slot((void *)lock);
	if (n < 0)
		return;
	if (!held[n].lock)
		held[n].depth = 0;
	held[n].lock = (void *)lock;
	held[n].depth += change;
	if (held[n].depth == 0)
		held[n].lock = NULL;
}

static bool is_held(void *lock)
{
	int n = slot(lock);
	return n >= 0 && held[n].lock == lock;
}

/* Objects that were destroyed, and not initialised since. */
static void *destroyed[1024];

static int destroyed_at(void *object)
{
	for (int n = 0; n < 1024; n++)
		if (destroyed[n] == object)
			return n;
	return -1;
}

static void destroy(void *object)
{
	int free = destroyed_at(NULL);
	if (destroyed_at(object) < 0 && free >= 0)
		destroyed[free] = object;
}

static void initialise(void *object)
{
	int at = destroyed_at(object);
	if (at >= 0)
		destroyed[at] = NULL;
}

/* Arrives at a use of an object that must be there. */
static void use(void *object, size_t size, uintptr_t caller)
{
	arrive(CLASS_CALL, object, 0, caller);
	if (!steered())
		return;
	check_memory(object, size, caller);
	if (destroyed_at(object) >= 0)
		failed(FAILURE_MUTEX, caller);
}

/* Arrives at a call that makes an object, or its end. */
static void change(void *object, size_t size, bool ends, uintptr_t caller)
{
	arrive(CLASS_WRITE, object, size, caller);
	if (!steered())
		return;
	check_memory(object, size, caller);
	if (ends && (is_held(object) || destroyed_at(object) >= 0))
		failed(FAILURE_MUTEX, caller);
	if (ends)
		destroy(object);
	else
		initialise(object);
}

static int lock_mutex(pthread_mutex_t *mutex, uintptr_t caller)
{
	for (;;) {
		int result = REAL(pthread_mutex_trylock)(mutex);
		if (result == 0 || result == EOWNERDEAD)
			took(mutex);
		if (result != EBUSY)
			return result;
		int n = slot(mutex);
		bool own = n >= 0 && held[n].lock == mutex &&
			   pthread_equal(held[n].owner, pthread_self());
		if (own && (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
			return EDEADLK;
		blocked(caller);
	}
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_lock)(mutex);
	use(mutex, sizeof *mutex, CALLER);
	return lock_mutex(mutex, CALLER);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_mutex_timedlock)(mutex, until);
	use(mutex, sizeof *mutex, CALLER);
	return lock_mutex(mutex, CALLER);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_mutex_clocklock)(mutex, clock, until);
	use(mutex, sizeof *mutex, CALLER);
	return lock_mutex(mutex, CALLER);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_trylock)(mutex);
	use(mutex, sizeof *mutex, CALLER);
	int result = REAL(pthread_mutex_trylock)(mutex);
	if (result == 0 || result == EOWNERDEAD)
		took(mutex);
	return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_unlock)(mutex);
	uintptr_t caller = CALLER;
	use(mutex, sizeof *mutex, caller);
	bool checks = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK ||
		      (mutex->__data.__kind & 16);
	if (!checks)
		gave(mutex, caller);
	int result = REAL(pthread_mutex_unlock)(mutex);
	if (checks && result == 0)
		gave(mutex, caller);
	return result;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_destroy)(mutex);
	change(mutex, sizeof *mutex, true, CALLER);
	return REAL(pthread_mutex_destroy)(mutex);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	change(mutex, sizeof *mutex, false, CALLER);
	return REAL(pthread_mutex_init)(mutex, attributes);
}

/* Those that wait for something. Whoever wakes one does not say which; that is decided by who is
 * told first to try again. */
struct waiter {
	const volatile void *on;
	uint64_t since;
	bool used;
};
static struct waiter waiters[MOST_THREADS];
static struct {
	const volatile void *on;
	uint64_t at;
} wakes[4096];
static uint32_t wake_count;
static uint64_t now;

static int begin_wait(const volatile void *on)
{
	int n = 0;
	while (waiters[n].used)
		n++;
	waiters[n] = (struct waiter){on, ++now, true};
	return n;
}

static void end_wait(void *waiter)
{
	waiters[*(int *)waiter].used = false;
}

/* Takes one of the wakes that this wait has been there for, if there is one. */
static bool woken(int waiter)
{
	for (uint32_t n = 0; n < wake_count; n++)
		if (wakes[n].on == waiters[waiter].on && wakes[n].at > waiters[waiter].since) {
			wakes[n] = wakes[--wake_count];
			return true;
		}
	return false;
}

static int wake(const volatile void *on, int most)
{
	int waiting = 0, given = 0;
	++now;
	for (int n = 0; n < MOST_THREADS; n++)
		waiting += waiters[n].used && waiters[n].on == on;
	for (uint32_t n = 0; n < wake_count; n++)
		waiting -= wakes[n].on == on;
	while (given < most && given < waiting && wake_count < 4096) {
		wakes[wake_count].on = on;
		wakes[wake_count++].at = now;
		given++;
	}
	return given;
}

static void wait_on(const volatile void *on, uintptr_t caller)
{
	int waiter = begin_wait(on);
	pthread_cleanup_push(end_wait, &waiter);
	while (!woken(waiter)) {
		blocked(caller);
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
}

static void lock_again(void *mutex)
{
	lock_mutex(mutex, 0);
}

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t caller)
{
	arrive_with(CLASS_CALL, condition, 0, (uintptr_t)mutex, caller);
	if (destroyed_at(condition) >= 0)
		failed(FAILURE_MUTEX, caller);
	gave(mutex, caller);
	int waiter = begin_wait(condition);
	REAL(pthread_mutex_unlock)(mutex);
	pthread_cleanup_push(lock_again, mutex);
	pthread_cleanup_push(end_wait, &waiter);
	while (!woken(waiter)) {
		blocked(caller);
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
	pthread_cleanup_pop(0);
	return lock_mutex(mutex, caller);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_cond_wait)(condition, mutex);
	return wait_for(condition, mutex, CALLER);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_cond_timedwait)(condition, mutex, until);
	return wait_for(condition, mutex, CALLER);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
			   const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
	return wait_for(condition, mutex, CALLER);
}

int pthread_cond_signal(pthread_cond_t *condition)
{
	if (!steered())
		return REAL(pthread_cond_signal)(condition);
	use(condition, sizeof *condition, CALLER);
	wake(condition, 1);
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
	if (!steered())
		return REAL(pthread_cond_broadcast)(condition);
	use(condition, sizeof *condition, CALLER);
	wake(condition, MOST_THREADS);
	return 0;
}

/* A condition variable that nothing else knows is never in use for the C library. */
int pthread_cond_destroy(pthread_cond_t *condition)
{
	change(condition, sizeof *condition, true, CALLER);
	return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
	change(condition, sizeof *condition, false, CALLER);
	return REAL(pthread_cond_init)(condition, attributes);
}

#define TRY_UNTIL(object, attempt, busy)                                                           \
	do {                                                                                       \
		uintptr_t caller = CALLER;                                                         \
		use((void *)object, sizeof *object, caller);                                       \
		int result;                                                                        \
		while ((result = (attempt)) && (busy))                                             \
			blocked(caller);                                                           \
		return result;                                                                     \
	} while (0)

#define LOCK(name, type, attempt)                                                                  \
	int name(type *lock)                                                                       \
	{                                                                                          \
		if (!steered())                                                                    \
			return REAL(name)(lock);                                                   \
		uintptr_t caller = CALLER;                                                         \
		use((void *)lock, sizeof *lock, caller);                                           \
		while (REAL(attempt)(lock) == EBUSY)                                               \
			blocked(caller);                                                           \
		hold(lock, 1);                                                                     \
		return 0;                                                                          \
	}
#define TRY_LOCK(name, type)                                                                       \
	int name(type *lock)                                                                       \
	{                                                                                          \
		use((void *)lock, sizeof *lock, CALLER);                                           \
		int result = REAL(name)(lock);                                                     \
		if (!result && steered())                                                          \
			hold(lock, 1);                                                             \
		return result;                                                                     \
	}
#define UNLOCK(name, type)                                                                         \
	int name(type *lock)                                                                       \
	{                                                                                          \
		use((void *)lock, sizeof *lock, CALLER);                                           \
		if (steered() && !is_held((void *)lock))                                           \
			failed(FAILURE_MUTEX, CALLER);                                             \
		if (steered())                                                                     \
			hold(lock, -1);                                                            \
		return REAL(name)(lock);                                                           \
	}
#define DESTROY(name, type)                                                                        \
	int name(type *lock)                                                                       \
	{                                                                                          \
		change((void *)lock, sizeof *lock, true, CALLER);                                  \
		return REAL(name)(lock);                                                           \
	}

LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock)
TRY_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
TRY_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
DESTROY(pthread_rwlock_destroy, pthread_rwlock_t)
LOCK(pthread_spin_lock, pthread_spinlock_t, pthread_spin_trylock)
TRY_LOCK(pthread_spin_trylock, pthread_spinlock_t)
UNLOCK(pthread_spin_unlock, pthread_spinlock_t)
DESTROY(pthread_spin_destroy, pthread_spinlock_t)

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	change(lock, sizeof *lock, false, CALLER);
	return REAL(pthread_rwlock_init)(lock, attributes);
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	change((void *)lock, sizeof *lock, false, CALLER);
	return REAL(pthread_spin_init)(lock, shared);
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	change(semaphore, sizeof *semaphore, false, CALLER);
	return REAL(sem_init)(semaphore, shared, value);
}

int sem_destroy(sem_t *semaphore)
{
	change(semaphore, sizeof *semaphore, true, CALLER);
	return REAL(sem_destroy)(semaphore);
}

int sem_getvalue(sem_t *semaphore, int *value)
{
	use(semaphore, sizeof *semaphore, CALLER);
	arrive(CLASS_WRITE, value, sizeof *value, CALLER);
	return REAL(sem_getvalue)(semaphore, value);
}

int sem_wait(sem_t *semaphore)
{
	if (!steered())
		return REAL(sem_wait)(semaphore);
	TRY_UNTIL(semaphore, REAL(sem_trywait)(semaphore), errno == EAGAIN);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	if (!steered())
		return REAL(sem_timedwait)(semaphore, until);
	TRY_UNTIL(semaphore, REAL(sem_trywait)(semaphore), errno == EAGAIN);
}

int sem_trywait(sem_t *semaphore)
{
	use(semaphore, sizeof *semaphore, CALLER);
	return REAL(sem_trywait)(semaphore);
}

int sem_post(sem_t *semaphore)
{
	use(semaphore, sizeof *semaphore, CALLER);
	return REAL(sem_post)(semaphore);
}

/* Barriers, by their address. */
static struct barrier {
	pthread_barrier_t *barrier;
	unsigned needed, arrived;
} barriers[256];

static struct barrier *barrier_of(pthread_barrier_t *barrier)
{
	for (int n = 0; n < 256; n++)
		if (barriers[n].barrier == barrier)
			return &barriers[n];
	return NULL;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
			 unsigned needed)
{
	arrive(CLASS_WRITE, barrier, sizeof *barrier, CALLER);
	struct barrier *known = barrier_of(barrier);
	if (!known)
		known = barrier_of(NULL);
	if (known)
		*known = (struct barrier){barrier, needed, 0};
	return REAL(pthread_barrier_init)(barrier, attributes, needed);
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	struct barrier *known = barrier_of(barrier);
	if (!steered() || !known)
		return REAL(pthread_barrier_wait)(barrier);
	uintptr_t caller = CALLER;
	arrive(CLASS_CALL, barrier, 0, caller);
	if (++known->arrived == known->needed) {
		known->arrived = 0;
		wake(barrier, MOST_THREADS);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	wait_on(barrier, caller);
	return 0;
}

/* Functions that are called once: not begun, begun, done. */
int pthread_once(pthread_once_t *once, void (*function)(void))
{
	if (!steered())
		return REAL(pthread_once)(once, function);
	uintptr_t caller = CALLER;
	arrive(CLASS_CALL, once, 0, caller);
	while (*once == 1)
		blocked(caller);
	if (*once == 2)
		return 0;
	*once = 1;
	function();
	*once = 2;
	return 0;
}

int __cxa_guard_acquire(uint64_t *guard)
{
	volatile uint8_t *state = (volatile uint8_t *)guard;
	uintptr_t caller = CALLER;
	arrive(CLASS_CALL, guard, 0, caller);
	while (state[1] && steered())
		blocked(caller);
	if (state[0])
		return 0;
	state[1] = 1;
	return 1;
}

void __cxa_guard_release(uint64_t *guard)
{
	arrive(CLASS_CALL, guard, 0, CALLER);
	((volatile uint8_t *)guard)[1] = 0;
	((volatile uint8_t *)guard)[0] = 1;
}

void __cxa_guard_abort(uint64_t *guard)
{
	((volatile uint8_t *)guard)[1] = 0;
}

int sched_yield(void)
{
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return 0;
}

/* Time does not pass: who waits for it continues when it is resumed. */
unsigned sleep(unsigned seconds)
{
	if (!steered())
		return REAL(sleep)(seconds);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return 0;
}

int usleep(useconds_t time)
{
	if (!steered())
		return REAL(usleep)(time);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	if (!steered())
		return REAL(nanosleep)(time, left);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	if (!steered())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return 0;
}

#define FUTEX_COMMAND 127
#define FUTEX_CALL 202

/* The waits of std::atomic are made of these. */
long syscall(long call, ...)
{
	static long (*found)(long, ...);
	if (!found)
		found = (long (*)(long, ...))real("syscall");
	__builtin_va_list list;
	__builtin_va_start(list, call);
	long a[6];
	for (int n = 0; n < 6; n++)
		a[n] = __builtin_va_arg(list, long);
	__builtin_va_end(list);
	if (call != FUTEX_CALL || !steered())
		return found(call, a[0], a[1], a[2], a[3], a[4], a[5]);
	int *word = (int *)a[0];
	int operation = a[1] & FUTEX_COMMAND;
	arrive(CLASS_CALL, word, 0, CALLER);
	if (operation == 0 || operation == 9) {
		if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (int)a[2]) {
			errno = EAGAIN;
			return -1;
		}
		wait_on(word, CALLER);
		return 0;
	}
	if (operation == 1 || operation == 10)
		return wake(word, (int)a[2]);
	return found(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
	if (steered())
		failed(FAILURE_ASSERTION, CALLER);
	((void (*)(const char *, const char *, unsigned, const char *))real("__assert_fail"))(
		text, file, line, function);
	abort();
}

/* The C library's own functions for C11's threads call none of the above. */
typedef int (*thread_function)(void *);

struct c11_start {
	thread_function function;
	void *argument;
};

static void *run_c11(void *argument)
{
	struct c11_start start = *(struct c11_start *)argument;
	return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(pthread_t *handle, thread_function function, void *argument)
{
	struct c11_start *start = malloc(sizeof *start);
	if (!start)
		return 3;
	*start = (struct c11_start){function, argument};
	return pthread_create(handle, NULL, run_c11, start) ? 2 : 0;
}

int thrd_join(pthread_t handle, int *result)
{
	void *value;
	if (pthread_join(handle, &value))
		return 2;
	if (result)
		*result = (int)(intptr_t)value;
	return 0;
}

void thrd_yield(void)
{
	sched_yield();
}

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	return nanosleep(time, left);
}

int mtx_lock(void *mutex)
{
	return pthread_mutex_lock(mutex) ? 2 : 0;
}

int mtx_trylock(void *mutex)
{
	int result = pthread_mutex_trylock(mutex);
	return result == EBUSY ? 1 : result ? 2 : 0;
}

int mtx_unlock(void *mutex)
{
	return pthread_mutex_unlock(mutex) ? 2 : 0;
}

int cnd_wait(void *condition, void *mutex)
{
	return pthread_cond_wait(condition, mutex) ? 2 : 0;
}

int cnd_signal(void *condition)
{
	return pthread_cond_signal(condition) ? 2 : 0;
}

int cnd_broadcast(void *condition)
{
	return pthread_cond_broadcast(condition) ? 2 : 0;
}

void call_once(pthread_once_t *once, void (*function)(void))
{
	pthread_once(once, function);
}
