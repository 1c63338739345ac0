// expect: error kind=undefined-value line=13
// flags: --nondet 0..2
// Initialised on two of three ways.
int __VERIFIER_nondet_int(void);

int main(void)
{
	int x;
	switch (__VERIFIER_nondet_int()) {
	case 0: x = 1; break;
	case 1: x = 2; break;
	}
	if (x)
		return 0;
	return 1;
}
