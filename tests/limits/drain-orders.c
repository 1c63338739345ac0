// flags: --memory-model tso
// A single join asks for all orders in which 64 stores to four variables can have reached memory.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 4, VARIABLES = 4 };
static atomic_int variables[VARIABLES];

static void *store(void *argument)
{
	long first = (long)argument;
	for (int n = 0; n < ROUNDS * VARIABLES; n++)
		atomic_store_explicit(&variables[(n + first) % VARIABLES], n + 1, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long n = 0; n < THREADS; n++)
		pthread_create(&threads[n], 0, store, (void *)n);
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], 0);
}
