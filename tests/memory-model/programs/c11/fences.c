// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// Fences synchronise by way of relaxed accesses. The broken one has no acquire fence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *producer(void *unused)
{
	message = 42;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, producer, 0);
	if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#ifndef BROKEN
		atomic_thread_fence(memory_order_acquire);
#endif
		assert(message == 42);
	}
	pthread_join(id, 0);
}
