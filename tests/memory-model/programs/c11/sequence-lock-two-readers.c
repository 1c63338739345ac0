// expect: verified
// flags: --memory-model c11
// broken: error kind=assertion
// most-states: 400
// persistent-sets: needed
// Two readers copy what a writer writes twice, and try again where the sequence number has changed.
// With -DBROKEN, the second copy may be read before the first one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int one, other;

static void put(int value)
{
	unsigned number = atomic_load_explicit(&sequence, memory_order_relaxed);
	atomic_store_explicit(&sequence, number + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&one, value, memory_order_relaxed);
	atomic_store_explicit(&other, value, memory_order_relaxed);
	atomic_store_explicit(&sequence, number + 2, memory_order_release);
}

static void *write(void *unused)
{
	(void)unused;
	for (int i = 1; i <= 2; i++)
		put(i);
	return 0;
}

static void *read(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		unsigned number = atomic_load_explicit(&sequence, memory_order_acquire);
		if (number & 1)
			continue;
		int a = atomic_load_explicit(&one, memory_order_relaxed);
		int b = atomic_load_explicit(&other, memory_order_relaxed);
#ifndef BROKEN
		atomic_thread_fence(memory_order_acquire);
#endif
		if (atomic_load_explicit(&sequence, memory_order_relaxed) == number) {
			assert(a == b);
			break;
		}
	}
	return 0;
}

int main(void)
{
	pthread_t writer, readers[2];
	pthread_create(&writer, 0, write, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&readers[i], 0, read, 0);
	pthread_join(writer, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i], 0);
	return 0;
}
