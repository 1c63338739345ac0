// expect: verified
// broken: error kind=hang
// flags: --memory-model c11
// A ticket lock whose waiters, but for the next one, watch a word of an array (Dice and Kogan, "TWA - Ticket locks augmented with
// a waiting array", Euro-Par 2019). In the broken one, who has read the new word may still read the old grant, and then waits
// for another change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define WATCH memory_order_relaxed
#else
#define WATCH memory_order_acquire
#endif

static atomic_uint ticket, grant, watched[4];
static int counter;

static void lock(void)
{
	unsigned mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
	while (mine - atomic_load_explicit(&grant, memory_order_acquire) > 1) {
		unsigned seen = atomic_load_explicit(&watched[mine % 4], WATCH);
		if (mine - atomic_load_explicit(&grant, memory_order_acquire) <= 1)
			break;
		while (atomic_load_explicit(&watched[mine % 4], memory_order_relaxed) == seen)
			;
	}
	while (atomic_load_explicit(&grant, memory_order_acquire) != mine)
		;
}

static void unlock(void)
{
	unsigned next = atomic_load_explicit(&grant, memory_order_relaxed) + 1;
	atomic_store_explicit(&grant, next, memory_order_release);
	atomic_fetch_add_explicit(&watched[(next + 1) % 4], 1, memory_order_release);
}

static void *increment(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, increment, 0);
	increment(0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
	assert(counter == 3);
}
