// expect: verified
// broken: error kind=out-of-bounds line=25
// flags: --stdin-bytes 4
// Numbers in a line of four characters, whatever they are, are counted by their value. With -DBROKEN: Not all that are
// too large are left out.
#include <ctype.h>
#include <stdio.h>

static int counts[40];

int main(void)
{
	int number = 0, digits = 0;
	for (int c = getchar(); c != EOF && c != '\n'; c = getchar()) {
		if (isdigit(c) && digits < 2) {
			number = 10 * number + (c - '0');
			digits++;
			continue;
		}
#ifdef BROKEN
		if (digits > 0 && number <= 40)
#else
		if (digits > 0 && number < 40)
#endif
			counts[number]++;
		number = digits = 0;
	}
	return 0;
}
