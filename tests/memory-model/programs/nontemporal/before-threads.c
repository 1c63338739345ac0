// expect: verified
// flags: --races=off --memory-model tso
// Before a second thread exists, no thread can tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *write_both(void *none)
{
	atomic_store_explicit(&ready, 1, memory_order_release);
	return none;
}

int main(void)
{
	__builtin_nontemporal_store(1, &data);
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(data == 1);
	pthread_join(thread, NULL);
}
