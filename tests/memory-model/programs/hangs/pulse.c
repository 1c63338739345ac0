// expect: error kind=hang
// flags: --memory-model tso
// sequential: error
/* The pulse can be over before the other thread looks, delayed or not. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pulse;

static void *receiver(void *argument)
{
	while (!atomic_load_explicit(&pulse, memory_order_relaxed)) {
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, receiver, 0);
	atomic_store_explicit(&pulse, 1, memory_order_relaxed);
	atomic_store_explicit(&pulse, 0, memory_order_relaxed);
	pthread_join(thread, 0);
}
