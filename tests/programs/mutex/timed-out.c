// expect: error kind=assertion line=12
// The lock is released soon, but not soon enough for sure.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	struct timespec t = {0, 0};
	assert(pthread_mutex_timedlock(&m, &t) == 0);
	pthread_mutex_unlock(&m);
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
