// expect: verified
// broken: error kind=assertion line=43
// most-states: 1000
// The path conditions of states say just what was decided. Bounds get stronger, a forgotten input
// leaves some, and a switch has cases.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static atomic_int steps;

static void *decide(void *argument)
{
	int bound = __VERIFIER_nondet_int();
	__VERIFIER_assume(bound < 10);
	steps = 1;
	__VERIFIER_assume(bound < 5);
	steps = 2;
	assert(bound < 5);

	int less = __VERIFIER_nondet_int(), more = __VERIFIER_nondet_int();
	__VERIFIER_assume(less < more);
	more = 0;
	steps = 3;
	assert(less != 2147483647);

	int value = __VERIFIER_nondet_int(), was_one = 0;
	switch (value) {
	case 1: was_one = 1; break;
	case 7: break;
	}
	steps = 4;
	assert(was_one == (value == 1));

	if (value > 5)
		steps = 5;
	steps = 6;
	steps = 7;
#ifdef BROKEN
	assert(value != 8);
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, decide, 0);
	int sum = steps + steps;
	pthread_join(thread, 0);
	return sum > 14;
}
