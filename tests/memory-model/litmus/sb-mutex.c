// litmus: Operations on a mutex empty the buffer.
// x86: forbidden r0=0 r1=0
// sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
// tso: the same
// c11: the same
// no-axioms: a mutex
#include "litmus.h"

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
IMPASSE_OUTCOME(int, r0);
IMPASSE_OUTCOME(int, r1);

static void *thread0(void *argument)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

THREADS(thread0, thread1)
