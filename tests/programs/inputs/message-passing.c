// expect: verified
// broken: error kind=assertion line=28
// A number is passed on by a release store. With -DBROKEN: The checksum is stored after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int number, checksum;

static void *send(void *argument)
{
	int sent = __VERIFIER_nondet_int() | 1;
#ifdef BROKEN
	atomic_store_explicit(&number, sent, memory_order_release);
	atomic_store_explicit(&checksum, ~sent, memory_order_relaxed);
#else
	atomic_store_explicit(&checksum, ~sent, memory_order_relaxed);
	atomic_store_explicit(&number, sent, memory_order_release);
#endif
	return argument;
}

static void *receive(void *argument)
{
	int received = atomic_load_explicit(&number, memory_order_acquire);
	assert(!received || atomic_load_explicit(&checksum, memory_order_relaxed) == ~received);
	return argument;
}

int main(void)
{
	pthread_t sender, receiver;
	pthread_create(&sender, 0, send, 0);
	pthread_create(&receiver, 0, receive, 0);
	pthread_join(sender, 0);
	pthread_join(receiver, 0);
	return 0;
}
