/* Peterson's algorithm for two threads. */
#include "exclusion.h"

static atomic_int flag[2], turn;

static void lock(int i)
{
	STORE(flag[i], 1);
	STORE(turn, 1 - i);
	FENCE();
	while (LOAD(flag[1 - i]) && LOAD(turn) == 1 - i)
		;
}

static void unlock(int i)
{
	STORE(flag[i], 0);
}
