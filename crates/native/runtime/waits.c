/* What threads wait in: condition variables, semaphores, barriers, functions that are called once,
 * and futexes. A thread never waits in the C library: it says that it is blocked, and tries again
 * when it is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <semaphore.h>

/* Those that wait for something. Whoever wakes one does not say which; that is decided by who is
 * told first to try again. */
struct waiter {
	const volatile void *on;
	/* The mutex that a wait for a condition variable has given up. */
	const void *mutex;
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

static int begin_wait(const volatile void *on, const void *mutex)
{
	int n = 0;
	while (waiters[n].used)
		n++;
	waiters[n] = (struct waiter){on, mutex, ++now, true};
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

/* Whether anything waits that is not woken yet. */
static bool is_waited_for(const volatile void *on)
{
	int waiting = 0;
	for (int n = 0; n < MOST_THREADS; n++)
		waiting += waiters[n].used && waiters[n].on == on;
	for (uint32_t n = 0; n < wake_count; n++)
		waiting -= wakes[n].on == on;
	return waiting > 0;
}

/* Whether a thread waits for a condition variable with another mutex. */
static bool is_waited_for_with_another(const void *condition, const void *mutex)
{
	for (int n = 0; n < MOST_THREADS; n++)
		if (waiters[n].used && waiters[n].on == condition && waiters[n].mutex != mutex)
			return is_waited_for(condition);
	return false;
}

/* Signals do not interrupt such a wait. */
#define NO_SIGNALS UINT64_MAX

/* Returns how the wait has ended, WAIT_AGAIN if it was woken; signals interrupt it that are taken
 * after so many. */
static enum wait wait_on(const volatile void *on, const void *mutex, uint64_t taken,
			 const struct timespec *until, uintptr_t caller)
{
	bool is_futex = taken != NO_SIGNALS;
	int waiter = begin_wait(on, mutex);
	enum wait how = WAIT_AGAIN;
	pthread_cleanup_push(end_wait, &waiter);
	while (how == WAIT_AGAIN && !woken(waiter)) {
		how = is_futex ? blocked_since(taken, until, caller) : blocked(until, caller);
		pthread_testcancel();
		if (how == WAIT_INTERRUPTED && !is_futex)
			how = WAIT_AGAIN;
	}
	pthread_cleanup_pop(1);
	return how;
}

static void lock_again(void *mutex)
{
	lock_mutex(mutex, NULL, 0);
}

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
		    uintptr_t caller)
{
	arrive_with(CLASS_CALL, condition, 0, (uintptr_t)mutex, caller);
	check_memory(condition, sizeof *condition, caller);
	if (is_destroyed(condition))
		failed(FAILURE_MUTEX, caller);
	if (is_waited_for_with_another(condition, mutex))
		noticed(FAILURE_MUTEX, caller);
	gave(mutex, caller);
	REAL(pthread_mutex_unlock)(mutex);
	bool late = false;
	pthread_cleanup_push(lock_again, mutex);
	late = wait_on(condition, mutex, NO_SIGNALS, until, caller) == WAIT_LATE;
	pthread_cleanup_pop(0);
	int result = lock_mutex(mutex, NULL, caller);
	return late ? ETIMEDOUT : result;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_cond_wait)(condition, mutex);
	return wait_for(condition, mutex, NULL, CALLER);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_cond_timedwait)(condition, mutex, until);
	return wait_for(condition, mutex, until, CALLER);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
			   const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
	return wait_for(condition, mutex, until, CALLER);
}

int pthread_cond_signal(pthread_cond_t *condition)
{
	if (!steered())
		return REAL(pthread_cond_signal)(condition);
	use(CALL_ORDERS_NOTHING, condition, sizeof *condition, CALLER);
	wake(condition, 1);
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
	if (!steered())
		return REAL(pthread_cond_broadcast)(condition);
	use(CALL_ORDERS_NOTHING, condition, sizeof *condition, CALLER);
	wake(condition, MOST_THREADS);
	return 0;
}

/* A condition variable that nothing else knows is never in use for the C library. */
int pthread_cond_destroy(pthread_cond_t *condition)
{
	change(condition, sizeof *condition, true, CALLER);
	if (steered() && is_waited_for(condition))
		failed(FAILURE_MUTEX, CALLER);
	return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
	change(condition, sizeof *condition, false, CALLER);
	if (steered() && is_waited_for(condition))
		failed(FAILURE_MUTEX, CALLER);
	return REAL(pthread_cond_init)(condition, attributes);
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
	use(CALL_ORDERS_NOTHING, semaphore, sizeof *semaphore, CALLER);
	arrive(CLASS_WRITE, value, sizeof *value, CALLER);
	return REAL(sem_getvalue)(semaphore, value);
}

static int take(sem_t *semaphore, const struct timespec *until, uintptr_t caller)
{
	uint64_t taken = signals_taken();
	use(CALL_ACQUIRES, semaphore, sizeof *semaphore, caller);
	while (REAL(sem_trywait)(semaphore)) {
		if (errno != EAGAIN)
			return -1;
		enum wait how = blocked_since(taken, until, caller);
		if (how == WAIT_LATE || how == WAIT_INTERRUPTED) {
			errno = how == WAIT_LATE ? ETIMEDOUT : EINTR;
			return attempted(-1);
		}
		pthread_testcancel();
	}
	return 0;
}

int sem_wait(sem_t *semaphore)
{
	return steered() ? take(semaphore, NULL, CALLER) : REAL(sem_wait)(semaphore);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	if (!steered())
		return REAL(sem_timedwait)(semaphore, until);
	return take(semaphore, until, CALLER);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	if (!steered())
		return REAL(sem_clockwait)(semaphore, clock, until);
	return take(semaphore, until, CALLER);
}

int sem_trywait(sem_t *semaphore)
{
	use(CALL_ACQUIRES, semaphore, sizeof *semaphore, CALLER);
	return attempted(REAL(sem_trywait)(semaphore));
}

int sem_post(sem_t *semaphore)
{
	use(CALL_RELEASES, semaphore, sizeof *semaphore, CALLER);
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
	change(barrier, sizeof *barrier, false, CALLER);
	struct barrier *known = barrier_of(barrier);
	if (steered() && known && known->arrived)
		failed(FAILURE_MUTEX, CALLER);
	if (!known)
		known = barrier_of(NULL);
	if (known)
		*known = (struct barrier){barrier, needed, 0};
	return REAL(pthread_barrier_init)(barrier, attributes, needed);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	change(barrier, sizeof *barrier, true, CALLER);
	struct barrier *known = barrier_of(barrier);
	if (steered() && known && known->arrived)
		failed(FAILURE_MUTEX, CALLER);
	return known ? 0 : REAL(pthread_barrier_destroy)(barrier);
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	struct barrier *known = barrier_of(barrier);
	if (!steered() || !known)
		return REAL(pthread_barrier_wait)(barrier);
	uintptr_t caller = CALLER;
	use(CLASS_CALL, barrier, sizeof *barrier, caller);
	if (++known->arrived == known->needed) {
		known->arrived = 0;
		wake(barrier, MOST_THREADS);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	wait_on(barrier, NULL, NO_SIGNALS, NULL, caller);
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
		blocked(NULL, caller);
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
		blocked(NULL, caller);
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
	uint64_t taken = signals_taken();
	arrive(CLASS_CALL, word, 0, CALLER);
	if (operation == 0 || operation == 9) {
		if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (int)a[2]) {
			errno = EAGAIN;
			return -1;
		}
		/* The second one takes a time and not a duration. */
		const struct timespec *until = (const struct timespec *)a[3];
		struct timespec end;
		if (until && operation == 0)
			until = end_of(until, &end);
		switch (wait_on(word, NULL, taken, until, CALLER)) {
		case WAIT_LATE:
			errno = ETIMEDOUT;
			return -1;
		case WAIT_INTERRUPTED:
			errno = EINTR;
			return -1;
		default:
			return 0;
		}
	}
	if (operation == 1 || operation == 10)
		return wake(word, (int)a[2]);
	return found(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The C library's own functions for C11's threads call none of the above. */
int cnd_wait(void *condition, void *mutex)
{
	return pthread_cond_wait(condition, mutex) ? 2 : 0;
}

int cnd_timedwait(void *condition, void *mutex, const struct timespec *until)
{
	int result = pthread_cond_timedwait(condition, mutex, until);
	return result == ETIMEDOUT ? 4 : result ? 2 : 0;
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

