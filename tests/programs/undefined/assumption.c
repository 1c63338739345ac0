// expect: verified
// broken: error kind=unreachable line=12
// Where an assumption does not hold, the compiler may do anything.
int __VERIFIER_nondet_int(void);

static int half(int n)
{
#ifndef BROKEN
	if (n % 2)
		return 0;
#endif
	__builtin_assume(n % 2 == 0);
	return n / 2;
}

int main(void)
{
	int n = __VERIFIER_nondet_int();
	return n >= 0 && n < 8 && half(n) > 3;
}
