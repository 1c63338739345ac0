// expect: verified
// broken: error kind=assertion line=12
// An integer of 64 bits becomes the nearest float.
#include <assert.h>

long __VERIFIER_nondet_long(void);

int main(void)
{
	long n = __VERIFIER_nondet_long();
#ifdef BROKEN
	assert((float)n < 0x1p63f);
#else
	assert((float)n <= 0x1p63f && ((float)n < 0) == (n < 0));
#endif
	return 0;
}
