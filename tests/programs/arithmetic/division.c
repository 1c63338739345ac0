// expect: error kind=division-by-zero line=8
// flags: --nondet -1..1
int __VERIFIER_nondet_int(void);

int main(void)
{
	int d = __VERIFIER_nondet_int();
	return 10 / d > 10;
}
