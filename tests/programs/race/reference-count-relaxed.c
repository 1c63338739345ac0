// expect: error kind=data-race line=20 message="frees"
// The last owner frees what the other one has read, and nothing orders the two.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef RELEASE
#define RELEASE memory_order_relaxed
#endif
struct shared {
	atomic_int owners;
	int value;
};

static void *use(void *argument) {
	struct shared *shared = argument;
	volatile int value = shared->value;
	(void)value;
	// The order of the read-modify-write is all that differs.
	if (atomic_fetch_sub_explicit(&shared->owners, 1, RELEASE) == 1)
		free(shared);
	return 0;
}

int main(void) {
	struct shared *shared = malloc(sizeof *shared);
	pthread_t threads[2];
	atomic_init(&shared->owners, 2);
	shared->value = 1;
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, use, shared);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
