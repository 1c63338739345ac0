// expect: verified
// broken: error kind=assertion line=16
// Numbers of type long double are not followed symbolically: the values of two bytes are tried.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

int main(void)
{
	unsigned char one = __VERIFIER_nondet_uchar(), other = __VERIFIER_nondet_uchar();
	__VERIFIER_assume(one < 16);
	volatile long double sum = one;
	sum += other;
#ifdef BROKEN
	assert(sum < 270);
#else
	assert(sum <= 270);
#endif
	return 0;
}
