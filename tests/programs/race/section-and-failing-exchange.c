// expect: verified
// broken: error kind=data-race
// A plain read in an atomic section does not race with a compare-exchange outside that fails. In the broken one it writes.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

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
	__VERIFIER_atomic_begin();
	int read = *(int *)&shared;
	__VERIFIER_atomic_end();
	pthread_join(thread, 0);
	return read == 3;
}
