// expect: verified
// A lock that is looked at before it is taken: the look orders nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void *increment(void *argument)
{
	do {
		while (atomic_load(&taken)) // enough: relaxed
			;
	} while (atomic_exchange(&taken, 1)); // enough: acquire
	counter++;
	atomic_store(&taken, 0); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, increment, 0);
	increment(0);
	pthread_join(thread, 0);
	assert(counter == 2);
}
