// expect: verified
// broken: error kind=division-by-zero line=13
// flags: --nondet -1..1
int __VERIFIER_nondet_int(void);

int main(void)
{
	int d = __VERIFIER_nondet_int();
#ifndef BROKEN
	if (d == 0)
		return 0;
#endif
	return 10 / d > 10;
}
