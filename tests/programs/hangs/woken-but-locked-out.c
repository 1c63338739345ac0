// expect: error kind=hang line=10|11|23|24 message="m"
// The signal comes, but the mutex that the wait has to take again is never given up.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, wait, 0);
	pthread_mutex_lock(&m);
	pthread_cond_signal(&c);
	/* should unlock here */
	for (;;) {
	}
}
