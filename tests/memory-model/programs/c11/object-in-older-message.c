// expect: verified
// broken: error kind=assertion
//
// A pointer to an object was overwritten. A thread that sees the flag may still read the older
// pointer, unless the flag is set and read with release and acquire order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static atomic_int *first, *second;
static atomic_int *_Atomic slot;
static atomic_int flag;

static atomic_int *make(int number)
{
	atomic_int *made = malloc(sizeof *made);
	atomic_init(made, number);
	return made;
}

static void *write(void *object)
{
	atomic_store_explicit((atomic_int *) object, 1, memory_order_relaxed);
	return 0;
}

static void *change(void *object)
{
	atomic_store_explicit(&slot, object, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, RELEASE);
	return 0;
}

static void *look(void *none)
{
	if (atomic_load_explicit(&flag, ACQUIRE)) {
		atomic_int *object = atomic_load_explicit(&slot, memory_order_relaxed);
		assert(atomic_load_explicit(object, memory_order_relaxed) == 1);
	}
	return none;
}

int main(void)
{
	pthread_t id[3];
	first = make(0);
	second = make(1);
	atomic_store(&slot, first);
	pthread_create(&id[0], 0, write, first);
	pthread_create(&id[1], 0, change, second);
	pthread_create(&id[2], 0, look, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], 0);
	free(first);
	free(second);
}
