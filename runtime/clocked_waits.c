/* Waits until a time on a clock of the caller's choice (POSIX.1-2024), which musl lacks. A wait with a time may end at any
 * time, whatever the clock. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static int is_for_waits(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	return is_for_waits(clock) ? pthread_mutex_timedlock(mutex, until) : EINVAL;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until)
{
	return is_for_waits(clock) ? pthread_cond_timedwait(condition, mutex, until) : EINVAL;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	return is_for_waits(clock) ? pthread_rwlock_timedrdlock(lock, until) : EINVAL;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	return is_for_waits(clock) ? pthread_rwlock_timedwrlock(lock, until) : EINVAL;
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
	return is_for_waits(clock) ? pthread_timedjoin_np(thread, result, until) : EINVAL;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	if (is_for_waits(clock))
		return sem_timedwait(semaphore, until);
	errno = EINVAL;
	return -1;
}
