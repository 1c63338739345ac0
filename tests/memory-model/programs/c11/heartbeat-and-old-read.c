// expect: error kind=assertion line=28
// flags: --memory-model c11 --max-history 3
// While one thread stores without end, another one still reads an old value of another atomic.
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

static void *store(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return unused;
}

static void *read(void *unused)
{
	// The threads that this one joins have not seen what `store` stores.
	if (atomic_load_explicit(&y, memory_order_relaxed))
		assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
	return unused;
}

int main(void)
{
	pthread_t worker, storing, reading;
	pthread_create(&worker, 0, work, 0);
	pthread_create(&storing, 0, store, 0);
	pthread_create(&reading, 0, read, 0);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	pthread_join(worker, 0);
	pthread_join(storing, 0);
	pthread_join(reading, 0);
}
