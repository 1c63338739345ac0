// expect: error kind=data-race|assertion
// flags: --memory-model tso
// sequential: verified
/* The new pointer is delayed past the look for readers. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int versions[2] = {1, 1};
static int *_Atomic current = &versions[0];
static atomic_int reading;

static void *reader(void *argument)
{
	atomic_store_explicit(&reading, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	int *version = atomic_load_explicit(&current, memory_order_acquire);
	assert(*version == 1);
	atomic_store_explicit(&reading, 0, memory_order_release);
	return argument;
}

static void *updater(void *argument)
{
	atomic_store_explicit(&current, &versions[1], memory_order_relaxed);
	while (atomic_load_explicit(&reading, memory_order_acquire)) {
	}
	versions[0] = 0;
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, reader, 0);
	pthread_create(&threads[1], 0, updater, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
