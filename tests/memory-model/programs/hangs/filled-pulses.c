// expect: verified
// flags: --memory-model tso --races off
// sequential: verified
// broken: error kind=hang
// broken-sequential: error
/* In drained states too, each fill of shared memory is an action of its own: the main thread can look
   at the flag between two of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char flag[2];
static atomic_int done;

static void *pulse(void *argument)
{
	while (!atomic_load_explicit(&done, memory_order_relaxed)) {
#ifndef BROKEN
		memset(flag, 1, sizeof flag);
#endif
		memset(flag, 0, sizeof flag);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, pulse, 0);
	pthread_mutex_lock(&mutex);
	while (*(volatile char *)flag == 0) {
	}
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
