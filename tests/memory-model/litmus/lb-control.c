// litmus: LB: each thread stores if it has loaded something.
// x86: forbidden r0=1 r1=1
// sc: r0=0 r1=0
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x, y;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	if (r0)
		atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	if (r1)
		atomic_store_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
