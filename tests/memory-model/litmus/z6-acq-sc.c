// litmus: Z6 with a message: a relaxed last load.
// x86: forbidden r0=0 r1=1 z=2
// sc: z=1 r0=0 r1=0; z=1 r0=0 r1=1; z=1 r0=1 r1=0; z=1 r0=1 r1=1; z=2 r0=0 r1=0; z=2 r0=1 r1=0;
//     z=2 r0=1 r1=1
// tso: the same
// c11: adds z=2 r0=0 r1=1
#include "litmus.h"

static atomic_int x, y;
IMPASSE_OUTCOME(atomic_int, z);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_release);
	return argument;
}

static void *thread1(void *argument)
{
	r1 = atomic_load_explicit(&y, memory_order_acquire);
	atomic_store_explicit(&z, 1, memory_order_seq_cst);
	return argument;
}

static void *thread2(void *argument)
{
	atomic_store_explicit(&z, 2, memory_order_seq_cst);
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
