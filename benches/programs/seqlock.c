// A sequence lock with one writer and N readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_uint sequence;
static atomic_int first, second;

static void *write_both(void *given)
{
	atomic_fetch_add(&sequence, 1);
	atomic_store(&first, 1);
	atomic_store(&second, 1);
	atomic_fetch_add(&sequence, 1);
	return given;
}

static void *read_both(void *given)
{
	unsigned before = atomic_load(&sequence);
	int one = atomic_load(&first), two = atomic_load(&second);
	if (before % 2 == 0 && atomic_load(&sequence) == before)
		assert(one == two);
	return given;
}

int main(void)
{
	pthread_t id[N + 1];
	pthread_create(&id[0], 0, write_both, 0);
	for (int i = 1; i <= N; i++)
		pthread_create(&id[i], 0, read_both, 0);
	for (int i = 0; i <= N; i++)
		pthread_join(id[i], 0);
}
