// litmus: Of two compare-exchanges, one succeeds.
// x86: forbidden r0=0 r1=0
// sc: r0=0 r1=1; r0=2 r1=0
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int x;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	int expected = 0;
	atomic_compare_exchange_strong_explicit(
		&x, &expected, 1, memory_order_relaxed, memory_order_relaxed);
	r0 = expected;
	return argument;
}

static void *thread1(void *argument)
{
	int expected = 0;
	atomic_compare_exchange_strong_explicit(
		&x, &expected, 2, memory_order_relaxed, memory_order_relaxed);
	r1 = expected;
	return argument;
}

THREADS(thread0, thread1)
