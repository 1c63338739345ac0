// litmus: The word may be seen before the byte.
// x86: allowed r0=514
// sc: r0=0; r0=513; r0=514
// tso: the same
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

union parts {
	atomic_ushort word;
	atomic_uchar byte[2];
};
static union parts w;
IMPASSE_OUTCOME(int, r0);

static void *thread0(void *argument)
{
	atomic_store_explicit(&w.word, 0x0202, memory_order_relaxed);
	atomic_store_explicit(&w.byte[0], 1, memory_order_relaxed);
	return argument;
}

static void *thread1(void *argument)
{
	r0 = atomic_load_explicit(&w.word, memory_order_relaxed);
	return argument;
}

int main(void)
{
	void *(*const threads[])(void *) = {thread0, thread1};
	pthread_t ids[2];
	for (int n = 0; n < 2; n++)
		pthread_create(&ids[n], 0, threads[n], 0);
	for (int n = 0; n < 2; n++)
		pthread_join(ids[n], 0);
}
