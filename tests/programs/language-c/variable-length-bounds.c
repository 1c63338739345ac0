// expect: error kind=out-of-bounds line=11
// flags: --nondet 1..3
int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	int a[n];
	for (int i = 0; i < n; i++)
		a[i] = i;
	return a[2] > 5;
}
