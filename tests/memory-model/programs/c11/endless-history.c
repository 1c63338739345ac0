// expect: inconclusive reason="more than 5 stores to pulse that some thread may still read (--max-history)"
// flags: --memory-model c11 --max-history 5
// One thread stores without end what the other one has not read yet.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pulse, stop;

static void *sender(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_acquire)) {
		atomic_store_explicit(&pulse, 1, memory_order_relaxed);
		atomic_store_explicit(&pulse, 0, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, sender, 0);
	while (!atomic_load_explicit(&pulse, memory_order_relaxed))
		;
	atomic_store_explicit(&stop, 1, memory_order_release);
	pthread_join(id, 0);
}
