// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// most-states: 2000
// persistent-sets: needed
// A stack of indices with a version. The exchange of a push may fail spuriously, and the link is stored again each time. In the
// broken one, a push does not release.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef BROKEN
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

static _Atomic uint64_t head;
static _Atomic uint32_t links[3];
static int values[3];

static uint64_t changed(uint64_t old, uint32_t first)
{
	return ((old >> 32) + 1) << 32 | first;
}

static void push(uint32_t n)
{
	uint64_t old = atomic_load_explicit(&head, memory_order_relaxed);
	do
		atomic_store_explicit(&links[n], (uint32_t)old, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&head, &old, changed(old, n), PUSH, memory_order_relaxed));
}

static uint32_t pop(void)
{
	uint64_t old = atomic_load_explicit(&head, memory_order_acquire);
	uint64_t new;
	do {
		if (!(uint32_t)old)
			return 0;
		new = changed(old, atomic_load_explicit(&links[(uint32_t)old], memory_order_relaxed));
	} while (!atomic_compare_exchange_weak_explicit(&head, &old, new, memory_order_acquire, memory_order_acquire));
	return old;
}

static void *use(void *unused)
{
	uint32_t n = pop();
	if (n)
		values[n]++;
	return unused;
}

int main(void)
{
	push(1);
	push(2);
	pthread_t user;
	pthread_create(&user, 0, use, 0);
	uint32_t first = pop(), second = pop();
	if (first)
		values[first]++;
	if (second)
		values[second]++;
	if (first)
		push(first);
	uint32_t third = pop();
	if (third)
		values[third]++;
	pthread_join(user, 0);
}
