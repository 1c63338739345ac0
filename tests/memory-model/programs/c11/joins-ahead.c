// expect: verified
// broken: error kind=assertion
// flags: --memory-model c11
// The main thread joins all others before it reads the counter, so who has counted when does not matter. The broken one
// reads it before the last join: it may miss what the last thread has counted, even where that has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };

static atomic_int counter;

static void *count(void *unused) {
	atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
	return unused;
}

int main(void) {
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, count, 0);
#ifdef BROKEN
	for (int i = 0; i < THREADS - 1; i++)
		pthread_join(threads[i], 0);
	int counted = atomic_load_explicit(&counter, memory_order_relaxed);
	pthread_join(threads[THREADS - 1], 0);
	assert(counted == THREADS);
#else
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	assert(atomic_load_explicit(&counter, memory_order_relaxed) == THREADS);
#endif
}
