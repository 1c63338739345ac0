// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
/* What is allocated is private until its address is stored, whose delay shows. What was stored to it before does not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *_Atomic flags[2];
static int seen[2];

static void *raise_flag(void *argument)
{
	int me = argument != 0;
	atomic_int *flag = malloc(sizeof *flag);
	atomic_init(flag, 1);
	atomic_store_explicit(&flags[me], flag, memory_order_release);
	atomic_int *other = atomic_load_explicit(&flags[1 - me], memory_order_acquire);
	if (other)
		assert(atomic_load_explicit(other, memory_order_relaxed) == 1);
	seen[me] = other != 0;
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, raise_flag, 0);
	pthread_create(&threads[1], 0, raise_flag, flags);
	for (int n = 0; n < 2; n++) {
		pthread_join(threads[n], 0);
	}
	for (int n = 0; n < 2; n++)
		free(flags[n]);
	assert(seen[0] || seen[1]);
}
