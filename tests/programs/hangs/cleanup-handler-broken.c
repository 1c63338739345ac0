// expect: error kind=hang line=22 message="the main thread can never lock m"
// A thread is cancelled while it waits, and ends with the mutex that it got back.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	for (;;)
		pthread_cond_wait(&never, &m);
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
