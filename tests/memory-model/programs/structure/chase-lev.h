/* The work-stealing deque of Chase and Lev, without growth: one thread pushes and takes, another one steals. */
#include "structure.h"

#define ITEMS 2

static atomic_int top, bottom, items[ITEMS];
static atomic_int given[ITEMS];

static void push(int item)
{
	int b = LOAD(bottom);
	STORE(items[b % ITEMS], item);
	STORE(bottom, b + 1);
}

static int take(void)
{
	int b = LOAD(bottom) - 1;
	STORE(bottom, b);
#ifdef FENCES
	atomic_thread_fence(memory_order_seq_cst);
#endif
	int t = LOAD(top);
	if (t > b) {
		STORE(bottom, b + 1);
		return -1;
	}
	int item = LOAD(items[b % ITEMS]);
	if (t == b) {
		if (!SWAP(top, t, t + 1))
			item = -1;
		STORE(bottom, b + 1);
	}
	return item;
}

static int steal(void)
{
	int t = LOAD(top);
	if (t >= LOAD(bottom))
		return -1;
	int item = LOAD(items[t % ITEMS]);
	return SWAP(top, t, t + 1) ? item : -1;
}

static void give(int item)
{
	if (item >= 0)
		assert(atomic_fetch_add(&given[item], 1) == 0);
}

static void *owner(void *argument)
{
	for (int item = 0; item < ITEMS; item++)
		push(item);
	for (int n = 0; n < ITEMS; n++)
		give(take());
	return argument;
}

static void *thief(void *argument)
{
	for (int n = 0; n < ITEMS; n++)
		give(steal());
	return argument;
}

int main(void)
{
	in_parallel(owner, thief);
}
