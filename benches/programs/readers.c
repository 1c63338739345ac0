// N threads that read what was written before they were started.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif

static atomic_int constant[2];

static void *read_both(void *given)
{
	if (atomic_load(&constant[0]) + atomic_load(&constant[1]) != 3)
		__builtin_trap();
	return given;
}

int main(void)
{
	pthread_t id[N];
	atomic_store(&constant[0], 1);
	atomic_store(&constant[1], 2);
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], 0, read_both, 0);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
