// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *work(void *arg)
{
	assert(pthread_mutex_trylock(&m) == 16);
	return 0;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	pthread_mutexattr_destroy(&a);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	assert(pthread_mutex_trylock(&m) == 0);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_unlock(&m) == 1);
	pthread_mutex_destroy(&m);
	return 0;
}
