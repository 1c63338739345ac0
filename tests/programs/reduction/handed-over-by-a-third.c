// expect: verified
// broken: error kind=assertion line=31
//
// One thread writes to an object, another one hands it over to a third one, which does not hold its
// address before, and may read the object before it is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *_Atomic slot;

static void *write(void *object)
{
	atomic_store((atomic_int *) object, 1);
	return 0;
}

static void *hand_over(void *object)
{
	atomic_store(&slot, object);
	return 0;
}

static void *take_over(void *none)
{
	atomic_int *object = atomic_load(&slot);
	if (object) {
		int seen = atomic_load(object);
#ifdef BROKEN
		assert(seen == 1);
#else
		assert(seen == 0 || seen == 1);
#endif
	}
	return none;
}

int main(void)
{
	pthread_t id[3];
	atomic_int *object = calloc(1, sizeof *object);
	pthread_create(&id[0], 0, write, object);
	pthread_create(&id[1], 0, hand_over, object);
	pthread_create(&id[2], 0, take_over, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], 0);
	free(object);
}
