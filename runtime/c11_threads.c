/* <threads.h> over <pthread.h>. What is missing here is musl's own. */
#include "pthread_impl.h"
#include <stdlib.h>
#include <threads.h>

static int status(int error)
{
	switch (error) {
	case 0: return thrd_success;
	case EBUSY: return thrd_busy;
	case ENOMEM: case EAGAIN: return thrd_nomem;
	case ETIMEDOUT: return thrd_timedout;
	default: return thrd_error;
	}
}

struct start {
	thrd_start_t function;
	void *argument;
};

static void *run(void *p)
{
	struct start start = *(struct start *)p;
	free(p);
	return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	struct start *start = malloc(sizeof *start);
	if (!start)
		return thrd_nomem;
	*start = (struct start){function, argument};
	int error = pthread_create(thread, 0, run, start);
	if (error)
		free(start);
	return status(error);
}

_Noreturn void thrd_exit(int result)
{
	pthread_exit((void *)(intptr_t)result);
}

int __pthread_join(pthread_t thread, void **result)
{
	return pthread_join(thread, result);
}

int thrd_detach(thrd_t thread)
{
	return status(pthread_detach(thread));
}

thrd_t thrd_current(void)
{
	return pthread_self();
}

int (thrd_equal)(thrd_t a, thrd_t b)
{
	return a == b;
}

#define MUTEX(m) ((pthread_mutex_t *)(m))
#define CONDITION(c) ((pthread_cond_t *)(c))

int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t attribute = {0};
	if (type & mtx_recursive)
		pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
	return status(pthread_mutex_init(MUTEX(m), &attribute));
}

void mtx_destroy(mtx_t *m)
{
	pthread_mutex_destroy(MUTEX(m));
}

int mtx_lock(mtx_t *m)
{
	return status(pthread_mutex_lock(MUTEX(m)));
}

int mtx_trylock(mtx_t *m)
{
	return status(pthread_mutex_trylock(MUTEX(m)));
}

int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict at)
{
	return status(pthread_mutex_timedlock(MUTEX(m), at));
}

int mtx_unlock(mtx_t *m)
{
	return status(pthread_mutex_unlock(MUTEX(m)));
}

int cnd_init(cnd_t *c)
{
	return status(pthread_cond_init(CONDITION(c), 0));
}

void cnd_destroy(cnd_t *c)
{
	pthread_cond_destroy(CONDITION(c));
}

int cnd_wait(cnd_t *c, mtx_t *m)
{
	return status(pthread_cond_wait(CONDITION(c), MUTEX(m)));
}

int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict at)
{
	return status(pthread_cond_timedwait(CONDITION(c), MUTEX(m), at));
}

int cnd_signal(cnd_t *c)
{
	return status(pthread_cond_signal(CONDITION(c)));
}

int cnd_broadcast(cnd_t *c)
{
	return status(pthread_cond_broadcast(CONDITION(c)));
}

void *tss_get(tss_t key)
{
	return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
	return status(pthread_setspecific(key, value));
}
