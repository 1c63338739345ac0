// litmus: Of two exchanges, one is first.
// x86: forbidden r0=0 r1=0
// sc: x=1 r0=0 r1=1; x=1 r0=1 r1=0
// tso: the same
// c11: the same
#include "litmus.h"

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	r0 = atomic_exchange(&x, 1);
	return argument;
}

static void *thread1(void *argument)
{
	r1 = atomic_exchange(&x, 1);
	return argument;
}

THREADS(thread0, thread1)
