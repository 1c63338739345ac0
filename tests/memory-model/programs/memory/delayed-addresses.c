// expect: verified
// flags: --memory-model tso
// sequential: verified
/* What is reachable from a store buffer only is neither lost nor private. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static _Atomic(struct node *) list;
static atomic_int flag;

static void *producer(void *argument)
{
	for (int n = 1; n <= 2; n++) {
		struct node *node = malloc(sizeof *node);
		node->next = atomic_load_explicit(&list, memory_order_relaxed);
		node->value = n;
		atomic_store_explicit(&list, node, memory_order_release);
		node = 0;
		if (atomic_load_explicit(&flag, memory_order_relaxed) == 2)
			break;
	}
	return argument;
}

static void *consumer(void *argument)
{
	struct node *first = atomic_load_explicit(&list, memory_order_acquire);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	if (first)
		assert(first->next ? first->value == 2 && first->next->value == 1 : first->value == 1);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, producer, 0);
	pthread_create(&threads[1], 0, consumer, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
	while (list) {
		struct node *next = list->next;
		free(list);
		list = next;
	}
}
