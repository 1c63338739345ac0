// expect: verified
// flags: --memory-model tso
// sequential: verified
/* What the join waits for is a value that its thread's stores run through: whether it ends is in doubt as long as only
   what is newest is read. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pulse, stop;

static void *sender(void *argument)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		atomic_store_explicit(&pulse, 1, memory_order_relaxed);
		atomic_store_explicit(&pulse, 0, memory_order_relaxed);
		atomic_thread_fence(memory_order_seq_cst);
	}
	return argument;
}

static void *receiver(void *argument)
{
	while (!atomic_load_explicit(&pulse, memory_order_relaxed)) {
	}
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, sender, 0);
	pthread_create(&threads[1], 0, receiver, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
