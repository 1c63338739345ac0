// expect: verified
// broken: error kind=data-race|assertion
// flags: --memory-model c11
// The work-stealing deque of Chase and Lev with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013). What a thief
// steals was written by the owner before. The broken owner publishes an item by a relaxed store, without the fence before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ITEMS = 2, EMPTY = -1, LOST = -2 };

static atomic_int top, bottom;
static _Atomic(int *) slots[ITEMS];
static int items[ITEMS];
static atomic_int given[ITEMS];

static void push(int *item)
{
	int b = atomic_load_explicit(&bottom, memory_order_relaxed);
	atomic_store_explicit(&slots[b % ITEMS], item, memory_order_relaxed);
#ifndef BROKEN
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int *take(void)
{
	int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
	atomic_store_explicit(&bottom, b, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	int t = atomic_load_explicit(&top, memory_order_relaxed);
	int *item = 0;
	if (t <= b) {
		item = atomic_load_explicit(&slots[b % ITEMS], memory_order_relaxed);
		if (t < b)
			return item;
		if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
			item = 0;
	}
	atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
	return item;
}

static int *steal(void)
{
	int t = atomic_load_explicit(&top, memory_order_acquire);
	atomic_thread_fence(memory_order_seq_cst);
	int b = atomic_load_explicit(&bottom, memory_order_acquire);
	if (t >= b)
		return 0;
	int *item = atomic_load_explicit(&slots[t % ITEMS], memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
		return 0;
	return item;
}

static void use(int *item)
{
	if (item) {
		int number = *item - 1;
		assert(number >= 0);
		assert(atomic_fetch_add_explicit(&given[number], 1, memory_order_relaxed) == 0);
	}
}

static void *thief(void *argument)
{
	use(steal());
	use(steal());
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, thief, 0);
	for (int n = 0; n < ITEMS; n++) {
		items[n] = n + 1;
		push(&items[n]);
	}
	use(take());
	use(take());
	pthread_join(thread, 0);
}
