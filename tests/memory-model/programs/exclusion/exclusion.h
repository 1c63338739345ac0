/* What the algorithms for mutual exclusion share: relaxed accesses, fences where FENCES is defined,
 * and N threads that enter their critical sections ROUNDS times. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_release)
#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static void lock(int i);
static void unlock(int i);

static int inside;

static void *worker(void *argument)
{
	int i = (int)(long)argument;
	for (int round = 0; round < ROUNDS; round++) {
		lock(i);
		inside = i;
		assert(inside == i);
		unlock(i);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[N];
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], 0);
}
