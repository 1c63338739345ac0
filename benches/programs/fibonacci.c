// Two threads add to each other's number N times (SV-COMP calls it fib_bench).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int number[2] = {1, 1};

static void *add(void *given)
{
	int me = (int)(long)given;
	for (int i = 0; i < N; i++)
		atomic_store(&number[me], atomic_load(&number[0]) + atomic_load(&number[1]));
	return 0;
}

int main(void)
{
	pthread_t id[2];
	int most[2] = {1, 1};
	for (int i = 0; i < 2 * N; i++)
		most[i % 2] += most[!(i % 2)];
	for (long i = 0; i < 2; i++)
		pthread_create(&id[i], 0, add, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
	assert(number[0] <= most[1] && number[1] <= most[1]);
}
