// expect: error kind=assertion line=19
// flags: --nondet -9223372036854775808..-9223372036854775807
// broken: verified
// The bounds of a range have 64 bits, and so reach the ends of no wider type. With -DBROKEN: An
// unsigned type has none of these values.
#include <assert.h>

__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void)
{
#ifdef BROKEN
	__VERIFIER_nondet_uint128();
	assert(0);
#else
	__int128 x = __VERIFIER_nondet_int128();
	__int128 least = -((__int128)1 << 63);
	assert(x != least);
#endif
	return 0;
}
