// expect: verified
// flags: --abort prune --nondet 0..3
// SV-COMP's way to assume something.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int condition)
{
	if (!condition)
		abort();
}

int main(void)
{
	int n = __VERIFIER_nondet_int();
	assume_abort_if_not(n > 0);
	assert(n != 0);
	return 0;
}
