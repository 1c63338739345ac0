// litmus: SB: a thread reads its own store before the other ones, all of it sequentially consistent.
// x86: forbidden r0=1 r1=0 r2=1 r3=0
// sc: r0=1 r1=0 r2=1 r3=1; r0=1 r1=1 r2=1 r3=0; r0=1 r1=1 r2=1 r3=1
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x, y;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);
IMPASSE_OUTCOME(int, r3);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	r0 = atomic_load_explicit(&x, memory_order_seq_cst);
	r1 = atomic_load_explicit(&y, memory_order_seq_cst);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_seq_cst);
	r2 = atomic_load_explicit(&y, memory_order_seq_cst);
	r3 = atomic_load_explicit(&x, memory_order_seq_cst);
	return argument;
}

THREADS(thread0, thread1)
