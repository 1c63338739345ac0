// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "structure.h"

struct node {
	_Atomic(struct node *) next;
	int value;
};

static struct node nodes[3];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *node)
{
	for (;;) {
		struct node *last = LOAD(tail), *next = LOAD(last->next);
		if (next) {
			SWAP(tail, last, next);
			continue;
		}
		if (SWAP(last->next, next, node)) {
			SWAP(tail, last, node);
			return;
		}
	}
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = LOAD(head), *last = LOAD(tail), *next = LOAD(first->next);
		if (first != LOAD(head))
			continue;
		if (!next)
			return 0;
		if (first == last) {
			SWAP(tail, last, next);
			continue;
		}
		int value = next->value;
		if (SWAP(head, first, next))
			return value;
	}
}

static void *producer(void *argument)
{
	for (int n = 1; n < 3; n++) {
		nodes[n].value = n;
		enqueue(&nodes[n]);
	}
	return argument;
}

static void *consumer(void *argument)
{
	int last = 0;
	for (int n = 0; n < 2; n++) {
		int value = dequeue();
		assert(value == 0 || value == last + 1);
		last = value ? value : last;
	}
	return argument;
}

int main(void)
{
	in_parallel(producer, consumer);
}
