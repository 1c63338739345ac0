// expect: error kind=assertion line=9
// flags: --nondet 0..9
void __VERIFIER_assert(int);
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
	unsigned x = __VERIFIER_nondet_uint();
	__VERIFIER_assert(x != 7);
	return 0;
}
