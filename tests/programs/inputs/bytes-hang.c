// expect: error kind=hang
// broken: verified
// A thread waits for a checksum of six bytes that some of their values do not have.
#include <pthread.h>
#include <stdatomic.h>

char __VERIFIER_nondet_char(void);
static atomic_int checksum = -1;

static void *wait(void *argument)
{
	while (checksum != 0)
		;
	return argument;
}

int main(void)
{
	pthread_t thread;
	unsigned char bytes[6], folded = 0;
	pthread_create(&thread, 0, wait, 0);
	for (int i = 0; i < 6; i++) {
		bytes[i] = __VERIFIER_nondet_char();
		folded ^= bytes[i];
	}
#ifdef BROKEN
	checksum = 0;
#else
	checksum = folded;
#endif
	pthread_join(thread, 0);
	return 0;
}
