// expect: error kind=assertion
// flags: --memory-model tso
// Once the thread is asked to end, its cancellation point is no action any more. The store and the
// load in the handler are two steps nevertheless.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stored, seen;
static pthread_t id[2];

static void handle(void *given)
{
	atomic_store_explicit(&stored, 1, memory_order_release);
	assert(!atomic_load_explicit(&seen, memory_order_acquire));
}

static void *cancelled(void *given)
{
	pthread_cleanup_push(handle, 0);
	pthread_testcancel();
	pthread_cleanup_pop(0);
	return 0;
}

static void *watch(void *given)
{
	if (atomic_load_explicit(&stored, memory_order_acquire))
		atomic_store_explicit(&seen, 1, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_create(&id[0], 0, cancelled, 0);
	pthread_create(&id[1], 0, watch, 0);
	pthread_cancel(id[0]);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
}
