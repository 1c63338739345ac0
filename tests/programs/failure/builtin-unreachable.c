// expect: error kind=unreachable line=11
// flags: --nondet 0..3
int __VERIFIER_nondet_int(void);

static int days(int month)
{
	switch (month) {
	case 0: return 31;
	case 1: return 28;
	case 2: return 31;
	default: __builtin_unreachable();
	}
}

int main(void)
{
	return days(__VERIFIER_nondet_int()) == 0;
}
