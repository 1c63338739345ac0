// expect: verified
// broken: error kind=hang line=27 message="ready.zero"
// A count that is waited for until it is zero, with POSIX threads. With -DBROKEN: A count that is
// waited for until it is zero, but each thread waits before it counts itself.
#include <pthread.h>

struct countdown {
	pthread_mutex_t mutex;
	pthread_cond_t zero;
	int count;
};

static struct countdown ready = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 2};

static void count_down(struct countdown *c)
{
	pthread_mutex_lock(&c->mutex);
	if (--c->count == 0)
		pthread_cond_broadcast(&c->zero);
	pthread_mutex_unlock(&c->mutex);
}

static void await(struct countdown *c)
{
	pthread_mutex_lock(&c->mutex);
	while (c->count > 0)
		pthread_cond_wait(&c->zero, &c->mutex);
	pthread_mutex_unlock(&c->mutex);
}

static void *work(void *arg)
{
#ifdef BROKEN
	await(&ready);
#endif
	count_down(&ready);
#ifndef BROKEN
	await(&ready);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return 0;
}
