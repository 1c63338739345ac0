// expect: verified
// flags: --memory-model c11
// Main waits in pthread_join: it will have seen what the threads store, so that only what they may
// read of each other's stores is kept.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *plays(void *argument)
{
	const int me = *(int *)argument;
	for (int round = 0; round < 6; round++) {
		while (atomic_load_explicit(&turn, memory_order_acquire) != me)
			;
		atomic_store_explicit(&turn, 1 - me, memory_order_release);
	}
	return 0;
}

int main(void)
{
	pthread_t ids[2];
	int numbers[2] = {0, 1};
	for (int n = 0; n < 2; n++)
		pthread_create(&ids[n], 0, plays, &numbers[n]);
	for (int n = 0; n < 2; n++)
		pthread_join(ids[n], 0);
}
