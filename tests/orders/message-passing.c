// expect: verified
// Message passing: one store releases, one load acquires.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *argument)
{
	data = 42;
	atomic_store(&ready, 1); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, producer, 0);
	while (atomic_load(&ready) == 0) // enough: acquire
		;
	assert(data == 42);
	pthread_join(thread, 0);
}
