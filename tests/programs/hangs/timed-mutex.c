// expect: verified
// Two threads take two locks in opposite orders, but give up after a while.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	struct timespec soon = {0, 0};
	pthread_mutex_lock(first);
	if (pthread_mutex_timedlock(second, &soon) == 0)
		pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *work(void *arg)
{
	take(&a, &b);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	take(&b, &a);
	pthread_join(t, 0);
	return 0;
}
