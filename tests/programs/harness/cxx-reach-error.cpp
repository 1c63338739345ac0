// expect: error kind=assertion line=9
// flags: --nondet 0..9
void reach_error(const char *, int);
int __VERIFIER_nondet_int();

int main()
{
	if (__VERIFIER_nondet_int() == 7)
		reach_error(__FILE__, __LINE__);
}
