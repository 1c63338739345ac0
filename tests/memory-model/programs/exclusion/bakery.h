/* Lamport's bakery. */
#include "exclusion.h"

static atomic_int choosing[N], number[N];

static void lock(int i)
{
	STORE(choosing[i], 1);
	FENCE();
	int last = 0;
	for (int j = 0; j < N; j++) {
		int theirs = LOAD(number[j]);
		if (theirs > last)
			last = theirs;
	}
	STORE(number[i], last + 1);
	STORE(choosing[i], 0);
	FENCE();
	for (int j = 0; j < N; j++) {
		if (j == i)
			continue;
		while (LOAD(choosing[j]))
			;
		for (;;) {
			int theirs = LOAD(number[j]);
			if (theirs == 0 || theirs > last + 1 || (theirs == last + 1 && j > i))
				break;
		}
	}
}

static void unlock(int i)
{
	STORE(number[i], 0);
}
