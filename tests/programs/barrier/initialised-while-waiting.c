// expect: verified
// broken: error kind=mutex-misuse line=24
// broken-flags: --races off
#include <pthread.h>

static pthread_barrier_t b;

static void *wait(void *arg)
{
	pthread_barrier_wait(&b);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, wait, 0);
	pthread_barrier_wait(&b);
	pthread_join(t, 0);
	pthread_create(&t, 0, wait, 0);
	/* The other thread may wait at the barrier already. */
#ifdef BROKEN
	pthread_barrier_init(&b, 0, 2);
#endif
	pthread_barrier_wait(&b);
	pthread_join(t, 0);
	return 0;
}
