// expect: verified
// broken: error kind=hang line=37 message="the main thread can never lock m"
// A thread is cancelled while it waits; its clean-up handler gives up the mutex that it got back.
// With -DBROKEN: A thread is cancelled while it waits, and ends with the mutex that it got back.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

#ifndef BROKEN
static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

#endif
static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
#ifndef BROKEN
	pthread_cleanup_push(unlock, &m);
#endif
	for (;;)
		pthread_cond_wait(&never, &m);
#ifndef BROKEN
	pthread_cleanup_pop(1);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, wait, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
