// litmus: A locked store of the word, bytes around it.
// x86: forbidden r0=0 r1=0 w=514
// sc: w=258 r0=0 r1=2; w=258 r0=1 r1=2; w=514 r0=1 r1=0; w=514 r0=1 r1=2
// tso: adds w=258 r0=0 r1=0; w=258 r0=1 r1=0
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
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_exchange_explicit(&w.word, 0x0202, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_store_explicit(&w.byte[1], 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&w.byte[0], memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
