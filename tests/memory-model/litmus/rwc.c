// litmus: Read-to-write causality: the last thread’s store may be delayed.
// x86: allowed r0=1 r1=0 r2=0
// sc: r0=0 r1=0 r2=0; r0=0 r1=0 r2=1; r0=0 r1=1 r2=0; r0=0 r1=1 r2=1; r0=1 r1=0 r2=1;
//     r0=1 r1=1 r2=0; r0=1 r1=1 r2=1
// tso: adds r0=1 r1=0 r2=0
// c11: adds r0=1 r1=0 r2=0
#include "litmus.h"

static atomic_int x, y;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread2(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
