// expect: inconclusive
// flags: --races=off --memory-model tso
// sequential: verified
// A non-temporal store may reach memory after the stores that follow it, which is not explored.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *write_both(void *none)
{
	__builtin_nontemporal_store(1, &data);
	atomic_store_explicit(&ready, 1, memory_order_release);
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(data == 1);
	pthread_join(thread, NULL);
}
