// litmus: A byte is overwritten by a word, or written over it.
// x86: allowed r0=1 w=514
// sc: w=513 r0=0; w=513 r0=1; w=514 r0=0; w=514 r0=1
// tso: the same
// c11: inconclusive
// no-axioms: atomics that overlap in memory
#include "litmus.h"

static atomic_int y;
union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
IMPASSE_OUTCOME(union parts, w);
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.word, 0x0202, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&w.byte[0], 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
