// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "structure.h"

struct node {
	struct node *below;
	int value;
};

static _Atomic(struct node *) top;
static atomic_int popped[2];

static void push(struct node *node)
{
	struct node *old = LOAD(top);
	do
		node->below = old;
	while (!SWAP(top, old, node));
}

static struct node *pop(void)
{
	struct node *old = LOAD(top);
	while (old && !SWAP(top, old, old->below))
		;
	return old;
}

static void *worker(void *argument)
{
	struct node *node = malloc(sizeof *node);
	node->value = (int)(long)argument;
	push(node);
	struct node *mine = pop();
	assert(mine);
	assert(atomic_fetch_add(&popped[mine->value], 1) == 0);
	return mine;
}

int main(void)
{
	pthread_t threads[2];
	void *nodes[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], &nodes[i]);
	assert(!top && popped[0] == 1 && popped[1] == 1);
	free(nodes[0]);
	free(nodes[1]);
}
