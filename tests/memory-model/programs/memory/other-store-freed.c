// expect: error kind=use-after-free
// flags: --memory-model tso --races off
// sequential: error
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared, begun;

static void *writer(void *argument)
{
	atomic_store_explicit(shared, 2, memory_order_relaxed);
	/* A thread that sees this may not see the store, which may be delayed. */
	if (atomic_load_explicit(&begun, memory_order_relaxed) == 1)
		return argument;
	return 0;
}

int main(void)
{
	shared = malloc(sizeof *shared);
	pthread_t thread;
	pthread_create(&thread, 0, writer, 0);
	free(shared);
	pthread_join(thread, 0);
}
