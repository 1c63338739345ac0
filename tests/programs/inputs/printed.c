// expect: verified
// broken: error kind=assertion line=16
// broken-trace: prints "the number is 7\n"
// Printing an input does not multiply the states. With -DBROKEN: A number is not allowed.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static void *print(void *argument)
{
	int number = __VERIFIER_nondet_int();
	printf("the number is %d\n", number);
#ifdef BROKEN
	assert(number != 7);
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, print, 0);
	print(0);
	pthread_join(thread, 0);
	return 0;
}
