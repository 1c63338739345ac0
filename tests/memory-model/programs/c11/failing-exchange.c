// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// A thread reads an atomic by a plain access when it holds 1. A compare-exchange of another thread may still read the 0 before. In the
// broken one it expects that, and so it writes.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define EXPECTED 0
#else
#define EXPECTED 2
#endif

static atomic_int shared, ready;

static void *exchange(void *unused)
{
	int expected = EXPECTED;
	atomic_compare_exchange_strong_explicit(&shared, &expected, 3, memory_order_relaxed, memory_order_relaxed);
	return unused;
}

static void *give(void *unused)
{
	atomic_store_explicit(&shared, 1, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t exchanging, giving;
	pthread_create(&exchanging, 0, exchange, 0);
	pthread_create(&giving, 0, give, 0);
	int read = atomic_load_explicit(&ready, memory_order_acquire) ? *(int *)&shared : 0;
	pthread_join(exchanging, 0);
	pthread_join(giving, 0);
	return read == 3;
}
