// expect: verified
// broken: error kind=assertion line=39
// flags: --signed-overflow
// most-states: 2000
// Each amount is bounded by the room that those before it leave. Bit by bit, Z3 takes minutes to
// find out that their sum cannot overflow; of integers that wrap, it takes no time.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *argument)
{
	for (int i = 0; i < 2; i++) {
		int amount = __VERIFIER_nondet_int();
		pthread_mutex_lock(&lock);
		int room = 2147483647 - total;
		if (amount > 0 && amount <= room)
			total += amount;
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, add, 0);
	add(0);
	pthread_join(thread, 0);
	int share = total / 100 * 30;
	assert(total >= 0);
	assert(share <= total / 3);
#ifdef BROKEN
	/* The total is an odd number. */
	assert(total % 2 == 0);
#endif
	return 0;
}
