// A Michael-Scott queue: N threads that each enqueue once, and dequeue once. Nodes are not reused.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
	struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static void enqueue(struct node *node)
{
	for (;;) {
		struct node *last = atomic_load(&tail), *next = 0;
		if (atomic_compare_exchange_strong(&last->next, &next, node)) {
			atomic_compare_exchange_strong(&tail, &last, node);
			return;
		}
		atomic_compare_exchange_strong(&tail, &last, next);
	}
}

static void dequeue(void)
{
	for (;;) {
		struct node *first = atomic_load(&head), *last = atomic_load(&tail);
		struct node *next = atomic_load(&first->next);
		if (!next)
			return;
		if (first == last)
			atomic_compare_exchange_strong(&tail, &last, next);
		else if (atomic_compare_exchange_strong(&head, &first, next))
			return;
	}
}

static struct node nodes[N + 1];

static void *use(void *given)
{
	struct node *node = given;
	enqueue(node);
	dequeue();
	return 0;
}

int main(void)
{
	pthread_t id[N];
	atomic_store(&head, &nodes[N]);
	atomic_store(&tail, &nodes[N]);
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], 0, use, &nodes[i]);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
