// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// most-states: 5000
// A thread that waits for a lock reads relaxed, and exchanges only when the lock is free. Of several stores of the same value,
// it need not read those for which an older one stands.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

enum { THREADS = 3, ROUNDS = 2 };

static atomic_bool locked;
static int counter;

static void *work(void *unused)
{
	for (int n = 0; n < ROUNDS; n++) {
		do
			while (atomic_load_explicit(&locked, memory_order_relaxed))
				;
		while (atomic_exchange_explicit(&locked, 1, ACQUIRE));
		counter++;
		atomic_store_explicit(&locked, 0, memory_order_release);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int n = 0; n < THREADS; n++)
		pthread_create(&threads[n], 0, work, 0);
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], 0);
	assert(counter == THREADS * ROUNDS);
}
