// litmus: R with a fence where it does not.
// x86: allowed r0=0 y=2
// sc: y=1 r0=0; y=1 r0=1; y=2 r0=1
// tso: adds y=2 r0=0
// c11: adds y=2 r0=0
#include "litmus.h"

static atomic_int x;
IMPASSE_OUTCOME(atomic_int, y);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	__asm__ volatile("mfence" ::: "memory");
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
