// litmus: The word may be seen before the byte.
// x86: allowed r0=514
// sc: r0=0; r0=513; r0=514
// tso: the same
// c11: inconclusive
// no-axioms: atomics that overlap in memory
#include "litmus.h"

union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
static union parts w;
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.word, 0x0202, memory_order_relaxed);
	atomic_store_explicit(&w.byte[0], 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&w.word, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
