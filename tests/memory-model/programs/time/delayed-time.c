// expect: inconclusive reason="delayed-time.c:26 depends on the time"
// flags: --memory-model tso
// sequential: inconclusive
// A clock's value waits in a store buffer and decides a branch of another thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_long nanoseconds;

static void *look(void *unused)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	atomic_store_explicit(&nanoseconds, now.tv_nsec, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, look, 0);
	long seen = atomic_load(&nanoseconds);
	pthread_join(thread, 0);
	if (seen % 1000 == 7)
		assert(0);
	return 0;
}
