// expect: verified
// broken: error kind=assertion line=29
// flags: --memory-model c11
// most-states: 60
// persistent-sets: needed
// A thread stores without end what nobody reads before it has ended. The broken one expects that the last store is not seen
// then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, beat;

static void *work(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		atomic_store_explicit(&beat, 1, memory_order_relaxed);
	atomic_store_explicit(&beat, 2, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, 0, work, 0);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	pthread_join(worker, 0);
#ifdef BROKEN
	assert(atomic_load_explicit(&beat, memory_order_relaxed) != 2);
#else
	assert(atomic_load_explicit(&beat, memory_order_relaxed) == 2);
#endif
}
