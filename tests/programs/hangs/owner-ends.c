// expect: verified
// broken: error kind=hang line=31 message="the main thread can never lock m"
// The thread gives its lock up before it ends. With -DBROKEN: The second thread that comes ends
// with the lock held.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failures;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	if (failures > 0) {
#ifndef BROKEN
		pthread_mutex_unlock(&m);
#endif
		pthread_exit(0);
	}
	failures++;
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_mutex_lock(&m);
	int n = failures;
	pthread_mutex_unlock(&m);
	return n != 1;
}
