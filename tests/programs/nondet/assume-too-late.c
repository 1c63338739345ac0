// expect: error kind=division-by-zero line=9
// flags: --nondet -5..5
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	int y = 100 / x;
	__VERIFIER_assume(x > 0);
	return y == 7;
}
