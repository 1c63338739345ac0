// expect: verified
// broken: error kind=assertion line=15
// most-states: 20
// Nine inputs of type char have too many values together to try each.
#include <assert.h>

char __VERIFIER_nondet_char(void);

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += __VERIFIER_nondet_char();
#ifdef BROKEN
	assert(sum < 9 * 127);
#else
	assert(sum <= 9 * 127);
#endif
	return 0;
}
