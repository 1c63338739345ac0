// expect: verified
// broken: error kind=hang message="m"
// As lock-kept-by-ended, but the lock is given up. With -DBROKEN: A detached thread ends with a
// lock that no thread asks for: the critical section never ends, even if a thread has its number
// later.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int first = 1;

static void *work(void *arg)
{
	if (first) {
		first = 0;
		pthread_mutex_lock(&m);
#ifndef BROKEN
		pthread_mutex_unlock(&m);
#endif
		return 0;
	}
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	return 0;
}

int main(void)
{
	for (;;) {
		pthread_t t;
		pthread_create(&t, 0, work, 0);
		pthread_join(t, 0);
	}
}
