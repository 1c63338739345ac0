// expect: assertion
// unfixable: assertion
// No memory order makes a wrong program right.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *argument)
{
	atomic_store_explicit(&counter, atomic_load(&counter) + 1, memory_order_relaxed);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, count, 0);
	count(0);
	pthread_join(thread, 0);
	assert(counter == 2);
}
