// expect: verified
// A reader announces the node that it is about to use and looks again whether it is still there; the writer frees a node only
// when nobody announces it.
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
	struct node *node = atomic_load(&head); // enough: relaxed
	for (;;) {
		atomic_store(&hazard, node); // enough: seq_cst
		struct node *again = atomic_load(&head); // enough: seq_cst
		if (again == node)
			break;
		node = again;
	}
	assert(node->value == 1 || node->value == 2);
	atomic_store(&hazard, NULL); // enough: release
	return argument;
}

int main(void)
{
	struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
	first->value = 1;
	second->value = 2;
	atomic_init(&head, first);
	pthread_t thread;
	pthread_create(&thread, 0, reader, 0);
	atomic_store(&head, second); // enough: seq_cst
	while (atomic_load(&hazard) == first) // enough: seq_cst
		;
	free(first);
	pthread_join(thread, 0);
	free(second);
}
