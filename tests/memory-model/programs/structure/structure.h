/* What the lock-free structures share: accesses that are plain instructions on x86, and two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_release)
#define SWAP(x, old, new) atomic_compare_exchange_strong(&(x), &(old), new)

static void in_parallel(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, first, (void *)0);
	pthread_create(&threads[1], 0, second, (void *)1);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
}
