// expect: verified
// broken: error kind=data-race line=24
//
// Each thread gets an object of its own. The second one was started after main has written to both
// objects, the first one has seen only its own written. So there is a race only if the second thread
// hands over its object first, by what does not synchronise.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

static int *_Atomic slot, *_Atomic taken;
static atomic_int seen;

static void *work(void *given)
{
	int *object = atomic_exchange_explicit(&slot, given, ORDER);
	if (object) {
		atomic_store_explicit(&seen, *object, memory_order_relaxed);
		atomic_store_explicit(&taken, object, memory_order_relaxed);
	}
	return 0;
}

int main(void)
{
	pthread_t id[2];
	for (int i = 0; i < 2; i++) {
		int *object = malloc(sizeof *object);
		*object = 1;
		pthread_create(&id[i], 0, work, object);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
	exit(0);
}
