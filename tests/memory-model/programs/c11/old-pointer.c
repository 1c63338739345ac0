// expect: verified
// broken: error kind=use-after-free|data-race
// flags: --memory-model c11
// An older message holds the only address of an object, which a thread may still read. The broken
// one frees the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;
static int *kept;

static void *reader(void *unused)
{
	int *found = atomic_load_explicit(&slot, memory_order_acquire);
	if (found)
		assert(*found == 1 || *found == 2);
	return unused;
}

int main(void)
{
	pthread_t id;
	int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
	*first = 1;
	*second = 2;
	kept = first;
	pthread_create(&id, 0, reader, 0);
	atomic_store_explicit(&slot, first, memory_order_release);
	atomic_store_explicit(&slot, second, memory_order_release);
#ifdef BROKEN
	free(first);
	kept = 0;
#endif
	pthread_join(id, 0);
#ifndef BROKEN
	free(kept);
#endif
	free(second);
}
