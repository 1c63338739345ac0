// expect: error kind=data-race line=29
// broken: verified
// broken-flags: --memory-model sc
// clang: -Wno-atomic-alignment
// Two stores to atomics that no instruction covers do not order each other, nor do operations on different ones:
// nothing orders the accesses of data. A load that reads what a store has stored does.
#include <pthread.h>
#include <stdatomic.h>

struct message {
	long kind, from, to;
};

static _Atomic struct message first, second;
static atomic_int sent;
static int data;

static void *receive(void *unused)
{
	if (!atomic_load_explicit(&sent, memory_order_relaxed))
		return unused;
#ifdef BROKEN
	struct message received = atomic_load(&first);
	if (received.kind != 1)
		return unused;
#else
	atomic_store(&second, ((struct message){2, 3, 4}));
#endif
	data++;
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, receive, 0);
	data = 1;
	atomic_store(&first, ((struct message){1, 2, 3}));
	atomic_store_explicit(&sent, 1, memory_order_relaxed);
	pthread_join(id, 0);
}
