// expect: verified
// broken: error kind=assertion
// flags: --memory-model c11
// Store buffering. With relaxed loads of what is stored sequentially consistently, both may read 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;
static int read;

static void *other(void *unused)
{
	atomic_store(&y, 1);
	read = atomic_load_explicit(&x, ORDER);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, other, 0);
	atomic_store(&x, 1);
	int mine = atomic_load_explicit(&y, ORDER);
	pthread_join(id, 0);
	assert(mine || read);
}
