// expect: verified
// A seqlock without fences: the data itself releases and acquires.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, x, y;

static void *writer(void *argument)
{
	atomic_store(&sequence, 1); // enough: relaxed
	atomic_store(&x, 1);        // enough: release
	atomic_store(&y, 1);        // enough: release
	atomic_store(&sequence, 2); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, writer, 0);
	int before = atomic_load(&sequence); // enough: acquire
	int a = atomic_load(&x);             // enough: acquire
	int b = atomic_load(&y);             // enough: acquire
	int after = atomic_load(&sequence);  // enough: relaxed
	if (before == after && before % 2 == 0)
		assert(a == b && a == before / 2);
	pthread_join(thread, 0);
}
