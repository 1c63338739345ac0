// expect: verified
// broken: error kind=assertion line=30
// flags: --memory-model c11
// most-states: 60
// persistent-sets: needed
// No search under sequential consistency has found out that nothing loads `users` while it changes. The search under C11
// guesses it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users, stop;

static void *use(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_acquire)) {
		atomic_fetch_add_explicit(&users, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, use, 0);
	int others = atomic_fetch_add_explicit(&users, 1, memory_order_relaxed);
#ifdef BROKEN
	// The thread may be at work.
	assert(others == 0);
#else
	assert(others <= 1);
#endif
	atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed);
	atomic_store_explicit(&stop, 1, memory_order_release);
	pthread_join(t, 0);
	assert(atomic_load_explicit(&users, memory_order_relaxed) == 0);
}
