// expect: inconclusive reason="accesses to an atomic of which some are sequentially consistent and this one is not, in C11"
// flags: --memory-model c11
// Store buffering with sequentially consistent stores and relaxed loads: both may read 0.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *other(void *unused)
{
	atomic_store(&y, 1);
	atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, other, 0);
	atomic_store(&x, 1);
	atomic_load_explicit(&y, memory_order_relaxed);
	pthread_join(id, 0);
}
