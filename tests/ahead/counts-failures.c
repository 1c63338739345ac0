// expect: error kind=data-race line=25
// What counts failures makes states without end where a compare-exchange may fail spuriously, long
// before a search looks at what its order means. The race is in the weaker memory model.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared;

static void lock(void)
{
	unsigned sum = 0;
	for (unsigned failures = 0; sum != 77; sum += ++failures) {
		int expected = 0;
		if (atomic_compare_exchange_weak_explicit(&taken, &expected, 1, memory_order_relaxed,
							  memory_order_relaxed))
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
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(threads + i, 0, work, 0);
	work(0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
}
