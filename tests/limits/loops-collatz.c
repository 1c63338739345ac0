// command: loops
// memory: grows
// A search without end: it is unknown whether the loop ends on each input.
#include <stdlib.h>

unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
	unsigned long n = __VERIFIER_nondet_ulong();
	while (n > 1) {
		char *room = malloc(1 << 22);
		room[n % (1 << 22)] = 1;
		n = n % 2 ? 3 * n + 1 : n / 2;
	}
}
