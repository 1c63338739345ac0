// N threads increase their elements; one looks for the last that is zero (P. A. Abdulla and others,
// Optimal Dynamic Partial Order Reduction, POPL 2014).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_int element[N + 1];

static void *find(void *given)
{
	int i = N;
	while (atomic_load(&element[i]))
		i--;
	return given;
}

static void *increase(void *given)
{
	int me = (int)(long)given;
	atomic_store(&element[me], atomic_load(&element[me - 1]) + 1);
	return 0;
}

int main(void)
{
	pthread_t id[N + 1];
	pthread_create(&id[0], 0, find, 0);
	for (long i = 1; i <= N; i++)
		pthread_create(&id[i], 0, increase, (void *)i);
	for (int i = 0; i <= N; i++)
		pthread_join(id[i], 0);
}
