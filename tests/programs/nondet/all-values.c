// expect: error kind=assertion line=11
// flags: --nondet 0..20
// One value of many breaks it.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
	assert(x * x + y * y != 25 * 13);
	return 0;
}
