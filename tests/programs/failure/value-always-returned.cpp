// expect: verified
// flags: --nondet -1..1
// clang: -Wno-return-type
extern "C" int __VERIFIER_nondet_int();

static int sign(int x)
{
	if (x > 0)
		return 1;
	if (x == 0)
		return 0;
	if (x < 0)
		return -1;
}

int main()
{
	return sign(__VERIFIER_nondet_int()) > 5;
}
