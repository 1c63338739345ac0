// expect: error kind=invalid-shift line=8
// flags: --nondet 30..32
int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	unsigned x = 1u << n;
	return x == 0;
}
