// expect: verified
// flags: --nondet -2..9
// broken: error kind=assertion line=19
// An input of 128 bits takes every value of the range, negative ones only where it is signed. With
// -DBROKEN: Not all values are small enough.
#include <assert.h>

__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void)
{
	__int128 x = __VERIFIER_nondet_int128();
	unsigned __int128 y = __VERIFIER_nondet_uint128();
	assert(x >= -2 && x <= 9);
#ifdef BROKEN
	y = -x;
#endif
	assert(y <= 9);
	return 0;
}
