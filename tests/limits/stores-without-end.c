// flags: --memory-model tso --store-buffer unbounded
// memory: grows
// One step may store more than any memory holds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *store(void *unused)
{
	for (;;)
		atomic_store_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, store, 0);
	for (;;)
		atomic_load(&x);
}
