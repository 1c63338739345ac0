// expect: verified
// broken: error kind=assertion line=27
// Read-modify-writes read the newest store. Where nothing else reads an atomic, its older ones are dropped.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users, stop;

static void *use(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_acquire)) {
		assert(atomic_fetch_add_explicit(&users, 1, memory_order_relaxed) <= 1);
		atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, use, 0);
	atomic_fetch_add_explicit(&users, 1, memory_order_relaxed);
	atomic_store_explicit(&stop, 1, memory_order_release);
#ifdef BROKEN
	// The thread may still be at work.
	assert(atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed) == 1);
#else
	assert(atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed) <= 2);
#endif
	pthread_join(t, 0);
	assert(atomic_fetch_add_explicit(&users, 0, memory_order_relaxed) == 0);
}
