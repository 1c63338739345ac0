// litmus: MP3: an exchange that stores the value that is there passes no fence on.
// x86: forbidden r0=1 r1=0 r2=0 r3=0
// sc: r0=0 r1=0 r2=0 r3=0; r0=0 r1=0 r2=0 r3=1; r0=0 r1=2 r2=0 r3=0; r0=0 r1=2 r2=0 r3=1;
//     r0=1 r1=0 r2=0 r3=1; r0=1 r1=2 r2=0 r3=0; r0=1 r1=2 r2=0 r3=1
// tso: the same
// c11: adds r0=1 r1=0 r2=0 r3=0
#include "litmus.h"

static atomic_int x, y, z;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);
IMPASSE_OUTCOME(int, r2);
IMPASSE_OUTCOME(int, r3);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	r1 = atomic_exchange_explicit(&z, 0, memory_order_relaxed);
	return argument;
}

static void *thread2(void *argument)
{
	r2 = atomic_exchange_explicit(&z, 2, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	r3 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1, thread2)
