// expect: verified
// The queue lock of Mellor-Crummey and Scott: each waits at its own node for the one before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	_Atomic(struct node *) next;
	atomic_int waits;
};

static _Atomic(struct node *) last;
static int counter;

static void *increment(void *argument)
{
	struct node mine = {0};
	atomic_init(&mine.waits, 1);
	struct node *before = atomic_exchange(&last, &mine); // enough: acq_rel
	if (before) {
		atomic_store(&before->next, &mine); // enough: release
		while (atomic_load(&mine.waits)) // enough: acquire
			;
	}
	counter++;
	struct node *next = atomic_load(&mine.next); // enough: acquire
	if (!next) {
		struct node *expected = &mine;
		if (atomic_compare_exchange_strong(&last, &expected, NULL)) // enough: release, relaxed
			return argument;
		while (!(next = atomic_load(&mine.next))) // enough: acquire
			;
	}
	atomic_store(&next->waits, 0); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, increment, 0);
	increment(0);
	pthread_join(thread, 0);
	assert(counter == 2);
}
