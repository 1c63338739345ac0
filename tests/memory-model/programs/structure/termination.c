// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
/* Each is idle and does not see that the other is too: neither notes the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int idle[2], ended;

static void *worker(void *argument)
{
	int me = argument != 0;
	atomic_store_explicit(&idle[me], 1, memory_order_release);
	if (atomic_load_explicit(&idle[1 - me], memory_order_acquire))
		atomic_fetch_add(&ended, 1);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, worker, 0);
	pthread_create(&threads[1], 0, worker, &ended);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
	assert(ended >= 1);
}
