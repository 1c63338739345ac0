// expect: verified
// broken: error kind=hang line=31
// broken-trace: the input is 4
// A thread waits until a number is reached, whatever it is. With -DBROKEN: Numbers above three are never reached.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int progress;
static int goal;

static void *wait(void *argument)
{
	while (progress < goal)
		;
	return argument;
}

int main(void)
{
	pthread_t thread;
	goal = __VERIFIER_nondet_int();
#ifndef BROKEN
	if (goal > 3)
		goal = 3;
#endif
	pthread_create(&thread, 0, wait, 0);
	for (int i = 0; i < 3; i++)
		progress++;
	pthread_join(thread, 0);
	return 0;
}
