// expect: verified
// broken: error kind=data-race line=32 message="thread 1 writes it at"
// The relaxed read-modify-write of another thread continues the release sequence of the store that
// it reads from. With -DBROKEN: A relaxed store of another thread ends the release sequence.
#include <pthread.h>
#include <stdatomic.h>
#ifdef BROKEN
#define CONTINUE() atomic_store_explicit(&stage, 2, memory_order_relaxed)
#else
#define CONTINUE() atomic_fetch_add_explicit(&stage, 1, memory_order_relaxed)
#endif
static int data;
static atomic_int stage;

static void *produce(void *unused) {
	data = 1;
	atomic_store_explicit(&stage, 1, memory_order_release);
	return unused;
}

static void *forward(void *unused) {
	if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
		CONTINUE();
	return unused;
}

int main(void) {
	pthread_t producer, forwarder;
	pthread_create(&producer, 0, produce, 0);
	pthread_create(&forwarder, 0, forward, 0);
	if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
		data = 2;
	pthread_join(producer, 0);
	pthread_join(forwarder, 0);
}
