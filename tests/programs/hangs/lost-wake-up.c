// expect: verified
// broken: error kind=hang line=38 message="the main thread can never be woken from its wait for
//     ready"
// The flag is looked at with the mutex held, so that no signal is lost. With -DBROKEN: The flag is
// looked at before the mutex is taken: the signal may come in between.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
#ifdef BROKEN
static atomic_int done;
#else
static int done;
#endif

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
#ifdef BROKEN
	if (!done) {
		pthread_mutex_lock(&m);
		/* should be: while (!done) */
#else
	pthread_mutex_lock(&m);
	while (!done)
#endif
		pthread_cond_wait(&ready, &m);
#ifdef BROKEN
		pthread_mutex_unlock(&m);
	}
#else
	pthread_mutex_unlock(&m);
#endif
	pthread_join(t, 0);
	return 0;
}
