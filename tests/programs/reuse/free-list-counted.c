// expect: verified
// With a count of changes beside the index, the exchange fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, NONE = 3 };

enum { COUNT = 4 }; // a head is an index and so many times the number of changes

static atomic_uint head;
static atomic_uint next[NODES] = {1, 2, NONE};
static atomic_int users[NODES];

static unsigned take(void)
{
	unsigned top = head;
	while (top % COUNT != NONE
	       && !atomic_compare_exchange_strong(&head, &top, top / COUNT * COUNT + COUNT + next[top % COUNT]))
		;
	return top % COUNT;
}

static void give(unsigned node)
{
	unsigned top = head;
	do
		next[node] = top % COUNT;
	while (!atomic_compare_exchange_strong(&head, &top, top / COUNT * COUNT + COUNT + node));
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
