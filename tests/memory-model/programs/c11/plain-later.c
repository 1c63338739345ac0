// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// most-states: 12
// A thread stores in an atomic, and hands it to another one, which reads it by a plain access. The search guesses that atomics
// have no plain accesses, meets this one, and begins again. In the broken one nothing orders the two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_int given, ready;

static void *give(void *unused)
{
	atomic_store_explicit(&given, 1, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, give, 0);
	while (!atomic_load_explicit(&ready, ACQUIRE))
		;
	assert(*(int *)&given == 1);
	pthread_join(thread, 0);
}
