// expect: verified
// broken: error kind=assertion line=52
// With a count of changes beside the index, the exchange fails. With -DBROKEN: The ABA problem of a
// free list of indices: the head is the same index again, and its successor is in use.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, NONE = 3 };
#ifndef BROKEN

enum { COUNT = 4 }; // a head is an index and so many times the number of changes
#endif

static atomic_uint head;
static atomic_uint next[NODES] = {1, 2, NONE};
static atomic_int users[NODES];

static unsigned take(void)
{
	unsigned top = head;
#ifdef BROKEN
	while (top != NONE && !atomic_compare_exchange_strong(&head, &top, next[top]))
#else
	while (top % COUNT != NONE
	       && !atomic_compare_exchange_strong(&head, &top, top / COUNT * COUNT + COUNT + next[top % COUNT]))
#endif
		;
#ifdef BROKEN
	return top;
#else
	return top % COUNT;
#endif
}

static void give(unsigned node)
{
	unsigned top = head;
	do
#ifdef BROKEN
		next[node] = top;
	while (!atomic_compare_exchange_strong(&head, &top, node));
#else
		next[node] = top % COUNT;
	while (!atomic_compare_exchange_strong(&head, &top, top / COUNT * COUNT + COUNT + node));
#endif
}

static void uses(unsigned node)
{
	if (node != NONE)
		assert(users[node]++ == 0);
}

static void *takes_one(void *unused)
{
	uses(take());
	return unused;
}

static void *takes_two(void *unused)
{
	unsigned first = take();
	uses(take());
	if (first != NONE)
		give(first);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, takes_one, NULL);
	pthread_create(&b, NULL, takes_two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	uses(take());
	uses(take());
}
