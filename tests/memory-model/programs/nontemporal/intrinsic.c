// expect: inconclusive
// flags: --races=off --memory-model tso
// sequential: verified
// The intrinsic for one: it may reach memory after the stores that follow it, which is not
// explored.
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *write_both(void *none)
{
	_mm_stream_si32(&data, 1);
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
