// expect: verified
// broken: error kind=assertion line=21

/* Two operands of one instruction become numbers: each pair of their values is possible. */

#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
	int value = __VERIFIER_nondet_int(), count = __VERIFIER_nondet_int();
	__VERIFIER_assume(value >= 0 && value < 3 && count >= 0 && count < 3);
	char bytes[3] = { 5, 5, 5 };
	memset(bytes, value, count);
	for (int i = 0; i < 3; i++)
		assert(bytes[i] == (i < count ? value : 5));
#ifdef BROKEN
	assert(value != 0 || count != 2);
#endif
}
