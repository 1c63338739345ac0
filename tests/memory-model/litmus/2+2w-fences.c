// litmus: 2+2W with sequentially consistent fences.
// x86: forbidden x=1 y=1
// sc: x=1 y=2; x=2 y=1; x=2 y=2
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(atomic_int, y);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
