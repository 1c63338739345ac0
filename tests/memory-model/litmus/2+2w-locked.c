// litmus: 2+2W with locked instructions.
// x86: forbidden x=1 y=1
// sc: x=1 y=2; x=2 y=1; x=2 y=2
// tso: the same
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(atomic_int, y);

static void *thread0(void *argument)
{
	atomic_exchange_explicit(&x, 1, memory_order_relaxed);
	atomic_exchange_explicit(&y, 2, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_exchange_explicit(&y, 1, memory_order_relaxed);
	atomic_exchange_explicit(&x, 2, memory_order_relaxed);
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
