// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// A thread announces another node after it has read one. Who then frees the first must acquire what was done with it, so that
// an announcement has to release what came before.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define ANNOUNCE memory_order_relaxed
#else
#define ANNOUNCE memory_order_release
#endif

static _Atomic(int *) current, announced;

static void *read_twice(void *unused)
{
	for (int n = 0; n < 2; n++) {
		int *node;
		do {
			node = atomic_load_explicit(&current, memory_order_acquire);
			atomic_store_explicit(&announced, node, ANNOUNCE);
			atomic_thread_fence(memory_order_seq_cst);
		} while (atomic_load_explicit(&current, memory_order_acquire) != node);
		if (*node == 0)
			abort();
	}
	atomic_store_explicit(&announced, 0, memory_order_release);
	return unused;
}

static int *node_of(int value)
{
	int *node = malloc(sizeof *node);
	*node = value;
	return node;
}

int main(void)
{
	atomic_store_explicit(&current, node_of(1), memory_order_relaxed);
	pthread_t reader;
	pthread_create(&reader, 0, read_twice, 0);
	int *old = atomic_exchange_explicit(&current, node_of(2), memory_order_acq_rel);
	atomic_thread_fence(memory_order_seq_cst);
	while (atomic_load_explicit(&announced, memory_order_acquire) == old)
		;
	free(old);
	pthread_join(reader, 0);
	free(atomic_load_explicit(&current, memory_order_relaxed));
}
