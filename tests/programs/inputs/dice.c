// expect: verified
// broken: error kind=assertion line=28
// flags: --any-rand
// Two players throw dice, whatever rand returns. With -DBROKEN: A six counts as zero.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;

static void *play(void *argument)
{
#ifdef BROKEN
	sum += rand() % 6;
#else
	sum += rand() % 6 + 1;
#endif
	return argument;
}

int main(void)
{
	pthread_t player;
	pthread_create(&player, 0, play, 0);
	play(0);
	pthread_join(player, 0);
	assert(sum >= 2 && sum <= 12);
	return 0;
}
