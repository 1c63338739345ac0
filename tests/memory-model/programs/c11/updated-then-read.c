// expect: verified
// broken: error kind=assertion line=25
// The load of `users` is executed under C11 alone: no search under sequential consistency has seen it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users, ready, data;

static void *use(void *unused)
{
	atomic_fetch_add_explicit(&users, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&users, 1, memory_order_relaxed);
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, use, 0);
	if (atomic_load_explicit(&ready, memory_order_relaxed) && !atomic_load_explicit(&data, memory_order_relaxed)) {
#ifdef BROKEN
		assert(atomic_load_explicit(&users, memory_order_relaxed) != 1);
#else
		assert(atomic_load_explicit(&users, memory_order_relaxed) <= 2);
#endif
	}
	pthread_join(t, 0);
}
