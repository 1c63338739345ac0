// expect: verified
// broken: error kind=assertion line=29
// Loops over inputs that are forgotten close: there are few states. With -DBROKEN: The counter is not reset.
// flags: --hangs off
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int counter;

static void *run(void *argument)
{
	int bound = __VERIFIER_nondet_int();
	while (__VERIFIER_nondet_int() < bound) {
		counter++;
#ifndef BROKEN
		if (counter == 3)
			counter = 0;
#endif
	}
	return argument;
}

int main(void)
{
	run(0);
	pthread_t thread;
	assert(counter < 3);
	pthread_create(&thread, 0, run, 0);
	pthread_join(thread, 0);
	return 0;
}
