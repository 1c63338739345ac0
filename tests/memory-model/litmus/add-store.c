// litmus: A store is not between the halves of an addition.
// x86: forbidden r0=0 x=1
// sc: x=5 r0=0; x=6 r0=5
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&x, 5, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
