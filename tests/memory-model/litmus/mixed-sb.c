// litmus: The halves of a word: a store of the word, loads of bytes.
// x86: allowed r0=0 r1=0
// sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
// tso: adds r0=0 r1=0
// c11: inconclusive
// no-axioms: atomics that overlap in memory
#include "litmus.h"

union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
static union parts w;
static union parts v;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.word, 0x0101, memory_order_relaxed);
	r0 = atomic_load_explicit(&v.byte[0], memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&v.word, 0x0101, memory_order_relaxed);
	r1 = atomic_load_explicit(&w.byte[1], memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
