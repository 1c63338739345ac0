// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// The queue of Michael and Scott, whose nodes are never freed. The broken one links a node by a relaxed exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;
static struct node nodes[2];

static void enqueue(struct node *node, int value)
{
	node->value = value;
	for (;;) {
		struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
		if (next) {
			atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
		} else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, LINK, memory_order_relaxed)) {
			atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
			return;
		}
	}
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = atomic_load_explicit(&head, memory_order_acquire);
		struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
		if (atomic_load_explicit(&head, memory_order_acquire) != first)
			continue;
		if (!next)
			return 0;
		if (first == last) {
			atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
			continue;
		}
		int value = next->value;
		if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
			return value;
	}
}

static atomic_int got[3];

static void *worker(void *argument)
{
	long me = (long)argument;
	enqueue(&nodes[me], me + 1);
	int value = dequeue();
	assert(value);
	assert(atomic_fetch_add_explicit(&got[value], 1, memory_order_relaxed) == 0);
	return 0;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, worker, (void *)1);
	worker(0);
	pthread_join(other, 0);
}
