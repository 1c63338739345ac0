// litmus: A reader may see a chain of exchanges late, but in order.
// x86: forbidden r0=2 r1=1 r2=1
// sc: r0=0 r1=0 r2=0; r0=0 r1=0 r2=1; r0=0 r1=1 r2=0; r0=0 r1=1 r2=1; r0=0 r1=2 r2=0;
//     r0=0 r1=2 r2=1; r0=1 r1=1 r2=0; r0=1 r1=1 r2=1; r0=1 r1=2 r2=1; r0=2 r1=1 r2=0;
//     r0=2 r1=2 r2=0; r0=2 r1=2 r2=1
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	r2 = atomic_exchange_explicit(&x, 2, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_exchange_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread2(void *argument)
{
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
