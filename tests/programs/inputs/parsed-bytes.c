// expect: verified
// broken: error kind=out-of-bounds line=19
// most-states: 400
// A parser of eight bytes, each of which may have any value: numbers joined by plus signs.
#include <assert.h>

char __VERIFIER_nondet_char(void);
static char text[9];
static int at;

static int number(void)
{
	int value = 0, digits = 0;
	while (text[at] >= '0' && text[at] <= '9' && digits < 3) {
		value = value * 10 + text[at++] - '0';
		digits++;
	}
#ifdef BROKEN
	while (text[at] != '+' && text[at] != '-')
#else
	while (text[at] != '+' && text[at] != 0)
#endif
		at++;
	return digits > 0 ? value : -1;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 8; i++)
		text[i] = __VERIFIER_nondet_char();
	for (;;) {
		int next = number();
		if (next < 0)
			return 0;
		sum += next;
		if (text[at] != '+')
			break;
		at++;
	}
	assert(sum < 2000);
	return 0;
}
