// expect: verified
// broken: error kind=data-race
// most-states: 30
// Threads that print do not depend on each other. With -DBROKEN: Printing orders nothing, either.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 5 };

static int last;

static void *work(void *argument)
{
	printf("%ld\n", (long)argument);
#ifdef BROKEN
	last++;
#endif
	puts("done");
	fflush(stdout);
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long n = 0; n < THREADS; n++)
		pthread_create(&threads[n], 0, work, (void *)n);
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], 0);
	return last > THREADS;
}
