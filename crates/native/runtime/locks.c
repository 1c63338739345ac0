/* Locks. A thread never waits in the C library: it says that it is blocked, and tries again when it
 * is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>

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

void gave(void *lock, uintptr_t caller)
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

bool is_held(void *lock)
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

bool is_destroyed(void *object)
{
	return destroyed_at(object) >= 0;
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

bool use(enum class class, volatile void *object, size_t size, uintptr_t caller)
{
	bool fails = arrive(class, object, 0, caller);
	if (!steered())
		return false;
	check_memory(object, size, caller);
	if (is_destroyed((void *)object))
		failed(FAILURE_MUTEX, caller);
	return fails;
}

void change(volatile void *object, size_t size, bool ends, uintptr_t caller)
{
	arrive(CLASS_WRITE, object, size, caller);
	if (!steered())
		return;
	check_memory(object, size, caller);
	if (ends && (is_held((void *)object) || is_destroyed((void *)object)))
		failed(FAILURE_MUTEX, caller);
	if (!ends && is_held((void *)object))
		noticed(FAILURE_MUTEX, caller);
	if (ends)
		destroy((void *)object);
	else
		initialise((void *)object);
}

int lock_mutex(pthread_mutex_t *mutex, const struct timespec *until, uintptr_t caller)
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
		if (blocked(until, caller) == WAIT_LATE)
			return ETIMEDOUT;
	}
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_lock)(mutex);
	use(CALL_ACQUIRES, mutex, sizeof *mutex, CALLER);
	return lock_mutex(mutex, NULL, CALLER);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_mutex_timedlock)(mutex, until);
	if (use(CALL_ACQUIRES, mutex, sizeof *mutex, CALLER))
		return attempted(ETIMEDOUT);
	return attempted(lock_mutex(mutex, until, CALLER));
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	if (!steered())
		return REAL(pthread_mutex_clocklock)(mutex, clock, until);
	if (use(CALL_ACQUIRES, mutex, sizeof *mutex, CALLER))
		return attempted(ETIMEDOUT);
	return attempted(lock_mutex(mutex, until, CALLER));
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_trylock)(mutex);
	if (use(CALL_ACQUIRES, mutex, sizeof *mutex, CALLER))
		return attempted(EBUSY);
	int result = REAL(pthread_mutex_trylock)(mutex);
	if (result == 0 || result == EOWNERDEAD)
		took(mutex);
	return attempted(result);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (!steered())
		return REAL(pthread_mutex_unlock)(mutex);
	uintptr_t caller = CALLER;
	use(CALL_RELEASES, mutex, sizeof *mutex, caller);
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

/* Takes a lock by attempts; with a time limit, may give up. */
#define TAKE(lock, attempt, until, caller)                                                         \
	({                                                                                         \
		int result = 0;                                                                    \
		use(CALL_ACQUIRES, lock, sizeof *lock, caller);                                    \
		while (!result && REAL(attempt)(lock) == EBUSY)                                    \
			if (blocked(until, caller) == WAIT_LATE)                                   \
				result = ETIMEDOUT;                                                \
		if (!result)                                                                       \
			hold(lock, 1);                                                             \
		attempted(result);                                                                 \
	})
#define LOCK(name, type, attempt)                                                                  \
	int name(type *lock)                                                                       \
	{                                                                                          \
		if (!steered())                                                                    \
			return REAL(name)(lock);                                                   \
		return TAKE(lock, attempt, NULL, CALLER);                                          \
	}
#define TIMED_LOCK(name, attempt)                                                                  \
	int name(pthread_rwlock_t *lock, const struct timespec *until)                             \
	{                                                                                          \
		if (!steered())                                                                    \
			return REAL(name)(lock, until);                                            \
		return TAKE(lock, attempt, until, CALLER);                                         \
	}
#define CLOCK_LOCK(name, attempt)                                                                  \
	int name(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)            \
	{                                                                                          \
		if (!steered())                                                                    \
			return REAL(name)(lock, clock, until);                                     \
		return TAKE(lock, attempt, until, CALLER);                                         \
	}
#define TRY_LOCK(name, type)                                                                       \
	int name(type *lock)                                                                       \
	{                                                                                          \
		if (use(CALL_ACQUIRES, lock, sizeof *lock, CALLER))                                \
			return attempted(EBUSY);                                                   \
		int result = REAL(name)(lock);                                                     \
		if (!result && steered())                                                          \
			hold(lock, 1);                                                             \
		return attempted(result);                                                          \
	}
#define UNLOCK(name, type)                                                                         \
	int name(type *lock)                                                                       \
	{                                                                                          \
		use(CALL_RELEASES, lock, sizeof *lock, CALLER);                                    \
		if (steered() && !is_held((void *)lock))                                           \
			failed(FAILURE_MUTEX, CALLER);                                             \
		if (steered())                                                                     \
			hold(lock, -1);                                                            \
		return REAL(name)(lock);                                                           \
	}
#define DESTROY(name, type)                                                                        \
	int name(type *lock)                                                                       \
	{                                                                                          \
		change(lock, sizeof *lock, true, CALLER);                                  \
		return REAL(name)(lock);                                                           \
	}

LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock)
TRY_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
TRY_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
DESTROY(pthread_rwlock_destroy, pthread_rwlock_t)
TIMED_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock)
TIMED_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock)
CLOCK_LOCK(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock)
CLOCK_LOCK(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock)
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
	change(lock, sizeof *lock, false, CALLER);
	return REAL(pthread_spin_init)(lock, shared);
}

/* The C library's own functions for C11's threads call none of the above. */
static int in_c11(int result)
{
	return result == EBUSY ? 1 : result == ETIMEDOUT ? 4 : result ? 2 : 0;
}

int mtx_lock(void *mutex)
{
	return in_c11(pthread_mutex_lock(mutex));
}

int mtx_trylock(void *mutex)
{
	return in_c11(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(void *mutex, const struct timespec *until)
{
	return in_c11(pthread_mutex_timedlock(mutex, until));
}

int mtx_unlock(void *mutex)
{
	return in_c11(pthread_mutex_unlock(mutex));
}
