// expect: verified
// broken: error kind=data-race
// most-states: 200
// Nothing reads what counts failures, so states that differ in it are one, and the search ends.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif

static atomic_int taken;
static int shared;

static void lock(void)
{
	unsigned long rounds = 0;
	for (int failures = 0;; failures += 1 + (int)rounds) {
		while (atomic_load_explicit(&taken, memory_order_relaxed))
			rounds = rounds * 3 + 1;
		int expected = 0;
		if (atomic_compare_exchange_weak_explicit(&taken, &expected, 1, ORDER, memory_order_relaxed))
			return;
	}
}

static void *work(void *unused)
{
	(void)unused;
	lock();
	shared++;
	atomic_store_explicit(&taken, 0, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	work(0);
	pthread_join(thread, 0);
	return shared != 2;
}
