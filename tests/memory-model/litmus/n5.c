// litmus: Both stores cannot each come before the other.
// x86: forbidden r0=2 r1=1
// sc: x=1 r0=1 r1=1; x=1 r0=1 r1=2; x=2 r0=1 r1=2; x=2 r0=2 r1=2
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
