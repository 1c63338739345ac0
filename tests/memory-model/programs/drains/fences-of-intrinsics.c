// expect: verified
// broken: error kind=assertion
// flags: --memory-model tso
// broken-sequential: verified
// _mm_mfence drains the store buffer, _mm_sfence does not.
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE() (_mm_sfence(), _mm_lfence())
#else
#define FENCE() _mm_mfence()
#endif

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	FENCE();
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, first, 0);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	FENCE();
	b = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(thread, 0);
	assert(a || b);
	return 0;
}
