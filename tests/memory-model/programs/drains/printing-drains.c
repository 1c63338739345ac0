// expect: verified
// broken: error kind=assertion line=34
// flags: --memory-model tso
// A call that prints, or flushes, drains the store buffer: the lock of the stream is a locked
// instruction. With -DBROKEN: Nothing is called.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2];
static int seen[2];

static void *work(void *argument)
{
	int self = argument != 0;
	atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
#ifndef BROKEN
	if (self)
		fflush(stdout);
	else
		puts("wants");
#endif
	seen[self] = atomic_load_explicit(&wants[1 - self], memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, work, &other);
	work(0);
	pthread_join(other, 0);
	assert(seen[0] || seen[1]);
	return 0;
}
