// litmus: A load, then a store: the store stays behind what was loaded.
// x86: forbidden r0=2 x=2
// sc: x=1 r0=0; x=1 r0=2; x=2 r0=0
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
