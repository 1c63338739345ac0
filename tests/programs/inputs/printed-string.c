// expect: error kind=invalid-pointer line=20
// broken: verified
// A number that is taken for a string is no string. With -DBROKEN it is printed as a number.
#include <pthread.h>
#include <stdio.h>

long __VERIFIER_nondet_long(void);

static void *idle(void *argument) { return argument; }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, idle, 0);
	long number = __VERIFIER_nondet_long();
	if (number > 4096 && number < 4100) {
#ifdef BROKEN
		fprintf(stderr, "%-5ld%% %#llx %.3i|%c\n", number, (long long)number, (int)number, (int)number);
#else
		printf("%d %s", 5, (char *)number);
#endif
	}
	pthread_join(thread, 0);
}
