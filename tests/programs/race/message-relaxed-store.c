// expect: error kind=data-race line=23 message="the main thread writes data, which nothing orders
//     after an earlier access to it: thread 1 writes it at"
// A thread that sees the flag of a relaxed store does not synchronise with what came before it.
#include <pthread.h>
#include <stdatomic.h>
#ifndef PASS
#define PASS() atomic_store_explicit(&ready, 1, memory_order_relaxed)
#define PASSED() atomic_load_explicit(&ready, memory_order_acquire)
#endif
static int data;
static atomic_int ready;

static void *produce(void *unused) {
	data = 1;
	PASS();
	return unused;
}

int main(void) {
	pthread_t producer;
	pthread_create(&producer, 0, produce, 0);
	if (PASSED())
		data = 2;
	pthread_join(producer, 0);
}
