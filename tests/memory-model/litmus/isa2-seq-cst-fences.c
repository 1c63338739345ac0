// litmus: ISA2 between fences: what is read behind a fence comes before the fence that follows.
// x86: forbidden r0=1 r1=1 r2=0
// sc: r0=0 r1=0 r2=0; r0=0 r1=0 r2=1; r0=0 r1=1 r2=0; r0=0 r1=1 r2=1; r0=1 r1=0 r2=0;
//     r0=1 r1=0 r2=1; r0=1 r1=1 r2=1
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x, y, z;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&z, 1, memory_order_release);
	return argument;
}

static void *thread2(void *argument)
{
	r1 = atomic_load_explicit(&z, memory_order_acquire);
	atomic_thread_fence(memory_order_seq_cst);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
