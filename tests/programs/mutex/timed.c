// expect: verified
// broken: error kind=assertion line=15
// With -DBROKEN: The lock is released soon, but not soon enough for sure.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
#ifdef BROKEN
	struct timespec t = {0, 0};
	assert(pthread_mutex_timedlock(&m, &t) == 0);
	pthread_mutex_unlock(&m);
#else
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec++;
	int r = pthread_mutex_timedlock(&m, &t);
	assert(r == 0 || r == ETIMEDOUT);
	if (r == 0)
		pthread_mutex_unlock(&m);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, work, 0);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
