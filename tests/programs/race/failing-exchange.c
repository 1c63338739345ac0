// expect: verified
// broken: error kind=data-race message="atomically"
// A compare-exchange that fails only reads, so it does not race with a plain read. In the broken one it writes.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define EXPECTED 0
#else
#define EXPECTED 1
#endif

static atomic_int shared;

static void *exchange(void *unused)
{
	int expected = EXPECTED;
	atomic_compare_exchange_strong(&shared, &expected, 2);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, exchange, 0);
	int read = *(int *)&shared;
	pthread_join(thread, 0);
	return read == 3;
}
