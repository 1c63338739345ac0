// expect: error kind=data-race
// flags: --memory-model c11
// The newer of two stores of the same value hands over less: a race only if it is read.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *publish(void *unused)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *store(void *unused)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
		atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *read(void *unused)
{
	if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
		(void)*(volatile int *)&data;
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], 0, publish, 0);
	pthread_create(&threads[1], 0, store, 0);
	pthread_create(&threads[2], 0, read, 0);
	for (int n = 0; n < 3; n++)
		pthread_join(threads[n], 0);
}
