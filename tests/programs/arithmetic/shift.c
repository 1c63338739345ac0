// expect: verified
// broken: error kind=invalid-shift line=10
// flags: --nondet 0..31
// broken-flags: --nondet 30..32
int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	unsigned x = 1u << n;
#ifdef BROKEN
	return x == 0;
#else
	return x == 0 || x >> n != 1;
#endif
}
