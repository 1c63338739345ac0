// expect: verified
// broken: error kind=hang
// flags: --memory-model c11
// Each side stores, then loads what the other one stores: without sequentially consistent fences
// both may read old values, and the sleeper is never woken.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE() ((void)0)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int ready, sleeping;
static sem_t wakeup;

static void *sleeper(void *unused)
{
	atomic_store_explicit(&sleeping, 1, memory_order_relaxed);
	FENCE();
	if (!atomic_load_explicit(&ready, memory_order_relaxed))
		sem_wait(&wakeup);
	return unused;
}

int main(void)
{
	pthread_t id;
	sem_init(&wakeup, 0, 0);
	pthread_create(&id, 0, sleeper, 0);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	FENCE();
	if (atomic_load_explicit(&sleeping, memory_order_relaxed))
		sem_post(&wakeup);
	pthread_join(id, 0);
}
