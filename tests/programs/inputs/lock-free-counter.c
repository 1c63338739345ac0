// expect: verified
// broken: error kind=assertion line=40
// A counter is increased by any two numbers. With -DBROKEN: The exchange does not compare.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

static atomic_uint counter;
static unsigned numbers[2];

static void *increase(void *argument)
{
	unsigned number = *(unsigned *)argument;
	unsigned old = atomic_load(&counter);
#ifdef BROKEN
	atomic_exchange(&counter, old + number);
#else
	while (!atomic_compare_exchange_strong(&counter, &old, old + number))
		;
#endif
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) {
		numbers[i] = __VERIFIER_nondet_uint();
		pthread_create(&threads[i], 0, increase, &numbers[i]);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	unsigned sum = numbers[0] + numbers[1];
	unsigned added = atomic_fetch_add(&counter, 1);
	(void)added;
	(void)sum;

	assert(added == sum);
	return 0;
}
