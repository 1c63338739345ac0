// expect: error kind=data-race
// broken: verified
// A compare-exchange fails wherever it is next to the plain read, and succeeds if it comes before what the reader waits for. Nothing
// orders the two then. In the twin it always fails.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define EXPECTED 3
#else
#define EXPECTED 0
#endif

static atomic_int shared, ready;

static void *exchange(void *unused)
{
	int expected = EXPECTED;
	atomic_compare_exchange_strong(&shared, &expected, 2);
	return unused;
}

static void *give(void *unused)
{
	atomic_store(&shared, 1);
	atomic_store(&ready, 1);
	return unused;
}

int main(void)
{
	pthread_t exchanging, giving;
	pthread_create(&exchanging, 0, exchange, 0);
	pthread_create(&giving, 0, give, 0);
	int read = atomic_load(&ready) ? *(int *)&shared : 0;
	pthread_join(exchanging, 0);
	pthread_join(giving, 0);
	return read == 3;
}
