// litmus: R with sequentially consistent fences.
// x86: forbidden y=2 r0=0
// sc: y=1 r0=0; y=1 r0=1; y=2 r0=1
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x;
IMPASSE_OUTCOME(atomic_int, y);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
