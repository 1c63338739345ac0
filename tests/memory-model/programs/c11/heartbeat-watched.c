// expect: verified
// broken: error kind=assertion line=33
// flags: --memory-model c11 --max-history 20
// most-states: 400
// persistent-sets: needed
// One thread alone stores the same value without end, and another one reads it. Nothing distinguishes these stores: no other
// one can come between them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, beat;

static void *work(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		atomic_store_explicit(&beat, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, 0, work, 0);
	int first = atomic_load_explicit(&beat, memory_order_relaxed);
	int second = atomic_load_explicit(&beat, memory_order_relaxed);
	assert(first <= second);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	int third = atomic_load_explicit(&beat, memory_order_relaxed);
	assert(second <= third);
#ifdef BROKEN
	// An older value may still be read.
	assert(third == 1);
#endif
	pthread_join(worker, 0);
}
