// expect: error kind=hang line=13|25
// The thread has disabled cancellation, and no thread signals.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
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
	/* The wait may end without a signal, but then begins again: either section may
	 * be told of. */

	pthread_join(t, 0);
	return 0;
}
