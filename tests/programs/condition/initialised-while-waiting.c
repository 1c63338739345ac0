// expect: verified
// broken: error kind=mutex-misuse line=28
// A condition variable may not be initialised again while a thread waits for it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
#ifndef BROKEN
	pthread_cond_init(&c, 0);
#endif
	pthread_create(&t, 0, wait, 0);
	pthread_mutex_lock(&m);
#ifdef BROKEN
	pthread_cond_init(&c, 0);
#endif
	flag = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
