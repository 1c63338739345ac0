// expect: verified
// Dekker's algorithm for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int counter;

static void *increment(void *argument)
{
	int self = (int)(intptr_t)argument, other = 1 - self;
	atomic_store(&wants[self], 1); // enough: seq_cst
	while (atomic_load(&wants[other])) { // enough: seq_cst
		if (atomic_load(&turn) != self) { // enough: relaxed
			atomic_store(&wants[self], 0); // enough: relaxed
			while (atomic_load(&turn) != self) // enough: relaxed
				;
			atomic_store(&wants[self], 1); // enough: relaxed
		}
	}
	counter++;
	atomic_store(&turn, other); // enough: relaxed
	atomic_store(&wants[self], 0); // enough: release
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
