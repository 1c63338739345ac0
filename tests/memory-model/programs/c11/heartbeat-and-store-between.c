// expect: error kind=assertion line=40
// flags: --memory-model c11 --max-history 4
// While one thread stores without end, another one stores the same value twice; what a third one stores later may still come
// between the two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, beat, x, y;

static void *work(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		atomic_store_explicit(&beat, 1, memory_order_relaxed);
	return unused;
}

static void *twice(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return unused;
}

static void *between(void *unused)
{
	if (atomic_load_explicit(&y, memory_order_relaxed))
		atomic_store_explicit(&x, 2, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t worker, one, two;
	pthread_create(&worker, 0, work, 0);
	pthread_create(&one, 0, twice, 0);
	pthread_create(&two, 0, between, 0);
	int a = atomic_load_explicit(&x, memory_order_relaxed), b = atomic_load_explicit(&x, memory_order_relaxed);
	assert(a != 1 || b != 2 || atomic_load_explicit(&x, memory_order_relaxed) != 1);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	pthread_join(worker, 0);
	pthread_join(one, 0);
	pthread_join(two, 0);
}
