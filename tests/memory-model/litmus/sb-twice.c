// litmus: Two stores are delayed in each thread.
// x86: allowed r0=0 r1=0
// sc: y=2 r0=1 r1=0; y=2 r0=1 r1=1; y=3 r0=0 r1=1; y=3 r0=1 r1=1
// tso: adds y=2 r0=0 r1=0; y=2 r0=0 r1=1; y=3 r0=0 r1=0; y=3 r0=1 r1=0
// c11: adds y=2 r0=0 r1=0; y=2 r0=0 r1=1; y=3 r0=0 r1=0; y=3 r0=1 r1=0
#include "litmus.h"

static atomic_int x, z;
IMPASSE_OUTCOME(atomic_int, y);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	r0 = atomic_load_explicit(&z, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&z, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 3, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
