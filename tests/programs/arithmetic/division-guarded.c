// expect: verified
// flags: --nondet -1..1
int __VERIFIER_nondet_int(void);

int main(void)
{
	int d = __VERIFIER_nondet_int();
	if (d == 0)
		return 0;
	return 10 / d > 10;
}
