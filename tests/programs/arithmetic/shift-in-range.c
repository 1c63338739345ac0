// expect: verified
// flags: --nondet 0..31
int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	unsigned x = 1u << n;
	return x == 0 || x >> n != 1;
}
