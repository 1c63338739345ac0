// litmus: 2+2W: two stores each, in opposite order.
// x86: forbidden x=1 y=1
// sc: x=1 y=2; x=2 y=1; x=2 y=2
// tso: the same
// c11: adds x=1 y=1
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(atomic_int, y);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
