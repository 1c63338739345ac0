// expect: verified
// broken: error kind=hang line=28 message="can never be woken from its wait for started"
// The signal may come before the wait, which then is not begun. With -DBROKEN: The signal may come
// before the wait, which no thread ends then; the other thread runs forever.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int running;

static void *run(void *arg)
{
	pthread_mutex_lock(&m);
	running = 1;
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&started);
	for (;;)
		pthread_testcancel();
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, run, 0);
	pthread_mutex_lock(&m);
#ifdef BROKEN
	/* a look at `running` is missing */
	pthread_cond_wait(&started, &m);
#else
	while (!running)
		pthread_cond_wait(&started, &m);
#endif
	pthread_mutex_unlock(&m);
	pthread_cancel(t);
	pthread_join(t, 0);
	return 0;
}
