// expect: inconclusive reason="an input of type uint128 may have 128 bits: give the values to try" line=9
// broken: error kind=assertion line=12
// Without a range an input of 128 bits is not enumerated. With -DBROKEN: An error elsewhere counts.
#include <assert.h>

unsigned __int128 __VERIFIER_nondet_uint128(void);
int __VERIFIER_nondet_bool(void);

unsigned __int128 read(void) { return __VERIFIER_nondet_uint128(); }

#ifdef BROKEN
static void fail(void) { assert(0); }
#else
static void fail(void) {}
#endif

int main(void)
{
	if (__VERIFIER_nondet_bool())
		fail();
	return read() == 1;
}
