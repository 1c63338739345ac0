// expect: verified
// broken: error kind=assertion
// flags: --memory-model c11
// The flag releases the message. The broken one stores it relaxed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_int message, ready;

static void *producer(void *unused)
{
	atomic_store_explicit(&message, 42, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, RELEASE);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, producer, 0);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	assert(atomic_load_explicit(&message, memory_order_relaxed) == 42);
	pthread_join(id, 0);
}
