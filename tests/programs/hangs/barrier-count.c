// expect: verified
// broken: error kind=hang line=12 message="can never get past all"
// As many threads come to the barrier as it waits for, round after round. With -DBROKEN: Fewer
// threads come to the barrier than it waits for.
#include <pthread.h>

static pthread_barrier_t all;

static void *work(void *arg)
{
	for (;;)
		pthread_barrier_wait(&all);
	return 0;
}

int main(void)
{
	pthread_t t;
#ifdef BROKEN
	pthread_barrier_init(&all, 0, 3);
#else
	pthread_barrier_init(&all, 0, 2);
#endif
	pthread_create(&t, 0, work, 0);
	work(0);
	return 0;
}
