// expect: error kind=abort line=12
// flags: --nondet 0..3
// Without the option it is an error.
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
