// expect: error kind=assertion line=28
// broken: error kind=out-of-bounds line=21
// What is printed of an input can be read again: %n stores how much it is. A precision that is an input decides what is
// read.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static void *idle(void *argument) { return argument; }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, idle, 0);
	int number = __VERIFIER_nondet_int();
#ifdef BROKEN
	static const char two[2] = {'a', 'b'};
	if (number >= 0 && number < 9)
		printf("%.*s", number, two);
#else
	int length;
	if (number >= 0 && number < 1000)
		printf("%d%n", number, &length);
	else
		length = 1;
	assert(length == 1);
#endif
	pthread_join(thread, 0);
}
