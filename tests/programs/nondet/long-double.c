// expect: verified
// flags: --nondet -1..2
// broken: error kind=assertion line=16
// A long double takes the whole numbers of the range. With -DBROKEN: One of them is the limit.
#include <assert.h>

long double __VERIFIER_nondet_longdouble(void);

int main(void)
{
	long double x = __VERIFIER_nondet_longdouble();
	long double limit = 2.5L;
#ifdef BROKEN
	limit = 2;
#endif
	assert(x < limit);
	return 0;
}
