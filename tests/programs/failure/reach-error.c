// expect: error kind=assertion line=10
// flags: --nondet 0..9
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	if (x * x == 49)
		reach_error();
	return 0;
}
