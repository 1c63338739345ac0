// litmus: S with a reader that could see the order undone.
// x86: forbidden r0=1 r1=3 r2=1
// sc: x=1 r0=0 r1=0 r2=0; x=1 r0=0 r1=0 r2=1; x=1 r0=0 r1=0 r2=3; x=1 r0=0 r1=1 r2=1;
//     x=1 r0=0 r1=3 r2=1; x=1 r0=0 r1=3 r2=3; x=3 r0=0 r1=0 r2=0; x=3 r0=0 r1=0 r2=1;
//     x=3 r0=0 r1=0 r2=3; x=3 r0=0 r1=1 r2=1; x=3 r0=0 r1=1 r2=3; x=3 r0=0 r1=3 r2=3;
//     x=3 r0=1 r1=0 r2=0; x=3 r0=1 r1=0 r2=1; x=3 r0=1 r1=0 r2=3; x=3 r0=1 r1=1 r2=1;
//     x=3 r0=1 r1=1 r2=3; x=3 r0=1 r1=3 r2=3
// tso: the same
// c11: adds x=1 r0=1 r1=0 r2=0; x=1 r0=1 r1=0 r2=1; x=1 r0=1 r1=0 r2=3; x=1 r0=1 r1=1 r2=1;
//     x=1 r0=1 r1=3 r2=1; x=1 r0=1 r1=3 r2=3
#include "litmus.h"

static atomic_int z;
IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&z, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&z, memory_order_relaxed);
	atomic_store_explicit(&x, 3, memory_order_relaxed);
	return argument;
}

static void *thread2(void *argument)
{
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
