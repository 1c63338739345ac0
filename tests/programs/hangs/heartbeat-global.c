// expect: error kind=hang message="the program can never end"
// flags: --hangs=global
// Some thread ends each wait, but what is waited for never comes: the program cannot end.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t beat = PTHREAD_COND_INITIALIZER;
static int ready;

static void *tick(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_cond_broadcast(&beat);
		pthread_mutex_unlock(&m);
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, tick, 0);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&beat, &m);
	pthread_mutex_unlock(&m);
	return 0;
}
