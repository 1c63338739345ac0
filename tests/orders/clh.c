// expect: verified
// The queue lock of Craig, Landin and Hagersten: each waits for the node of the one before, and takes it over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	atomic_int locked;
};

static struct node nodes[3];
static _Atomic(struct node *) last = &nodes[2];
static int counter;

static void *increment(void *argument)
{
	struct node *mine = argument;
	atomic_store(&mine->locked, 1); // enough: relaxed
	struct node *before = atomic_exchange(&last, mine); // enough: acq_rel
	while (atomic_load(&before->locked)) // enough: acquire
		;
	counter++;
	atomic_store(&mine->locked, 0); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, increment, &nodes[0]);
	increment(&nodes[1]);
	pthread_join(thread, 0);
	assert(counter == 2);
}
