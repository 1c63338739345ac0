// litmus: MP: an exchange that stores the value that is there hands over nothing.
// x86: forbidden r0=0 r1=0 r2=0
// sc: r0=0 r1=0 r2=1; r0=2 r1=0 r2=0; r0=2 r1=0 r2=1
// tso: the same
// c11: adds r0=0 r1=0 r2=0
#include "litmus.h"

static atomic_int x, y;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	r0 = atomic_exchange_explicit(&y, 0, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r1 = atomic_exchange_explicit(&y, 2, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_seq_cst);
	return argument;
}

THREADS(thread0, thread1)
