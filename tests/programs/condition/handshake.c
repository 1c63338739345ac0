// expect: verified
// broken: error kind=assertion line=32
// With -DBROKEN: A spurious wake-up gets past an if.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *produce(void *arg)
{
	pthread_mutex_lock(&m);
	value = 42;
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, produce, 0);
	pthread_mutex_lock(&m);
#ifdef BROKEN
	if (!ready)
#else
	while (!ready)
#endif
		pthread_cond_wait(&c, &m);
	assert(value == 42);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
