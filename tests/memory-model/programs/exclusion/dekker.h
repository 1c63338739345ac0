/* Dekker's algorithm. */
#include "exclusion.h"

static atomic_int flag[2], turn;

static void lock(int i)
{
	STORE(flag[i], 1);
	FENCE();
	while (LOAD(flag[1 - i])) {
		if (LOAD(turn) == i)
			continue;
		STORE(flag[i], 0);
		while (LOAD(turn) != i)
			;
		STORE(flag[i], 1);
		FENCE();
	}
}

static void unlock(int i)
{
	STORE(turn, 1 - i);
	STORE(flag[i], 0);
}
