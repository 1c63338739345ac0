// expect: verified
// The flag is looked at with the mutex held, so that no signal is lost.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *produce(void *arg)
{
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, produce, 0);
	pthread_mutex_lock(&m);
	while (!done)
		pthread_cond_wait(&ready, &m);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
