// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *work(void *arg)
{
	assert(pthread_mutex_unlock(&m) == EPERM);
	return 0;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &a);
	assert(pthread_mutex_unlock(&m) == EPERM);
	assert(pthread_mutex_lock(&m) == 0);
	assert(pthread_mutex_lock(&m) == EDEADLK);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	struct timespec soon = {0};
	assert(pthread_mutex_timedlock(&m, &soon) == EDEADLK);
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	assert(pthread_mutex_unlock(&m) == 0);
	pthread_mutex_destroy(&m);
	return 0;
}
