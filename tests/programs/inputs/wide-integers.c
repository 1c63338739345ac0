// expect: verified
// broken: error kind=assertion line=16
// Integers of 128 bits are followed, in registers and in memory.
#include <assert.h>
#include <limits.h>

long __VERIFIER_nondet_long(void);
static __int128 product;

int main(void)
{
	long a = __VERIFIER_nondet_long();
	__int128 next = (__int128)a + 1;
	assert(next > a);
#ifdef BROKEN
	assert(next <= LONG_MAX);
#endif
	product = (__int128)a * 3;
	assert((product < 0) == (a < 0));
	assert((unsigned long)product == 3 * (unsigned long)a);
	unsigned __int128 size = (unsigned long)a;
	assert(size / 4 == (unsigned long)a / 4 && size << 64 >> 64 == size);
	return 0;
}
