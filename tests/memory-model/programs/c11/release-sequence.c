// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// A relaxed read-modify-write continues the release sequence of the store that it reads. A relaxed
// store does not, in C++20 even if the releasing thread makes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *producer(void *unused)
{
	message = 42;
	atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef BROKEN
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
	atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, producer, 0);
	if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
		assert(message == 42);
	pthread_join(id, 0);
}
