// expect: verified
// Relaxed operations order nothing, and here nothing needs an order: the threads are joined before
// the data is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int results[2];

static void *work(void *argument) {
	int *result = argument;
	*result = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	return 0;
}

int main(void) {
	pthread_t threads[2];
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, work, &results[n]);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
	assert(results[0] + results[1] == 1);
}
