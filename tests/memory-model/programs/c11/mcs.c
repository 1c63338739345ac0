// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// The queue lock of Mellor-Crummey and Scott. In the broken one the lock is handed over by a relaxed store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define HAND memory_order_relaxed
#else
#define HAND memory_order_release
#endif

struct node {
	_Atomic(struct node *) next;
	atomic_int waits;
};

static _Atomic(struct node *) last;
static int counter;

static void *increment(void *argument)
{
	struct node me = {0};
	atomic_store_explicit(&me.waits, 1, memory_order_relaxed);
	struct node *before = atomic_exchange_explicit(&last, &me, memory_order_acq_rel);
	if (before) {
		atomic_store_explicit(&before->next, &me, memory_order_release);
		while (atomic_load_explicit(&me.waits, memory_order_acquire))
			;
	}
	counter++;
	struct node *next = atomic_load_explicit(&me.next, memory_order_acquire);
	if (!next) {
		struct node *mine = &me;
		if (atomic_compare_exchange_strong_explicit(&last, &mine, 0, memory_order_release, memory_order_relaxed))
			return argument;
		while (!(next = atomic_load_explicit(&me.next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&next->waits, 0, HAND);
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	for (int n = 0; n < 3; n++)
		pthread_create(&threads[n], 0, increment, 0);
	for (int n = 0; n < 3; n++)
		pthread_join(threads[n], 0);
	assert(counter == 3);
}
