// expect: error kind=data-race line=28
// broken: verified
// clang: -Wno-atomic-alignment
// Two threads store to an atomic that no instruction covers, and neither reads what the other has stored. An exchange
// reads it.
#include <pthread.h>
#include <stdatomic.h>

struct message {
	char text[5];
};

static _Atomic struct message message;
static atomic_int sent;
static int data;

static void *receive(void *unused)
{
	if (!atomic_load_explicit(&sent, memory_order_relaxed))
		return unused;
#ifndef BROKEN
	atomic_store(&message, ((struct message){"two"}));
#else
	struct message received = atomic_exchange(&message, ((struct message){"two"}));
	if (received.text[0] != 'o')
		return unused;
#endif
	data++;
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, receive, 0);
	data = 1;
	atomic_store(&message, ((struct message){"one"}));
	atomic_store_explicit(&sent, 1, memory_order_relaxed);
	pthread_join(id, 0);
}
