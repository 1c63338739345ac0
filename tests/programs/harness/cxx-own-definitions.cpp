// expect: verified
// broken: inconclusive reason="__VERIFIER_nondet_long" line=34
// A program's own definitions are used, and so are other functions of these names. With -DBROKEN:
// A function of a namespace that is defined nowhere is no input.
#include <cassert>

int __VERIFIER_nondet_int(int x)
{
	return x + 1;
}

void __VERIFIER_assume(int) {}

__attribute__((weak)) void reach_error() {}

namespace other {
int __VERIFIER_nondet_short()
{
	return 7;
}
int __VERIFIER_nondet_long();
}

template <class T> T __VERIFIER_nondet_char()
{
	return 9;
}

int main()
{
	__VERIFIER_assume(0);
	reach_error();
#ifdef BROKEN
	assert(other::__VERIFIER_nondet_long() == 7);
#endif
	assert(__VERIFIER_nondet_int(2) == 3);
	assert(other::__VERIFIER_nondet_short() == 7);
	assert(__VERIFIER_nondet_char<int>() == 9);
}
