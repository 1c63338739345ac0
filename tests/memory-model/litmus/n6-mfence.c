// litmus: n6 with a fence: nothing is forwarded.
// x86: forbidden r0=1 r1=0 x=1
// sc: x=1 r0=1 r1=2; x=2 r0=1 r1=0; x=2 r0=1 r1=2; x=2 r0=2 r1=2
// tso: the same
// c11: adds x=1 r0=1 r1=0; x=2 r0=2 r1=0
#include "litmus.h"

static atomic_int y;
IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	__asm__ volatile("mfence" ::: "memory");
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
