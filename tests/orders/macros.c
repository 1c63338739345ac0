// expect: verified
// by-hand: 1
// A macro with two loads is one place: its loads get the same order. One with an operation in its
// argument is changed there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BOTH(a, b) (atomic_load(&(a)) && atomic_load(&(b)))

static atomic_int x, y, z;
static int data;

static void *other(void *argument)
{
	data = 1;
	atomic_store(&x, 1); // enough: relaxed
	atomic_store(&y, 1); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	while (!BOTH(x, y)) // enough: acquire
		;
	assert(data == 1);
	assert(atomic_load(&z) == 0); // enough: relaxed
	pthread_join(thread, 0);
}
