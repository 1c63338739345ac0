// expect: verified
// broken: error kind=mutex-misuse line=17
// The waiter can see the flag before the signal, and destroys the condition variable: the signal
// has to be sent while the mutex is held.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *set(void *arg)
{
	pthread_mutex_lock(&m);
	flag = 1;
#ifdef BROKEN
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&c);
#else
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	pthread_mutex_lock(&m);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_cond_destroy(&c);
	pthread_join(t, 0);
	return 0;
}
