// expect: inconclusive reason="a weaker order than sequential consistency" line=21
// No instruction covers the message. Relaxed operations do not order the accesses of data.
#include <pthread.h>
#include <stdatomic.h>

struct message {
	long kind, from, to;
};

static _Atomic struct message message;
static int data;

static void *receive(void *unused)
{
	struct message seen = atomic_load(&message);
	if (seen.kind == 1)
		data++;
	return unused;
}

static void send(void) { atomic_store_explicit(&message, ((struct message){1, 2, 3}), memory_order_relaxed); }

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, receive, 0);
	data = 1;
	send();
	pthread_join(id, 0);
}
