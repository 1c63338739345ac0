// expect: verified
// flags: --memory-model tso
// sequential: verified
/* The queue lock of Craig, Landin and Hagersten: each waits on the node of the one before. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int nodes[4];
static atomic_int *_Atomic tail = &nodes[3];
static int counter;

static void *work(void *argument)
{
	atomic_int *own = argument;
	atomic_store_explicit(own, 1, memory_order_relaxed);
	atomic_int *before = atomic_exchange_explicit(&tail, own, memory_order_acq_rel);
	while (atomic_load_explicit(before, memory_order_acquire)) {
	}
	counter++;
	atomic_store_explicit(own, 0, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	for (int n = 0; n < 3; n++)
		pthread_create(&threads[n], 0, work, &nodes[n]);
	for (int n = 0; n < 3; n++)
		pthread_join(threads[n], 0);
	assert(counter == 3);
}
