// expect: verified
// broken: error kind=assertion
// `cmpxchg16b` replaces a pointer and a count at once: the count says that a node came back. With
// -DBROKEN it is not counted up.
#include <assert.h>
#include <pthread.h>
struct node { struct node *next; };
static struct top { struct node *node; unsigned long count; } __attribute__((aligned(16))) top;
static struct node a, b = {&a};
static int replace(struct top *old, struct node *node, unsigned long count)
{
	unsigned char equal;
	__asm__ volatile("lock; cmpxchg16b %1; setz %0"
	                 : "=q"(equal), "+m"(top), "+a"(old->node), "+d"(old->count)
	                 : "b"(node), "c"(count)
	                 : "memory", "cc");
	return equal;
}
#ifdef BROKEN
#define NEXT(count) (count)
#else
#define NEXT(count) ((count) + 1)
#endif
static struct node *pop(void)
{
	struct top old = {0, 0};
	while (!replace(&old, old.node ? __atomic_load_n(&old.node->next, __ATOMIC_RELAXED) : 0, NEXT(old.count)))
		;
	return old.node;
}
static void push(struct node *node)
{
	struct top old = {0, 0};
	do
		__atomic_store_n(&node->next, old.node, __ATOMIC_RELAXED);
	while (!replace(&old, node, NEXT(old.count)));
}
static void *work(void *p)
{
	struct node *first = pop(), *second = pop();
	if (first)
		push(first);
	return second;
}
int main(void)
{
	top.node = &b;
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	struct node *one = pop(), *two = pop();
	void *held;
	pthread_join(t, &held);
	assert(!held || (one != held && two != held));
}
