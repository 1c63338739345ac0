// expect: verified
// broken: assertion
// Store buffering: nothing weaker than sequential consistency does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *other(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_seq_cst); // enough: seq_cst
#ifdef BROKEN
	b = atomic_load_explicit(&x, memory_order_acquire); // enough: seq_cst
#else
	b = atomic_load_explicit(&x, memory_order_seq_cst); // enough: seq_cst
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	atomic_store(&x, 1); // enough: seq_cst
	a = atomic_load(&y); // enough: seq_cst
	pthread_join(thread, 0);
	assert(a || b);
}
