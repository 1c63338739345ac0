// expect: verified
// broken: error kind=mutex-misuse line=33
// The example of POSIX: a condition variable may be destroyed once all threads that wait for it
// are awakened, although they have not returned yet. One signal does not awaken all.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int busy = 1;

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	if (busy)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, wait, 0);
	pthread_create(&t[1], 0, wait, 0);
	pthread_mutex_lock(&m);
	busy = 0;
#ifdef BROKEN
	pthread_cond_signal(&c);
#else
	pthread_cond_broadcast(&c);
#endif
	pthread_mutex_unlock(&m);
	pthread_cond_destroy(&c);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
