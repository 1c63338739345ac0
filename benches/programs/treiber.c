// A Treiber stack: N threads that each push once, and pop once. Nodes are not reused.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
	struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node nodes[N];

static void push(struct node *node)
{
	struct node *next = atomic_load(&top);
	do
		atomic_store(&node->next, next);
	while (!atomic_compare_exchange_strong(&top, &next, node));
}

static void pop(void)
{
	struct node *first = atomic_load(&top);
	while (first && !atomic_compare_exchange_strong(&top, &first, atomic_load(&first->next)))
		;
}

static void *use(void *given)
{
	push(given);
	pop();
	return 0;
}

int main(void)
{
	pthread_t id[N];
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], 0, use, &nodes[i]);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
