// expect: verified
// flags: --nondet -5..5
#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	__VERIFIER_assume(x > 0);
	assert(100 / x >= 20);
	return 0;
}
