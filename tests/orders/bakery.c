// expect: verified
// Lamport's bakery for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int chooses[2], number[2];
static int counter;

static void *increment(void *argument)
{
	int self = (int)(intptr_t)argument, other = 1 - self;
	atomic_store(&chooses[self], 1); // enough: seq_cst
	int mine = 1 + atomic_load(&number[other]); // enough: seq_cst
	atomic_store(&number[self], mine); // enough: seq_cst
	atomic_store(&chooses[self], 0); // enough: release
	while (atomic_load(&chooses[other])) // enough: seq_cst
		;
	for (;;) {
		int theirs = atomic_load(&number[other]); // enough: acquire
		if (theirs == 0 || theirs > mine || (theirs == mine && other > self))
			break;
	}
	counter++;
	atomic_store(&number[self], 0); // enough: release
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, increment, (void *)1);
	increment((void *)0);
	pthread_join(thread, 0);
	assert(counter == 2);
}
