/* Szymanski's algorithm: a waiting room with two doors. */
#include "exclusion.h"

enum { OUTSIDE, WAITS_OUTSIDE, WAITS_INSIDE, IN_THE_DOOR, CLOSED_THE_DOOR };

static atomic_int flag[N];

static void lock(int i)
{
	STORE(flag[i], WAITS_OUTSIDE);
	FENCE();
	for (int j = 0; j < N; j++)
		while (LOAD(flag[j]) >= IN_THE_DOOR)
			;
	STORE(flag[i], IN_THE_DOOR);
	FENCE();
	int others_wait = 0;
	for (int j = 0; j < N; j++)
		others_wait |= LOAD(flag[j]) == WAITS_OUTSIDE;
	if (others_wait) {
		STORE(flag[i], WAITS_INSIDE);
		int closed = 0;
		while (!closed)
			for (int j = 0; j < N; j++)
				closed |= LOAD(flag[j]) == CLOSED_THE_DOOR;
	}
	STORE(flag[i], CLOSED_THE_DOOR);
	FENCE();
	for (int j = 0; j < i; j++)
		while (LOAD(flag[j]) >= WAITS_INSIDE)
			;
}

static void unlock(int i)
{
	for (int j = i + 1; j < N; j++)
		for (;;) {
			int theirs = LOAD(flag[j]);
			if (theirs <= WAITS_OUTSIDE || theirs == CLOSED_THE_DOOR)
				break;
		}
	STORE(flag[i], OUTSIDE);
}
