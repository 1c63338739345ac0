// litmus: Bytes that are stored in order are seen in order.
// x86: forbidden r0=1 r1=0
// sc: r0=0 r1=0; r0=0 r1=1; r0=1 r1=1
// tso: the same
// c11: adds r0=1 r1=0
// no-axioms: atomics in one union
#include "litmus.h"

union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
static union parts w;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.byte[0], 1, memory_order_relaxed);
	atomic_store_explicit(&w.byte[1], 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&w.byte[1], memory_order_relaxed);
	r1 = atomic_load_explicit(&w.byte[0], memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
