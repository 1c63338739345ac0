// Two threads try until neither sees the other. Under sequential consistency that never happens; on
// x86 it happens if both stores are delayed, and there is always another chance. No program should
// rely on that: joining the threads is reported as a hang under x86-TSO too. ./impasse check
// --memory-model tso examples/retry.c
#include <pthread.h>
#include <stdatomic.h>

static atomic_int here[2];
static int seen[2];
static pthread_barrier_t barrier;

static void *meet(void *argument)
{
	long me = (long)argument;
	for (;;) {
		atomic_store_explicit(&here[me], 1, memory_order_release);
		seen[me] = atomic_load_explicit(&here[1 - me], memory_order_acquire);
		pthread_barrier_wait(&barrier);
		if (!seen[0] && !seen[1])
			return 0;
		here[me] = 0;
		pthread_barrier_wait(&barrier);
	}
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, 0, 2);
	for (long n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, meet, (void *)n);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
