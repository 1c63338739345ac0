// expect: verified
// flags: --memory-model tso
// sequential: verified
/* A store to memory that its own thread frees is dropped: it was executed before. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;

static void *taker(void *argument)
{
	atomic_int *object = atomic_exchange(&shared, 0);
	if (object) {
		atomic_store_explicit(object, 2, memory_order_relaxed);
		free(object);
	}
	return argument;
}

int main(void)
{
	atomic_int *object = malloc(sizeof *object);
	atomic_init(object, 1);
	atomic_store(&shared, object);
	pthread_t threads[2];
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, taker, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
