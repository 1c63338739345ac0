// N threads that each store four times to an element of their own.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif

static atomic_int element[N];

static void *store(void *given)
{
	int me = (int)(long)given;
	for (int i = 0; i < 4; i++)
		atomic_store(&element[me], i);
	return 0;
}

int main(void)
{
	pthread_t id[N];
	for (long i = 0; i < N; i++)
		pthread_create(&id[i], 0, store, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
