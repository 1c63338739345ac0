// A message is published through a relaxed flag: the reader may see the flag and an old message.
// expect: error kind=assertion line=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int message, ready;

static void *publish(void *unused)
{
	atomic_store_explicit(&message, 42, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t publisher;
	pthread_create(&publisher, 0, publish, 0);
	while (atomic_load_explicit(&ready, memory_order_relaxed) == 0)
		;
	int read = atomic_load_explicit(&message, memory_order_relaxed);
	pthread_join(publisher, 0);
	assert(read == 42);
}
