// expect: verified
// broken: error kind=assertion
// flags: --memory-model c11
// most-states: 100
// persistent-sets: needed
// Each push may fail spuriously, and then stores the link again. Whoever finds a node has seen all
// these stores, unless the push does not release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

struct node {
	struct node *_Atomic next;
	atomic_int value;
};

static struct node *_Atomic top;

static void *push(void *node)
{
	struct node *new = node, *old = atomic_load_explicit(&top, memory_order_acquire);
	atomic_store_explicit(&new->value, 1, memory_order_relaxed);
	do
		atomic_store_explicit(&new->next, old, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&top, &old, new, PUSH, memory_order_acquire));
	return 0;
}

static void *look(void *unused)
{
	struct node *node = atomic_load_explicit(&top, memory_order_acquire);
	if (node)
		assert(atomic_load_explicit(&node->value, memory_order_relaxed) == 1);
	return unused;
}

static struct node *make(void)
{
	struct node *node = malloc(sizeof *node);
	atomic_init(&node->next, 0);
	atomic_init(&node->value, 0);
	return node;
}

int main(void)
{
	pthread_t id[2];
	pthread_create(&id[0], 0, push, make());
	pthread_create(&id[1], 0, look, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
	free(top);
}
