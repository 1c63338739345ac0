// expect: verified
// broken: error kind=assertion line=14
// Bits are counted of all numbers.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
#ifdef BROKEN
	assert(__builtin_popcount(n) < 32);
#else
	assert(__builtin_popcount(n) <= 32 && __builtin_parity(n) == __builtin_popcount(n) % 2);
#endif
	if (n != 0) {
		assert(__builtin_ctz(n) == __builtin_ffs(n) - 1);
		assert((unsigned)n >> __builtin_ctz(n) & 1);
		assert((unsigned)n << __builtin_clz(n) >> 31);
	}
	if (n != INT_MIN)
		assert(abs(n) >= 0);
	return 0;
}
