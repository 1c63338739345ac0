// One thread writes what N threads read once.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 14
#endif

static atomic_int word;

static void *read_once(void *given)
{
	atomic_load(&word);
	return given;
}

int main(void)
{
	pthread_t id[N];
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], 0, read_once, 0);
	atomic_store(&word, 1);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
