// expect: error kind=assertion line=29
// broken: error kind=assertion line=27
// Two paths meet in states that have equal values, but differ in their path conditions: each of the
// two assertions fails behind one of them only, whichever comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int steps, input;

static void *decide(void *argument)
{
	int value = __VERIFIER_nondet_int();
	input = value;
	if (value > 5)
		steps = 5;
	else
		steps = 6;
	value = 0;
	steps = 7;
	steps = 8;
	int read = input;
	/* The path that has gone this way has decided already. */
#ifdef BROKEN
	assert(read <= 5);
#else
	assert(read > 5);
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, decide, 0);
	pthread_join(thread, 0);
	return 0;
}
