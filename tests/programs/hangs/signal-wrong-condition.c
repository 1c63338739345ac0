// expect: verified
// broken: error kind=hang line=16|34 message="can never be woken from its wait for"
// Two conditions with one mutex, each signalled by who makes it true. With -DBROKEN: Two conditions
// with one mutex, of which the wrong one is signalled.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		while (items == 0)
			pthread_cond_wait(&full, &m);
		items = 0;
#ifdef BROKEN
		pthread_cond_signal(&full);
#else
		pthread_cond_signal(&empty);
#endif
		pthread_mutex_unlock(&m);
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, consume, 0);
	for (;;) {
		pthread_mutex_lock(&m);
		while (items > 0)
			pthread_cond_wait(&empty, &m);
		items = 1;
		pthread_cond_signal(&full);
		pthread_mutex_unlock(&m);
	}
}
