// expect: error kind=assertion line=11 message="x + 2"
// flags: --nondet -2..0
// The least value of a range is one of an input of 128 bits.
#include <assert.h>

__int128 __VERIFIER_nondet_int128(void);

int main(void)
{
	__int128 x = __VERIFIER_nondet_int128();
	assert(x + 2 != 0);
	return 0;
}
