// litmus: Of two exchanges, one is first.
// x86: forbidden r0=0 r1=0
// sc: x=1 r0=0 r1=1; x=1 r0=1 r1=0
// tso: the same
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	r0 = atomic_exchange(&x, 1);
	return argument;
}

static void *thread1(void *argument)
{
	r1 = atomic_exchange(&x, 1);
	return argument;
}

int main(void)
{
	void *(*const threads[])(void *) = {thread0, thread1};
	pthread_t ids[2];
	for (int n = 0; n < 2; n++)
		pthread_create(&ids[n], 0, threads[n], 0);
	for (int n = 0; n < 2; n++)
		pthread_join(ids[n], 0);
}
