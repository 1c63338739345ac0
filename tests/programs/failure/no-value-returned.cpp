// expect: error kind=unreachable
// flags: --nondet 0..2
// clang: -Wno-return-type
// The end of a function that must return a value.
extern "C" int __VERIFIER_nondet_int();

static int small(int x)
{
	if (x < 2)
		return 1;
}

int main()
{
	return small(__VERIFIER_nondet_int()) > 5;
}
