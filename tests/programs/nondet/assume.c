// expect: verified
// broken: error kind=division-by-zero line=15
// flags: --nondet -5..5
#ifndef BROKEN
#include <assert.h>

#endif
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
	int x = __VERIFIER_nondet_int();
#ifdef BROKEN
	int y = 100 / x;
#endif
	__VERIFIER_assume(x > 0);
#ifdef BROKEN
	return y == 7;
#else
	assert(100 / x >= 20);
	return 0;
#endif
}
