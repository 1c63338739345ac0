// expect: verified
// broken: error kind=signed-overflow line=21
// flags: --signed-overflow
// A product is checked by a division; a quotient and what is left make up the whole.
#include <assert.h>
#include <limits.h>

int __VERIFIER_nondet_int(void);

static int product(int a, int b)
{
	if (a <= 0 || b <= 0)
		return 0;
#ifdef BROKEN
	if (a - 1 > INT_MAX / b)
		return 0;
#else
	if (a > INT_MAX / b)
		return 0;
#endif
	return a * b;
}

int main(void)
{
	int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
	assert(product(a, b) >= 0);
	if (b == 0 || (a == INT_MIN && b == -1))
		return 0;
	assert(a / b * b + a % b == a);
	return 0;
}
