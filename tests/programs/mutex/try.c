// expect: verified
// broken: error kind=mutex-misuse|data-race line=14|15
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *work(void *arg)
{
#ifdef BROKEN
	pthread_mutex_trylock(&m);
	n++;
	pthread_mutex_unlock(&m);
#else
	int r = pthread_mutex_trylock(&m);
	assert(r == 0 || r == EBUSY);
	if (r == 0) {
		n++;
		pthread_mutex_unlock(&m);
	}
#endif
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
#ifndef BROKEN
	assert(n == 1 || n == 2);
#endif
	return 0;
}
