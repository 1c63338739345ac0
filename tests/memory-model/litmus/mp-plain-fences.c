// litmus: MP of data that is not atomic, by fences around a relaxed flag.
// x86: forbidden r0=1 r1=0
// sc: r0=0 r1=0; r0=1 r1=1
// tso: the same
// c11: the same
#include "litmus.h"

static atomic_int y;
static int data;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	data = 1;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	if (r0)
		r1 = data;
	return argument;
}

THREADS(thread0, thread1)
