// expect: verified
// The queue of Michael and Scott, with nodes that are never freed: one thread puts in what the other takes out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node dummy, nodes[2];
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void put(struct node *node, int value)
{
	node->value = value;
	for (;;) {
		struct node *last = atomic_load(&tail); // enough: relaxed
		struct node *next = atomic_load(&last->next); // enough: relaxed
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next); // enough: relaxed, relaxed
			continue;
		}
		if (atomic_compare_exchange_strong(&last->next, &next, node)) { // enough: release, relaxed
			atomic_compare_exchange_strong(&tail, &last, node); // enough: acq_rel, relaxed
			return;
		}
	}
}

static int take(void)
{
	for (;;) {
		struct node *first = atomic_load(&head); // enough: relaxed
		struct node *next = atomic_load(&first->next); // enough: acquire
		if (!next)
			return 0;
		if (atomic_compare_exchange_strong(&head, &first, next)) // enough: relaxed, relaxed
			return next->value;
	}
}

static void *other(void *argument)
{
	put(&nodes[1], 2);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	put(&nodes[0], 1);
	int first = take(), second = take();
	pthread_join(thread, 0);
	assert(first == 1 || first == 2);
	assert(second == 0 || second == 3 - first);
}
