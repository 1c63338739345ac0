// expect: error kind=unreachable
// flags: --choices 0..2
// The end of a function that must return a value.
// clang: -Wno-return-type
int __VERIFIER_nondet_int();

static int sign(int x)
{
	if (x > 0)
		return 1;
	if (x == 0)
		return 0;
	if (x < 0)
		return -1;
}

static int small(int x)
{
	if (x < 2)
		return 1;
}

int main()
{
	int x = __VERIFIER_nondet_int();
	return sign(x) + small(x) > 5;
}
