// expect: inconclusive reason="no instruction covers"
// flags: --memory-model c11
// clang: -Wno-atomic-alignment
// RC11 permits the load of the message to read what was there before the store: the relaxed flag orders nothing. In the
// order of their execution, the load comes second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct message {
	long kind, from, to;
};

static _Atomic struct message message;
static atomic_int sent;

static void *receive(void *unused)
{
	if (atomic_load_explicit(&sent, memory_order_relaxed)) {
		struct message received = atomic_load(&message);
		assert(received.kind == 1);
	}
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, receive, 0);
	atomic_store(&message, ((struct message){1, 2, 3}));
	atomic_store_explicit(&sent, 1, memory_order_relaxed);
	pthread_join(id, 0);
}
