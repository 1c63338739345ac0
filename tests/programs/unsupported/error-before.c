// expect: error kind=assertion line=14
// flags: --nondet 0..1
// An error elsewhere counts, whatever else cannot be followed.
#include <assert.h>

int mystery(int);
int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	if (x == 0)
		return mystery(3);
	assert(x == 0);
	return 0;
}
