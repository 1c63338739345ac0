// expect: error kind=assertion line=21
// A cycle in which the first thread moves alone must not hide the second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turning, other;

static void *turn(void *given)
{
	for (;;) {
		atomic_store(&turning, 0);
		atomic_store(&turning, 1);
	}
	return given;
}

static void *fail(void *given)
{
	atomic_store(&other, 1);
	assert(atomic_load(&other) == 0);
	return given;
}

int main(void)
{
	pthread_t id[2];
	pthread_create(&id[0], 0, turn, 0);
	pthread_create(&id[1], 0, fail, 0);
	pthread_join(id[1], 0);
}
