// expect: verified
// broken: error kind=hang
// Inputs that are read again and again decide when a thread ends: one that is read once decides it at the start, and the
// loop ends whatever it is. With -DBROKEN: The inputs may keep the loop running.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int ready;

static void *wait(void *argument)
{
	int goal = __VERIFIER_nondet_int();
	while (!ready) {
#ifdef BROKEN
		goal = __VERIFIER_nondet_int();
#endif
	}
#ifdef BROKEN
	while (goal)
		goal = __VERIFIER_nondet_int();
#else
	while (goal)
		goal = 0;
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, wait, 0);
	ready = 1;
	pthread_join(thread, 0);
	return 0;
}
