// expect: error kind=hang
// flags: --memory-model tso
// sequential: error
/* Two delayed stores to one place: in one of the orders in which they can reach memory, a thread waits forever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *first(void *argument)
{
	atomic_store_explicit(&turn, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	return argument;
}

static void *second(void *argument)
{
	atomic_store_explicit(&turn, 2, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	while (atomic_load_explicit(&turn, memory_order_relaxed) != 2) {
	}
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, first, 0);
	pthread_create(&threads[1], 0, second, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
