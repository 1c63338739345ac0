// litmus: SB: sequentially consistent additions to two atomics are no fences.
// x86: forbidden r0=0 r1=0
// sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
// tso: the same
// c11: adds r0=0 r1=0
#include "litmus.h"

static atomic_int w, x, y, z;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&z, 1, memory_order_seq_cst);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&w, 1, memory_order_seq_cst);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
