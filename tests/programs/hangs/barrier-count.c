// expect: verified
// As many threads come to the barrier as it waits for, round after round.
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
	pthread_barrier_init(&all, 0, 2);
	pthread_create(&t, 0, work, 0);
	work(0);
	return 0;
}
