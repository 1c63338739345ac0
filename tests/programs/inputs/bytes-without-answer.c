// expect: verified
// broken: error kind=assertion line=15
// slow: 10 s
// Numbers of type long double are not followed symbolically: the values of two bytes are tried.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	unsigned char one = __VERIFIER_nondet_uchar(), other = __VERIFIER_nondet_uchar();
	volatile long double sum = one;
	sum += other;
#ifdef BROKEN
	assert(sum < 510);
#else
	assert(sum <= 510);
#endif
	return 0;
}
