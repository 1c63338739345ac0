// expect: inconclusive reason="nondet" line=7
// A whole int is too much to enumerate: a range has to be given.
int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	return x * x == 7;
}
