// expect: verified
// broken: error kind=use-after-free|data-race
// flags: --memory-model c11
// A reader announces the node that it is about to use and looks again whether it is still there; the writer frees a node only
// when nobody announces it. Both need a sequentially consistent fence in between. The broken reader has none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
};

static _Atomic(struct node *) head, hazard;

static void *reader(void *argument)
{
	struct node *node = atomic_load_explicit(&head, memory_order_relaxed);
	for (;;) {
		atomic_store_explicit(&hazard, node, memory_order_relaxed);
#ifndef BROKEN
		atomic_thread_fence(memory_order_seq_cst);
#endif
		struct node *again = atomic_load_explicit(&head, memory_order_acquire);
		if (again == node)
			break;
		node = again;
	}
	assert(node->value == 1 || node->value == 2);
	atomic_store_explicit(&hazard, 0, memory_order_release);
	return argument;
}

static struct node *made(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	return node;
}

int main(void)
{
	struct node *first = made(1), *second = made(2);
	atomic_store_explicit(&head, first, memory_order_relaxed);
	pthread_t thread;
	pthread_create(&thread, 0, reader, 0);
	atomic_store_explicit(&head, second, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
	while (atomic_load_explicit(&hazard, memory_order_acquire) == first)
		;
	free(first);
	pthread_join(thread, 0);
	free(second);
}
