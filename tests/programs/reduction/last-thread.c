// expect: error kind=assertion line=11
// When the reader has ended, main is alone, and nothing that it does is visible.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value, other;

static void *reader(void *given)
{
	assert(atomic_load(&value) == 0);
	return given;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, reader, 0);
	pthread_detach(id);
	atomic_store(&other, 1);
	atomic_store(&value, 1);
	pthread_exit(0);
}
