// litmus: A byte is forwarded from the own buffer, the other is loaded from memory.
// x86: allowed r0=1 r1=256
// sc: r0=1 r1=257; r0=257 r1=256; r0=257 r1=257
// tso: adds r0=1 r1=256
// c11: inconclusive
// no-axioms: atomics that overlap in memory
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
	r0 = atomic_load_explicit(&w.word, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&w.byte[1], 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&w.word, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
