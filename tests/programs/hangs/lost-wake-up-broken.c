// expect: error kind=hang line=26 message="the main thread can never be woken from its wait for ready"
// The flag is looked at before the mutex is taken: the signal may come in between.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int done;

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
	if (!done) {
		pthread_mutex_lock(&m);
		/* should be: while (!done) */
		pthread_cond_wait(&ready, &m);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t, 0);
	return 0;
}
