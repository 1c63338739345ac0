// expect: verified
// Waits until a time on a clock of the caller's choice: all of them end, and what can be had at
// once is had.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t free_mutex = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t read = PTHREAD_RWLOCK_INITIALIZER, written = PTHREAD_RWLOCK_INITIALIZER;
static sem_t empty;

static void *lock_in_vain(void *until)
{
	assert(pthread_mutex_clocklock(&kept, CLOCK_MONOTONIC, until) == ETIMEDOUT);
	assert(pthread_rwlock_clockwrlock(&read, CLOCK_MONOTONIC, until) == ETIMEDOUT);
	assert(pthread_rwlock_clockrdlock(&written, CLOCK_MONOTONIC, until) == ETIMEDOUT);
	return 0;
}

int main(void)
{
	struct timespec until;
	pthread_t id;
	clock_gettime(CLOCK_MONOTONIC, &until);
	sem_init(&empty, 0, 0);
	assert(sem_clockwait(&empty, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
	assert(pthread_mutex_clocklock(&kept, CLOCK_REALTIME, &until) == 0);
	assert(pthread_rwlock_clockrdlock(&read, CLOCK_REALTIME, &until) == 0);
	assert(pthread_rwlock_clockwrlock(&written, CLOCK_REALTIME, &until) == 0);
	pthread_create(&id, 0, lock_in_vain, &until);
	assert(pthread_mutex_clocklock(&free_mutex, CLOCK_PROCESS_CPUTIME_ID, &until) == EINVAL);
	assert(pthread_mutex_clocklock(&free_mutex, CLOCK_MONOTONIC, &until) == 0);
	int result = pthread_cond_clockwait(&c, &free_mutex, CLOCK_MONOTONIC, &until);
	assert(result == 0 || result == ETIMEDOUT);
	while (pthread_clockjoin_np(id, 0, CLOCK_MONOTONIC, &until))
		;
	pthread_mutex_unlock(&kept);
	pthread_mutex_unlock(&free_mutex);
}
