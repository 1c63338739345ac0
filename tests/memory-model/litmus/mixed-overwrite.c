// litmus: A byte over a word that is still delayed.
// x86: allowed r0=513 r1=0 r2=0
// sc: r0=513 r1=0 r2=513; r0=513 r1=1 r2=0; r0=513 r1=1 r2=513; r0=513 r1=1 r2=514
// tso: adds r0=513 r1=0 r2=0; r0=513 r1=0 r2=514
// c11: inconclusive
// no-axioms: atomics that overlap in memory
#include "litmus.h"

static atomic_int y;
union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
static union parts w;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.word, 0x0202, memory_order_relaxed);
	atomic_store_explicit(&w.byte[0], 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&w.word, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&w.word, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
