/* A queue between one producer and one consumer, as a ring. */
#include "structure.h"

#define CAPACITY 3
#define VALUES 4

static int ring[CAPACITY];
static atomic_int head, tail;

static void *producer(void *argument)
{
	for (int value = 0; value < VALUES; value++) {
		int t = LOAD(tail), next = (t + 1) % CAPACITY;
		while (next == LOAD(head))
			;
		ring[t] = value;
		STORE(tail, next);
	}
	return argument;
}

static void *consumer(void *argument)
{
	for (int value = 0; value < VALUES; value++) {
		int h = LOAD(head);
		while (h == LOAD(tail))
			;
		assert(ring[h] == value);
		STORE(head, (h + 1) % CAPACITY);
	}
	return argument;
}

int main(void)
{
	in_parallel(producer, consumer);
}
