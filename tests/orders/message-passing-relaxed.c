// expect: assertion
// Message passing through a relaxed flag: both sides must be stronger.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;

static void *producer(void *argument)
{
	atomic_store_explicit(&data, 42, memory_order_relaxed);  // enough: relaxed
	atomic_store_explicit(&ready, 1, memory_order_relaxed); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, producer, 0);
	while (atomic_load_explicit(&ready, memory_order_relaxed) == 0) // enough: acquire
		;
	assert(atomic_load_explicit(&data, memory_order_relaxed) == 42); // enough: relaxed
	pthread_join(thread, 0);
}
