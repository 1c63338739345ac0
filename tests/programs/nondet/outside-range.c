// expect: verified
// flags: --nondet 0..5
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	assert(x >= 0 && x <= 5);
	return 0;
}
