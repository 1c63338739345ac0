// expect: verified
// broken: error kind=data-race|assertion line=22
// With -DBROKEN: Two threads draw the same ticket.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int n;

static void *work(void *arg)
{
#ifdef BROKEN
	unsigned mine = atomic_load(&next);
	atomic_store(&next, mine + 1);
	while (atomic_load(&serving) < mine)
#else
	unsigned mine = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != mine)
#endif
		;
	n++;
	atomic_fetch_add(&serving, 1);
	return 0;
}

int main(void)
{
#ifdef BROKEN
	pthread_t t;
#else
	pthread_t s, t;
	pthread_create(&s, 0, work, 0);
#endif
	pthread_create(&t, 0, work, 0);
	work(0);
#ifndef BROKEN
	pthread_join(s, 0);
#endif
	pthread_join(t, 0);
#ifdef BROKEN
	return n != 2;
#else
	return n != 3;
#endif
}
