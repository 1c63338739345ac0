// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// Threads that spin until they may read come back to their states, whatever they read before. The broken ones wait by relaxed
// loads.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define WAIT memory_order_relaxed
#else
#define WAIT memory_order_acquire
#endif

enum { READERS = 5 };

static atomic_int flag;
static int data;

static void *reader(void *argument)
{
	while (!atomic_load_explicit(&flag, WAIT))
		;
	return data ? argument : 0;
}

int main(void)
{
	pthread_t readers[READERS];
	for (int n = 0; n < READERS; n++)
		pthread_create(&readers[n], 0, reader, 0);
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	for (int n = 0; n < READERS; n++)
		pthread_join(readers[n], 0);
}
