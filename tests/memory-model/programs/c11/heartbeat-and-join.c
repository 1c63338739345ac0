// expect: error kind=assertion line=35
// flags: --memory-model c11 --max-history 4
// A thread that has joined another one may still read an old value, if that one has not seen the newest either.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, beat, x, y;

static void *work(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		atomic_store_explicit(&beat, 1, memory_order_relaxed);
	return unused;
}

static void *store(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t worker, storing;
	pthread_create(&worker, 0, work, 0);
	pthread_create(&storing, 0, store, 0);
	int seen = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	pthread_join(worker, 0);
	if (seen)
		// Both are over, but only one was joined.
		assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
	pthread_join(storing, 0);
}
