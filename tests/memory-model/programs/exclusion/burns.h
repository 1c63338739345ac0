/* Burns' algorithm with one bit for each thread. */
#include "exclusion.h"

static atomic_int flag[N];

static int any_before(int i)
{
	for (int j = 0; j < i; j++)
		if (LOAD(flag[j]))
			return 1;
	return 0;
}

static void lock(int i)
{
	for (;;) {
		STORE(flag[i], 0);
		if (any_before(i))
			continue;
		STORE(flag[i], 1);
		FENCE();
		if (!any_before(i))
			break;
	}
	for (int j = i + 1; j < N; j++)
		while (LOAD(flag[j]))
			;
}

static void unlock(int i)
{
	STORE(flag[i], 0);
}
