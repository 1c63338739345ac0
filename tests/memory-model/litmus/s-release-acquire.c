// litmus: S: release and acquire put the stores in order.
// x86: forbidden x=2 r0=1
// sc: x=1 r0=0; x=1 r0=1; x=2 r0=0
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int y;
IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_release);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&y, memory_order_acquire);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
