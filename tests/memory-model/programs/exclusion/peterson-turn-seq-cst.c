// expect: verified
// flags: --memory-model tso
// sequential: verified
/* The last store before the loads empties the buffer, and no other has to. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int counter;

static void *work(void *argument)
{
	int me = argument != 0;
	atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
	atomic_store_explicit(&turn, 1 - me, memory_order_seq_cst);
	while (atomic_load_explicit(&wants[1 - me], memory_order_acquire) &&
	       atomic_load_explicit(&turn, memory_order_acquire) == 1 - me) {
	}
	counter++;
	atomic_store_explicit(&wants[me], 0, memory_order_release);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, work, 0);
	pthread_create(&threads[1], 0, work, &turn);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
