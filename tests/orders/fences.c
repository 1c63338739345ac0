// expect: verified
// Message passing by sequentially consistent fences: one need only release, the other acquire.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *argument)
{
	data = 42;
	atomic_thread_fence(memory_order_seq_cst); // enough: release
	atomic_store_explicit(&ready, 1, memory_order_relaxed); // enough: relaxed
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, producer, 0);
	while (atomic_load_explicit(&ready, memory_order_relaxed) == 0) // enough: relaxed
		;
	atomic_thread_fence(memory_order_seq_cst); // enough: acquire
	assert(data == 42);
	pthread_join(thread, 0);
}
