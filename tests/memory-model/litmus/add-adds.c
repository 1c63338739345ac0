// litmus: No addition is lost.
// x86: forbidden x=2
// sc: x=3
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);

static void *thread0(void *argument)
{
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

static void *thread2(void *argument)
{
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
