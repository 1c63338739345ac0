/* Lamport's fast mutex: few accesses without contention. */
#include "exclusion.h"

static atomic_int busy[N], x, y;

static void lock(int i)
{
	int me = i + 1;
	for (;;) {
		STORE(busy[i], 1);
		STORE(x, me);
		FENCE();
		if (LOAD(y) != 0) {
			STORE(busy[i], 0);
			while (LOAD(y) != 0)
				;
			continue;
		}
		STORE(y, me);
		FENCE();
		if (LOAD(x) == me)
			return;
		STORE(busy[i], 0);
		FENCE();
		for (int j = 0; j < N; j++)
			while (LOAD(busy[j]))
				;
		if (LOAD(y) == me)
			return;
		while (LOAD(y) != 0)
			;
	}
}

static void unlock(int i)
{
	STORE(y, 0);
	STORE(busy[i], 0);
}
